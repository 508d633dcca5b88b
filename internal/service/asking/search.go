package asking

import (
	"cmp"
	"context"
	"math"
	"slices"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/store"
)

const (
	candidates  = 300 // passages that the index returns at most; the best of them are read
	maxRead     = 60  // passages that are read
	maxEach     = 3   // passages of one response
	leastWeight = 0.3 // share of the question's weight that a passage needs
	askedWeight = 0.5 // of a word that stands in what was asked, not in the answer
)

// search finds the passages that fit the question best, the best first. The answer is Declined where there are none.
func (s *Service) search(ctx context.Context, q Question) (a Answer, found []Passage, err error) {
	view := s.Store.View()
	if a.Ended, a.Searched, err = view.CountIndexed(ctx, q.OrgID, q.studyID()); err != nil {
		return a, nil, err
	}
	code, err := s.language(ctx, q)
	if err != nil {
		return a, nil, err
	}
	words := textanalysis.QueryWords(q.Text, code) // in their own language, if it can be detected
	if len(words) == 0 {
		a.Status, a.Reason = Declined, NoWords
		return a, nil, nil
	}
	query := store.PassageQuery{OrgID: q.OrgID, StudyID: q.studyID()}
	unknown := 0
	for _, w := range words[:min(len(words), maxWords)] {
		word := Word{Text: w.Text, forms: w}
		query.Words = [][]string{w.Forms}
		if word.Responses, err = view.CountMatching(ctx, query); err != nil {
			return a, nil, err
		}
		if word.Responses == 0 {
			unknown++
		}
		a.Words = append(a.Words, word)
	}
	query.Words = nil
	for _, w := range a.Words {
		query.Words = append(query.Words, w.forms.WithAsked())
	}
	hits, err := view.SearchPassages(ctx, query, candidates)
	if err != nil {
		return a, nil, err
	}
	hits, unknown = rank(hits, a.Words, a.Searched), unasked(hits, a.Words, unknown)
	if len(hits) == 0 || 2*unknown > len(a.Words) {
		a.Status, a.Reason = Declined, NoMatch
		return a, nil, nil
	}
	found, err = s.read(ctx, q.OrgID, hits)
	if err == nil && len(found) == 0 { // all were hidden or deleted meanwhile
		a.Status, a.Reason = Declined, NoMatch
	}
	return a, found, err
}

// language returns the language of the question's study: English for several studies.
func (s *Service) language(ctx context.Context, q Question) (code string, err error) {
	if q.Study == nil {
		return "en", nil
	}
	g, err := s.guide(ctx, q.OrgID, q.Study)
	if err != nil {
		return "", err
	}
	return cmp.Or(g.Config.QuestionLanguage, "en"), nil
}

// guide returns the latest guide of a study that participants saw.
func (s *Service) guide(ctx context.Context, orgID string, of *study.Study) (*guide.Guide, error) {
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), orgID, of.ID, max(of.PublishedRevision, 1))
	if err != nil {
		return nil, err
	}
	return compiled.Guide, nil
}

// unasked returns how many of the unknown words are not in what was asked, either.
func unasked(hits []store.PassageHit, words []Word, unknown int) int {
	for _, w := range words {
		if w.Responses > 0 {
			continue
		}
		if slices.ContainsFunc(hits, func(h store.PassageHit) bool { _, asked := w.forms.Matches(h.Terms); return asked }) {
			unknown--
		}
	}
	return unknown
}

// weight returns the weight of a word in a search: less if many responses have it.
func (w Word) weight(responses int) float64 {
	return math.Log(1 + (float64(max(responses, w.Responses)-w.Responses)+0.5)/(float64(w.Responses)+0.5))
}

// rank sorts hits by the weight of the words that they match, and leaves out those that match too little, and those of a response
// that has enough.
func rank(hits []store.PassageHit, words []Word, responses int) []store.PassageHit {
	total := 0.0
	for _, w := range words {
		if w.Responses > 0 {
			total += w.weight(responses)
		}
	}
	type place struct {
		responseID string
		row        int
	}
	scores := map[place]float64{}
	key := func(h store.PassageHit) place { return place{h.ResponseID, h.Row} }
	for _, h := range hits {
		score := 0.0
		for _, w := range words {
			said, asked := w.forms.Matches(h.Terms)
			switch {
			case said:
				score += w.weight(responses)
			case asked:
				score += askedWeight * w.weight(responses)
			}
		}
		scores[key(h)] = score
	}
	least := leastWeight * total
	hits = slices.DeleteFunc(slices.Clone(hits), func(h store.PassageHit) bool { return scores[key(h)] < least || scores[key(h)] == 0 })
	slices.SortStableFunc(hits, func(a, b store.PassageHit) int {
		return cmp.Or(cmp.Compare(scores[key(b)], scores[key(a)]), cmp.Compare(a.ReadableID, b.ReadableID), cmp.Compare(a.Row, b.Row))
	})
	each := map[string]int{}
	hits = slices.DeleteFunc(hits, func(h store.PassageHit) bool {
		each[h.ResponseID]++
		return each[h.ResponseID] > maxEach
	})
	return hits[:min(len(hits), maxRead)]
}

// read reads what was said in the passages, as it is now.
func (s *Service) read(ctx context.Context, orgID string, hits []store.PassageHit) (found []Passage, err error) {
	var ids []string
	for _, h := range hits {
		if !slices.Contains(ids, h.ResponseID) {
			ids = append(ids, h.ResponseID)
		}
	}
	documents, err := s.Store.View().PassageDocuments(ctx, orgID, ids)
	if err != nil {
		return nil, err
	}
	type responseText struct {
		rows   map[int]document.Row
		params map[string]string
	}
	texts := map[string]responseText{}
	for _, d := range documents {
		detail, err := document.DecodeSingle(d.Single)
		if err != nil {
			return nil, err
		}
		rows := map[int]document.Row{}
		for _, row := range detail.Transcript {
			rows[row.Index] = row
		}
		texts[d.ResponseID] = responseText{rows, d.URLParams}
	}
	uses := map[string]*guide.Guide{}
	for _, h := range hits {
		row := texts[h.ResponseID].rows[h.Row]
		if row.User == "" { // it changed since it was indexed
			continue
		}
		if uses[h.StudyID] == nil {
			of, err := s.Store.View().Study(ctx, orgID, h.StudyID)
			if err != nil {
				return nil, err
			}
			if uses[h.StudyID], err = s.guide(ctx, orgID, &of); err != nil {
				return nil, err
			}
		}
		use := uses[h.StudyID]
		found = append(found, Passage{
			Place:      Place{h.StudyID, h.LinkID, h.ResponseID, h.ReadableID, h.Row},
			QuestionID: row.QuestionID, Asked: row.Moderator, Said: row.User,
			params:   texts[h.ResponseID].params,
			withheld: use.SendsNothing() || use.Withheld()[row.QuestionID],
		})
	}
	return found, nil
}
