// Package llmtest is a fake language-model service for tests: it speaks the protocol, answers as a script says, is slow,
// busy, down, malformed or hostile on request, and records its requests. Its answers are deterministic: the same request
// gets the same answer.
package llmtest
