// Package web embeds the web pages in the binary. npm builds them into dist (make web); the binary can be built without
// them.
package web
