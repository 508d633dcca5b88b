// Package speechtest is a fake speech-to-text service for tests: it answers as a script says, is slow, busy, down or hostile
// on request, and records its requests.
package speechtest
