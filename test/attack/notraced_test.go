//go:build !race

package attack

// raced reports whether the tests, and therefore the server, are built with the race detector.
const raced = false

// slower is the factor by which the server may use more CPU.
const slower = 1
