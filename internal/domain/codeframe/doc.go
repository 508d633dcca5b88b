// Package codeframe holds the themes of an open question as they are stored: those that a machine found, and what people changed in
// them since. It says to which themes an answer belongs after all changes, in the order in which they were made. The package is pure.
package codeframe
