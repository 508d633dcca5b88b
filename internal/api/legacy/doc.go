// Package legacy is the handler of the unversioned API: /api/public/, snake_case. It translates between openapi/legacy.yaml
// and the services, and decides nothing. Responses are rendered from the documents that package v1 streams, so that both
// APIs return the same facts.
package legacy
