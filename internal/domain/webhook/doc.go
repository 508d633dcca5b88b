// Package webhook defines what programs of an organization are told: the events, the endpoints that receive them, the body of a message and
// its signature. Package internal/service/webhooks decides when an event happens, and delivers it.
package webhook
