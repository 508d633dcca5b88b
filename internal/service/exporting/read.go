package exporting

import (
	"context"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/reporting"
)

// pageSize is the number of responses that are in memory at once.
const pageSize = 64

// maxParameters limits the link parameters that get a variable of their own.
const maxParameters = 200

// source reads the responses of one export. What came after it was made is left out, so that a second reading has the same.
type source struct {
	view   *store.View
	study  study.Study
	filter response.ReviewFilter
	at     time.Time // when the export began
	newest int       // the greatest number
	total  int       // responses
	asked  *reporting.Questionnaire
	tags   map[string]string // names of the tags that people give, by their ids

	consents map[string]response.Consent // of the study, by their hashes

	unreadable int // responses of the last reading whose answers could not be read
}

func newSource(ctx context.Context, s *store.Store, st study.Study, f response.ReviewFilter) (*source, error) {
	src := &source{view: s.View(), study: st, filter: f, at: s.Now()}
	var err error
	// The number comes first: no response up to it runs on a revision that is published later.
	if _, src.newest, err = src.view.Arrivals(ctx, st.ID, 0); err != nil {
		return nil, err
	}
	if src.total, err = src.view.CountReviewed(ctx, st.OrgID, st.ID, f); err != nil {
		return nil, err
	}
	if src.tags, err = tagNames(ctx, src.view, st); err != nil {
		return nil, err
	}
	if src.consents, err = src.view.Consents(ctx, st.ID); err != nil {
		return nil, err
	}
	src.asked, err = reporting.ReadQuestionnaire(ctx, src.view, st)
	return src, err
}

// each calls do with every response, in the order of their numbers.
func (s *source) each(ctx context.Context, do func(r *record) error) error {
	s.unreadable = 0
	for after := 0; ; {
		page, err := s.view.ExportPage(ctx, s.study.OrgID, s.study.ID, s.filter, after, s.newest, pageSize)
		if err != nil || len(page) == 0 {
			return err
		}
		ids := make([]string, len(page))
		for i := range page {
			ids[i] = page[i].ID
		}
		logs, err := s.view.TurnsOf(ctx, ids)
		if err != nil {
			return err
		}
		notes, err := s.annotationsOf(ctx, ids)
		if err != nil {
			return err
		}
		for i := range page {
			r := &record{ExportedResponse: page[i], annotations: notes[page[i].ID], tags: s.tags, consent: s.consents[page[i].ConsentHash]}
			if err := s.fill(ctx, r, logs[page[i].ID]); err != nil {
				return err
			}
			if err := do(r); err != nil {
				return err
			}
		}
		after = page[len(page)-1].ReadableID
	}
}

// fill reads the documents of a response, and replays its interview or reads what was imported.
func (s *source) fill(ctx context.Context, r *record, turns []interview.Turn) (err error) {
	if r.item, err = document.DecodeItem(r.List); err != nil {
		return err
	}
	if len(turns) == 0 {
		body, err := s.view.ImportedItem(ctx, r.ID)
		if err != nil {
			return err
		}
		if body != nil {
			s.imported(r, body)
			return nil
		}
	}
	compiled := s.asked.Revisions[r.Revision]
	if compiled == nil {
		r.broken = true
	} else if iv, err := compiled.Replay(r.Response, turns); err != nil {
		r.broken = true
	} else {
		r.visits, r.rows = iv.State.VisitedItems(), iv.State.Exchanges()
		r.quotaFull = iv.State.Next().QuotaFull != nil
	}
	if r.broken {
		s.unreadable++
	}
	return nil
}

// imported reads the answers of an imported response.
func (s *source) imported(r *record, body []byte) {
	item, err := document.ReadItem(body)
	if err != nil {
		r.broken = true
		s.unreadable++
		return
	}
	r.visits, _ = s.asked.FromTexts(item.AnswersArray)
	for _, a := range item.AnswersArray {
		r.rows = append(r.rows, interview.Exchange{ItemID: a.QuestionID, ConceptID: a.ConceptID, Moderator: a.Question, User: a.Answer})
	}
}

// parameters lists the names of the link parameters that get a variable of their own. In formats whose structure must not depend on what
// participants brought, these are the ones that the guide names.
func (s *source) parameters(ctx context.Context, fixed bool) (names []string, err error) {
	for _, revision := range s.asked.Revisions {
		names = append(names, namedParameters(revision.Guide)...)
	}
	if !fixed {
		seen, err := s.view.ParameterNames(ctx, s.study.OrgID, s.study.ID, maxParameters)
		if err != nil {
			return nil, err
		}
		names = append(names, seen...)
	}
	return sorted(names), nil
}
