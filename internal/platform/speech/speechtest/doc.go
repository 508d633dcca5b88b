// Package speechtest is a service that turns speech into text, made for tests: it says what a script has it say, is slow,
// busy, down or hostile when told so, and remembers what it was asked.
package speechtest
