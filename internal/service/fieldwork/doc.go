// Package fieldwork runs interviews: it opens them on a live study, takes the participants' answers,
// for the words of follow-ups, and closes them. The engine (package interview) decides; this package commits what it
// decided, together with the credits, the counts, the documents and the jobs that go with it.
//
// The order of things is always the same. An answer is stored before anybody is asked for a follow-up, so a crash in
// between loses nothing: whoever comes next finds the log at a due follow-up and asks for it then. No moderator is
// called inside a transaction. Every append names the length of the log it follows; of two simultaneous ones the second
// is refused, reads again and decides again, so a step is answered once however often it is sent.
package fieldwork
