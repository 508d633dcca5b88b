// Package ffmpeg makes what browsers recorded playable everywhere, with the ffmpeg and ffprobe that it finds on the
// machine. It reads and writes local files alone; what to keep and where is its caller's business.
//
// What it reads comes from strangers. The programs therefore read files and pipes only, know no more formats and decoders
// than browsers record in, get none of the service's environment, run with low priority and few threads, and end with the
// context of the call. Their exit code alone is no proof: what was made is measured against what went in.
package ffmpeg
