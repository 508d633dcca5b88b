// Package openapi holds the contracts of the service: three OpenAPI 3.1 documents, written by hand, which lead the code.
// A path, key, status or code changes here first; test/contract then holds every door to it. The doors serve the
// documents unchanged, and the API reference renders them.
//
// Beyond OpenAPI, x-unrouted lists what an address or a method outside of paths answers; x-pages says that browsers get pages
// in HTML where programs get what is described; x-slashes marks a parameter of a path that has slashes.
//
// Generators of clients read the documents, too, and know less of JSON Schema than a validator (make clients tries three). So
// a literal is an enum of one value, what may be null an anyOf, and what no type can say stands under if, which they skip.
package openapi
