//go:build !race

package attack

// raced reports whether the race detector watches the tests; then it watches the server, too.
const raced = false

// slower is how many times as much CPU the server may take.
const slower = 1
