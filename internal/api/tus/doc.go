// Package tus speaks the tus resumable upload protocol, version 1.0.0: the core, and the extensions creation,
// creation-with-upload, creation-defer-length, expiration and termination. It translates requests for whoever keeps the
// uploads, and knows nothing of what they are.
//
// The sentences of the protocol that say MUST are rows of TestProtocol.
package tus
