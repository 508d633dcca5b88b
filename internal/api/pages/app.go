package pages

import (
	"io/fs"

	"verbatim/internal/api/webapp"
)

// appPath is the path of the app's files. Their names change with their content, so they may be cached for ever.
const appPath = "/participant/"

// app is the built app, which replaces the pages in browsers with JavaScript.
type app struct {
	*webapp.App
	style stylesheet // of pages that load the app
}

// loadApp reads the files that web/build_participant.mjs wrote.
func loadApp(dist fs.FS) (*app, error) {
	built, err := webapp.Load(dist, appPath)
	if err != nil {
		return nil, err
	}
	return &app{built, stylesheetOf(style, built.Stylesheet())}, nil
}
