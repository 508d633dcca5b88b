//go:build race

package attack

// raced reports whether the race detector watches the tests; then it watches the server, too.
const raced = true
