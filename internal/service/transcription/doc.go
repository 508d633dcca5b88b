// Package transcription has recordings turned into text. A participant's page asks for the words of an upload while the participant
// is still there to correct them; a job does it later for an answer that was given by a recording alone, and puts the words
// where the answer's text would be. What was heard is kept as it was heard, beside what the participant made of it.
//
// Nothing is invented. Who speaks is found without any provider (package transcript): silence is not sent, and words that a
// provider puts where nobody speaks are dropped. Without ffmpeg or a provider there are no words, and participants type.
package transcription
