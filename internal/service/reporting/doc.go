// Package reporting analyses a study as a whole. It reads the responses one after the other, counts the answers to closed
// questions, estimates MaxDiff utilities, finds themes in open answers with quotes that stand in them letter for letter, and
// compares subgroups. The result is a report in which every number stands in a table. The package holds counts, the few bytes of
// each MaxDiff screen, and samples of open answers; never the responses.
//
// It counts responses that have ended (complete or screened out) and are not hidden. People who were screened out answered only
// the screening, and so are in no other question's base. Interviews that have not ended are in no base; the report says beside
// each question how many of them stand there. Imported responses are read from their texts where those can be read.
package reporting
