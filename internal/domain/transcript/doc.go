// Package transcript owns the transcripts of uploads: words with their times and confidence, as a speech-to-text provider
// returned them. It also detects, without any provider, where in a recording somebody speaks, so that silence is never sent
// to a provider and words that a provider invents for silence are removed.
package transcript
