package textanalysis

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
	"verbatim/internal/domain/response"
)

const (
	// CopyWords is how long an answer must be, in words, before its equal in another response is a sign.
	CopyWords = 10

	pastedAtLeast = 60 // characters, before pasting is a sign
	pastedShare   = 2  // of so many parts of an answer, one must have been pasted
	leftOften     = 3  // times that the page was left over one answer
)

// PrintOf is the fingerprint by which equal answers are found; empty for one that is too short to be told from chance. Case,
// blanks and signs do not count.
func FingerprintOf(text string) string {
	text = plain(text)
	if lang.Words(text) < CopyWords {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// authenticity looks whether the open answers are the participant's own: the same text in an earlier response of the
// study, and what the page tells of pasting and of leaving it. Pasting and leaving have good reasons, too (a text written
// elsewhere, a device that helps to write), so they cost little, and a copy costs much. It is left out where there is
// nothing to go by.
func (r *reading) authenticity() (p response.QualityPart, judged bool) {
	p = response.QualityPart{Name: partAuthenticity, Score: 5, Reason: "No sign that the answers are not the participant's own."}
	long, copied, pasted, left := 0, []int(nil), []int(nil), []int(nil)
	telling := false // whether anything is known
	for i, e := range r.in.Exchanges {
		if e.Statement || r.isClosed(e.ItemID) || isBlank(e.User) {
			continue
		}
		if lang.Words(e.User) >= CopyWords {
			long++
			telling = true
			if r.in.Copies[Row(i)] > 0 {
				copied = append(copied, Row(i))
			}
		}
		telling = telling || e.Telemetry != nil
		if isPasted(e) {
			pasted = append(pasted, Row(i))
		}
		if e.Telemetry != nil && e.Telemetry.Blurs >= leftOften {
			left = append(left, Row(i))
		}
	}
	if !telling {
		return p, false
	}
	var reasons []string
	if n := len(copied); n > 0 {
		p.Score -= 1.5 + 2.5*float64(n)/float64(max(1, long))
		reasons = append(reasons, plural(n, "answer")+" that an earlier response of the study has word for word")
	}
	if n := len(pasted); n > 0 {
		p.Score -= 0.5 + min(1, float64(n)/float64(max(1, long)))
		reasons = append(reasons, plural(n, "answer")+" mostly pasted")
	}
	if n := len(left); n > 0 {
		p.Score -= 0.5
		reasons = append(reasons, fmt.Sprintf("the page left %d times or more over %s", leftOften, plural(n, "answer")))
	}
	if len(reasons) > 0 {
		p.Reason = upperFirst(list(reasons)) + "."
	}
	p.Rows = append(append(copied, pasted...), left...)
	return p, true
}

func isPasted(e interview.Exchange) bool {
	return e.Telemetry != nil && e.Telemetry.Pasted >= pastedAtLeast && e.Telemetry.Pasted*pastedShare >= utf8.RuneCountInString(e.User)
}
