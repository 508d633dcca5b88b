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
	// CopyWords is how long an answer must be, in words, before an equal one in another response is a sign of copying.
	CopyWords = 10

	pastedAtLeast = 60 // characters, before pasting is a sign
	pastedShare   = 2  // an answer counts as pasted if at least one in this many of its characters was pasted
	leftOften     = 3  // times that the page was left during one answer, before that is a sign
)

// FingerprintOf returns the fingerprint by which equal answers are found, or "" for an answer so short that equality may be
// chance. Case, spaces and punctuation do not count.
func FingerprintOf(text string) string {
	text = plain(text)
	if lang.Words(text) < CopyWords {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// authenticity checks whether the open answers are the participant's own: the same text in an earlier response of the study, and
// the page's telemetry of pasting and of leaving it. There are good reasons for pasting and leaving (a text written elsewhere, a
// device that helps to write), so they cost little, and a copy costs much. judged is false if nothing is known.
func (r *reading) authenticity() (p response.QualityPart, judged bool) {
	p = response.QualityPart{Name: partAuthenticity, Score: 5, Reason: "No sign that the answers are not the participant's own."}
	long, copied, pasted, left := 0, []int(nil), []int(nil), []int(nil)
	known := false // whether anything is known
	for i, e := range r.in.Exchanges {
		if e.Statement || r.isClosed(e.ItemID) || isBlank(e.User) {
			continue
		}
		if lang.Words(e.User) >= CopyWords {
			long++
			known = true
			if r.in.Copies[Row(i)] > 0 {
				copied = append(copied, Row(i))
			}
		}
		known = known || e.Telemetry != nil
		if isPasted(e) {
			pasted = append(pasted, Row(i))
		}
		if e.Telemetry != nil && e.Telemetry.Blurs >= leftOften {
			left = append(left, Row(i))
		}
	}
	if !known {
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
