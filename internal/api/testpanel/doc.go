// Package testpanel stands in for a panel while a study is being set up: it receives participants who come back and the messages of the
// server, checks their signatures, and shows both on a page. It keeps them in memory only.
package testpanel
