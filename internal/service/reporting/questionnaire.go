package reporting

import (
	"context"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// Questionnaire holds the questions of a study over all revisions that responses ran on, in the order of reports. It is for services that
// write answers down: the place of an option in its question is its code, there as in a report.
type Questionnaire struct {
	Revisions map[int]*interviewlog.CompiledGuide
	Questions []Question

	schema *schema
}

// Question is one question of a questionnaire.
type Question struct {
	ID       string
	Number   int // 0 if the published revision no longer has it
	Type     guide.ItemType
	Text     string
	Multi    bool // several options may be chosen
	Options  []Entry
	Rows     []Entry // of a matrix
	Concepts []Entry

	of *question
}

// Entry is an option, a row or a concept.
type Entry struct {
	ID, Label string
	Custom    bool // an option that participants put into their own words
}

// ReadQuestionnaire reads the questions of a study; study.ErrNotFound.
func ReadQuestionnaire(ctx context.Context, view *store.View, st study.Study) (_ *Questionnaire, err error) {
	defer operation.Wrap(&err, "reporting.ReadQuestionnaire")
	s, err := readSchema(ctx, view, st)
	if err != nil {
		return nil, err
	}
	all := &Questionnaire{Revisions: s.revisions, schema: s}
	for _, q := range s.questions {
		all.Questions = append(all.Questions, Question{
			ID: q.id, Number: q.number, Type: q.kind, Text: q.text, Multi: q.multi,
			Options: q.options.list(), Rows: q.rows.list(), Concepts: q.concepts.list(), of: q,
		})
	}
	return all, nil
}

// list returns the entries one by one.
func (e *entries) list() []Entry {
	all := make([]Entry, len(e.ids))
	for i := range e.ids {
		all[i] = Entry{ID: e.ids[i], Label: e.labels[i], Custom: isCustom(e.ids[i])}
	}
	return all
}

// Option returns the index of an option among Options, or -1. An option in a participant's own words that was carried forward with its concept
// stands for the option itself.
func (q *Question) Option(id string) int { return q.of.options.place(id) }

// FromTexts reads the answers of an imported response, which has only their texts. unread counts those that no reading fits.
func (q *Questionnaire) FromTexts(answers []document.Answer) (items []interview.VisitedItem, unread int) {
	return q.schema.fromTexts(answers)
}
