package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var embedded embed.FS

// Rules is shared/rules.json: what the participant's app shares with the plain pages.
//
//go:embed shared/rules.json
var Rules []byte

// Dist holds the built pages; docs/index.html is the API reference. Without the web build it holds no page, and the
// handlers answer with a sentence that says so.
var Dist = sub("dist")

// Participant holds the app of the participant's pages. It is empty without the web build, and the pages then work
// without the app.
var Participant = sub("dist/participant")

// Dashboard holds the app of the researcher's dashboard. It is empty without the web build.
var Dashboard = sub("dist/dashboard")

func sub(folder string) fs.FS {
	dist, err := fs.Sub(embedded, folder)
	if err != nil {
		panic(err) // the name is constant and valid
	}
	return dist
}
