// Package ffmpeg makes browser recordings playable everywhere, with the ffmpeg and ffprobe programs that it finds on the
// machine. It reads and writes local files only; its caller decides what to store where.
//
// Its input comes from untrusted clients. The programs therefore read files and pipes only, know no more formats and
// decoders than browsers record in, get none of the service's environment, run with low priority and few threads, and end
// with the context of the call. Their exit code alone proves nothing: the output is measured against the input.
package ffmpeg
