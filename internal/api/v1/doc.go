// Package v1 is the handler of the versioned API: /api/public/v1/, camelCase. It translates between openapi/v1.yaml and the
// services, and decides nothing. Its wire structs and its table of errors are its own. The server authenticates the caller
// before it.
package v1
