// Package webhooks tells programs of organizations what happens: other services call Emit in the transaction that does it, and Worker delivers
// the messages. Service manages the endpoints.
package webhooks
