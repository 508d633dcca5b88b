// Package legacy is the door of the unversioned paths: /api/public/, snake_case. It translates between
// openapi/legacy.yaml and the work, and decides nothing. Responses are rendered from the documents that the versioned
// door streams, so both tell the same facts.
package legacy
