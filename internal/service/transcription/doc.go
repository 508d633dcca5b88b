// Package transcription turns recordings into text. A participant's page asks for the transcript of an upload while the
// participant can still correct it. A job does the same later for an answer given by a recording alone, and stores the
// transcript as the answer's text. The transcript is kept as the provider returned it, beside what the participant made of it.
//
// Nothing is invented. Voice activity is detected without any provider (package transcript): silence is not sent, and words
// that a provider returns for silence are dropped. Without ffmpeg or a provider there is no transcript, and participants type.
package transcription
