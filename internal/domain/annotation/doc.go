// Package annotation owns what researchers note about responses: highlights of a participant's words, notes and tags, and the vocabulary
// that the tags come from. The package is pure.
package annotation
