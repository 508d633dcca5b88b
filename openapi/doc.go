// Package openapi holds the contracts of the service: three OpenAPI 3.1 documents, written by hand, which lead the code.
// A path, key, status or code changes here first, and test/contract checks every API against it. The server serves the
// documents unchanged, and the API reference renders them.
//
// Extensions of OpenAPI: x-unrouted has the answers of addresses and methods that are not in paths; x-pages means that browsers
// get HTML pages where programs get what is described; x-slashes marks a path parameter that may contain slashes.
//
// Client generators read the documents, too, and support less of JSON Schema than a validator (make clients tries three). So
// a literal is an enum of one value, a nullable reference is an anyOf, and rules that types cannot express are under if, which
// generators skip.
package openapi
