// Package llmtest is a language model's service, made for tests: it speaks the protocol, says what a script has it say, is slow,
// busy, down, wrong in shape or hostile when told so, and remembers what it was asked. What it says is never chance: the same
// request gets the same answer.
package llmtest
