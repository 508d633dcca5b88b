// Package storetest gives tests a store of their own and the smallest valid things to put into it. It is the one place
// that chooses the engine the suites run on.
package storetest
