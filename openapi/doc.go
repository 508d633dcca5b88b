// Package openapi holds the contracts of the service: three OpenAPI 3.1 documents, written by hand, which lead the code.
// A path, key, status or code changes here first; test/contract then holds every door to it. The doors serve the
// documents unchanged, and the API reference renders them.
//
// Beyond OpenAPI, x-unrouted lists what an address or a method outside of paths answers.
package openapi
