package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var embedded embed.FS

// Dist holds the built pages; docs/index.html is the API reference. Without the web build it holds no page, and a door
// that misses one says so in a plain sentence.
var Dist = sub()

func sub() fs.FS {
	dist, err := fs.Sub(embedded, "dist")
	if err != nil {
		panic(err) // the name is constant and valid
	}
	return dist
}
