package interview

import "verbatim/internal/domain/guide"

// Ask is what a moderator knows when a follow-up is due (StepProbe). It answers with the words of one question, or
// declines. Whether a follow-up is due at all is the engine's decision, never the moderator's.
type Ask struct {
	Guide     *guide.Guide // the study: its goal, its background and the other questions
	Item      *guide.Item
	Concept   *guide.Concept // nil outside concept blocks
	Language  string         // the participant's, a code of guide.Languages
	Answer    string         // the latest reply to this item; empty when it was only recorded and has no words yet
	Earlier   []string       // the replies to this item before Answer, oldest first
	Asked     []string       // every follow-up asked so far in this interview, oldest first
	Exchanges []Exchange     // the whole interview so far, this item included
	Seed      uint64         // of the response: the same ask with the same seed gets the same words
	FollowUps int            // follow-ups asked so far about this item and concept
	Left      int            // follow-ups that may still be asked about them, this one included

	OrgID, StudyID, ResponseID string // whom the cost of a model is counted for

	// Words may be told the words so far, again and again while they are being written; nil when nobody listens. What is told
	// is shown to the participant at once, and what the moderator returns in the end takes its place.
	Words func(soFar string)
}
