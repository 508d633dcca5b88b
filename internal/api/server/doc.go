// Package server puts the doors behind one address: the mux, and what every request passes (ids, the access log, limits,
// compression, recovery, deadlines), health, the contracts and their reference, and an orderly stop.
package server
