// Package delivery sends messages to servers of others: one attempt at a time, again and again for three days. Packages panels and webhooks keep
// the messages, and what came of them.
package delivery
