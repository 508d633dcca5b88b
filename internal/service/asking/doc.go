// Package asking answers a researcher's questions from what participants said, in one study or in all studies of an
// organization. The operation of the v1 API (POST .../ask) and the command study ask call Ask; the server calls Run.
//
// Search finds passages (rows of transcripts with an open answer) by their words in an index in the database, and code counts
// in how many responses each word stands. Where a language model is configured it writes sentences from the passages, and none
// of them is trusted: each must pass the checks of package analysis with quotes that stand in the passages letter for letter, and
// those of check.go. A question that nothing supports is declined. Without a model, or where it fails, the best passages are the
// answer.
//
// The index is made by one writer from the documents of ended responses, after their commit: by Run in the background, and for
// what it has not come to yet, by Ask. So no answer of a participant waits for it, and it makes no difference whether a response
// changed because of an answer, a transcript, an import or an older program on the same database.
package asking
