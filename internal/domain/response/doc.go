// Package response owns the noun: one participant's interview in one study, what is known about it, and the analysis
// of it. It is data and small rules; the log of the interview is package interview's.
package response
