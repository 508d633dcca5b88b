// Package instance shows the parts of an installation to whoever administers it, such as its database, the language model and ffmpeg, and
// tries them.
package instance
