// Package tus serves the tus resumable upload protocol, version 1.0.0: the core, and the extensions creation,
// creation-with-upload, creation-defer-length, expiration and termination. It translates requests for an implementation of
// Uploads, and knows nothing of what is uploaded.
//
// Every sentence of the protocol that says MUST is a row of TestProtocol.
package tus
