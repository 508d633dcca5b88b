// Package contract checks a running server against the documents of package openapi. Only tests import it.
//
// A test loads a Suite, wraps the handler under test, and talks to it as usual: every request and answer that passes is checked against the
// document, and a violation fails the test. At the end Covered returns which cases were seen.
//
// Put Wrap outside the middleware: headers that the document requires (X-Request-Id, ETag, Retry-After, ...) are checked too.
package contract
