package interview

import "verbatim/internal/domain/guide"

// Ask holds what a moderator knows when a follow-up is due (StepProbe). The moderator replies with the words of one
// question, or declines. Whether a follow-up is due at all is decided by the engine, never by the moderator.
type Ask struct {
	Guide     *guide.Guide // the study: its goal, its background and the other questions
	Item      *guide.Item
	Concept   *guide.Concept // nil outside concept blocks
	Language  string         // the participant's, a code of guide.Languages
	Answer    string         // the latest reply to this item; empty when it was only recorded and is not transcribed yet
	Earlier   []string       // the replies to this item before Answer, oldest first
	Asked     []string       // every follow-up asked so far in this interview, oldest first
	Exchanges []Exchange     // the complete interview so far, this item included
	Seed      uint64         // of the response: the same Ask with the same seed gets the same words
	FollowUps int            // follow-ups asked so far about this item and concept
	Private   []string       // values of the participant's link that may identify them: no model is given these
	Left      int            // follow-ups that may still be asked about them, this one included

	OrgID, StudyID, ResponseID string // the organization, study and response that a model's cost is counted for

	// Words, if not nil, may be called with the words so far, repeatedly while they are being written. The participant is
	// shown them at once; what the moderator returns in the end replaces them.
	Words func(soFar string)
}
