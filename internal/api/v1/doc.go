// Package v1 is the versioned door: /api/public/v1/, camelCase. It translates between openapi/v1.yaml and the work, and
// decides nothing. Its wire structs and its table of errors are its own; the server has told the caller before.
package v1
