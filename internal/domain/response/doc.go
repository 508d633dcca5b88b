// Package response defines the response: one participant's interview in one study, what is known about it, and its analysis.
// It is data and small rules; the log of the interview belongs to package interview.
package response
