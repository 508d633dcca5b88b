package asking

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// Limits of a question.
const (
	MaxQuestion     = 500 // characters
	MaxPassages     = 50
	DefaultPassages = 10

	maxWords  = 12 // words of a question that are searched for
	maxAtOnce = 2  // questions of one organization at once
)

var (
	// ErrBusy means that as many questions of the organization as one server takes are being answered.
	ErrBusy = errors.New("too many questions of the organization are being answered")
	// ErrNoQuestion means that the question is empty or longer than MaxQuestion.
	ErrNoQuestion = errors.New("a question has from 1 to 500 characters")
)

// Service answers questions. Share one value: it counts the questions that are being answered.
type Service struct {
	Store      *store.Store
	Interviews *interviewlog.Loader // nil: keeps no guides
	Chat       llm.ChatModel        // nil: the best passages are the answer
	Within     time.Duration        // timeout of the model; 0: a minute

	mu    sync.Mutex
	under map[string]int // questions that are being answered, by organization
}

// Question is a question about a study, or about all studies of an organization.
type Question struct {
	OrgID    string
	Study    *study.Study // nil: all studies of the organization
	Text     string
	Passages int // how many are listed; 0: DefaultPassages
}

// Status is the kind of an Answer.
type Status string

// An answer has sentences, or passages alone, or says why there is neither a sentence nor a passage that answers.
const (
	Answered Status = "answered"
	Passages Status = "passages"
	Declined Status = "declined"
)

// Reason is the cause of an answer without sentences.
type Reason string

// Reasons of Declined (the first three) and of Passages.
const (
	NoWords      Reason = "no_words"      // the question has no word to search for
	NoMatch      Reason = "no_match"      // no answer speaks of what the question names, or of most of it
	NotSupported Reason = "not_supported" // the model found no answer, or wrote nothing that the passages prove

	NoModel          Reason = "no_model"
	ModelUnavailable Reason = "model_unavailable" // it failed, or a ceiling of its use is reached
)

// Answer is the answer to a question. All its numbers are counted.
type Answer struct {
	Status    Status
	Reason    Reason // empty if Answered
	Sentences []Sentence
	Passages  []Passage // the best first
	Words     []Word    // the words that were searched for
	Ended     int       // responses that have ended and are not hidden
	Searched  int       // those of them that the index had
	Dropped   int       // sentences of the model that could not be verified
	Provider  string    // of the model; empty if none wrote
	Model     string
	Prompt    string
}

// Sentence is a statement with the quotes that prove it.
type Sentence struct {
	Text      string
	Quotes    []Quote
	Responses int // how many responses the quotes are from
}

// Quote is a participant's words, letter for letter. Row is the row of the transcript.
type Quote struct {
	Place
	Text string
}

// Place is the position of words in a study's answers.
type Place struct {
	StudyID, LinkID, ResponseID string
	ReadableID, Row             int
}

// Passage holds the words of one participant in one row, and those of the moderator before.
type Passage struct {
	Place
	QuestionID  string
	Asked, Said string

	params   map[string]string // of the participant's link; never shown and never sent
	withheld bool              // its author sends it to no model
}

// Word is a word of the question, with how many responses have it in their answers, in any of its forms.
type Word struct {
	Text      string
	Responses int

	forms textanalysis.QueryWord
}

// Study returns a study of an organization by its id or a link id; study.ErrNotFound.
func (s *Service) Study(ctx context.Context, orgID, ref string) (_ study.Study, err error) {
	defer operation.Wrap(&err, "asking.Study")
	return s.Store.View().StudyByRef(ctx, orgID, ref)
}

// Ask answers a question; ErrNoQuestion, ErrBusy.
func (s *Service) Ask(ctx context.Context, q Question) (_ Answer, err error) {
	defer operation.Wrap(&err, "asking.Ask")
	q.Text = strings.Join(strings.Fields(q.Text), " ")
	if q.Text == "" || utf8.RuneCountInString(q.Text) > MaxQuestion {
		return Answer{}, ErrNoQuestion
	}
	q.Passages = min(cmp.Or(max(q.Passages, 0), DefaultPassages), MaxPassages)
	if !s.enter(q.OrgID) {
		return Answer{}, ErrBusy
	}
	defer s.leave(q.OrgID)
	_, err = s.index(ctx, q.OrgID, q.studyID(), askIndexes)
	if err != nil && !errors.Is(err, outage.ErrDiskFull) && !errors.Is(err, outage.ErrBusy) { // else what is there is searched
		return Answer{}, err
	}
	answer, found, err := s.search(ctx, q)
	if err != nil || answer.Status == Declined {
		return answer, err
	}
	answer.Status, answer.Reason, answer.Passages = Passages, NoModel, found[:min(len(found), q.Passages)]
	if s.Chat == nil {
		return answer, nil
	}
	return s.write(ctx, q, answer, found)
}

func (q Question) studyID() string {
	if q.Study == nil {
		return ""
	}
	return q.Study.ID
}

// enter counts a question of an organization; false where it has to wait.
func (s *Service) enter(orgID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.under == nil {
		s.under = map[string]int{}
	}
	if s.under[orgID] >= maxAtOnce {
		return false
	}
	s.under[orgID]++
	return true
}

func (s *Service) leave(orgID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.under[orgID]--; s.under[orgID] == 0 {
		delete(s.under, orgID)
	}
}

// Text returns the answer's sentences as one text; empty unless Answered.
func (a Answer) Text() string {
	texts := make([]string, len(a.Sentences))
	for i, s := range a.Sentences {
		texts[i] = s.Text
	}
	return strings.Join(texts, " ")
}
