package moderator

import (
	"strings"

	"verbatim/internal/domain/interview"
)

// SpeaksOfDistress reports whether the latest answer speaks of a death among the participant's own, of losing somebody, or of despair.
// It reads in's Guide, Item, Language and Answer. Words of English count in every language.
func SpeaksOfDistress(in interview.Ask) bool {
	if in.Item == nil || strings.TrimSpace(in.Answer) == "" {
		return false
	}
	for _, book := range []*phrasebook{bookFor(in.Language), bookFor("en")} {
		if book != nil && read(book, in, in.Answer).isDistress() {
			return true
		}
	}
	return false
}
