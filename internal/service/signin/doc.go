// Package signin owns who is signed in to the dashboard: passwords, sessions, one-time tokens, and the people of an organization. Every
// change of it goes into the audit log in the same transaction.
package signin
