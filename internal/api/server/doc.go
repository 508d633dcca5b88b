// Package server puts the api packages behind one address: the mux and what every request passes (request ids, the access
// log, limits, compression, recovery, deadlines), the health endpoints, the contract documents with their reference, and the
// graceful stop.
package server
