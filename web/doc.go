// Package web carries the pages of the service inside the binary. They are built into dist by npm (make web); the build
// of the binary works without them.
package web
