// Package fieldwork runs interviews: it begins them on a live study, accepts the participants' answers, asks the moderator for
// the words of follow-ups, and closes them. The engine (package interview) decides; this package commits the decision, together
// with the credits, counts, documents and jobs that go with it.
//
// The order is always the same. An answer is stored before anybody is asked for a follow-up, so a crash in between loses
// nothing: the next request finds a follow-up due in the log and asks for it then. No moderator is called inside a transaction.
// Every append names the length of the log it follows; of two simultaneous appends the second is refused, reads again and
// decides again, so a step is answered once however often the answer is sent.
package fieldwork
