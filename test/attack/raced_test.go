//go:build race

package attack

// raced reports whether the race detector watches the tests; then it watches the server, too.
const raced = true

// slower is how many times as much CPU the server may take under the detector.
const slower = 20
