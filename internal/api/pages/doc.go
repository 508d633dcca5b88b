// Package pages serves participants in browsers. At the addresses of the protocol (package participant) it answers a browser with an
// HTML page, by Accept, and takes the forms of its pages; everything else it leaves to the protocol. The pages work without JavaScript,
// also for files, which they send in the form of their step. If the binary holds the app (web/participant), a page loads it with what
// the protocol would answer, and the app continues over the protocol.
package pages
