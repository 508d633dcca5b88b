// Package sample holds one realistic study guide that uses every feature of the contract: for the demo, the examples of
// the API's description, and tests.
package sample

import _ "embed"

// Payload is the guide as a client would send it to create. Some ids are omitted, as clients do. Do not change it.
//
//go:embed sample.json
var Payload []byte
