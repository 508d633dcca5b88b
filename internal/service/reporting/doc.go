// Package reporting analyses a study as a whole: it reads the responses one after the other, counts what was answered to
// closed questions, estimates MaxDiff utilities, finds themes in open answers with quotes that stand in them letter for
// letter, compares subgroups, and makes of it a report in which every number stands in a table. It holds counts, the few
// bytes of each MaxDiff screen, and samples of open answers; never the responses.
//
// What is counted: responses that have ended (complete or screened out) and are not hidden. Who was screened out answered
// the screening alone, and so is in no other question's base. Interviews that have not ended are in no base; where they
// stand is told beside each question. Imported responses are read from their texts where those can be read.
package reporting
