// Package plaintext makes untrusted text safe to print: on a terminal, whose control sequences could rewrite the screen,
// fill the clipboard or hide a link, and in files that a spreadsheet or a Markdown viewer opens.
package plaintext
