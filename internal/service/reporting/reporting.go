package reporting

import (
	"context"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/store"
)

// Service makes reports on studies.
type Service struct {
	Store  *store.Store
	Themer Themer // nil: Keywords
	Now    func() time.Time
}

// Analyse reads a study's responses and reports on them. Subgroups are made if by names a multiple choice question (by its id or
// number) or, after "param:", a parameter of the study's link; *ByError if it makes no subgroups. Analyse reads the responses
// twice, once more if a parameter makes the subgroups and once more if the Themer fails on the way, and keeps none in memory.
func (s *Service) Analyse(ctx context.Context, st study.Study, by string) (*tables.Report, error) {
	view := s.Store.View()
	schema, err := readSchema(ctx, view, st)
	if err != nil {
		return nil, err
	}
	w := builder{reader: reader{view: view, schema: schema}, themer: s.Themer, study: st}
	if w.themer == nil {
		w.themer = Keywords{}
	}
	if w.groups, err = w.groupsBy(ctx, st.ID, by); err != nil {
		return nil, err
	}
	w.sizes = make([]int, len(w.groups.heads))
	for _, q := range schema.questions {
		w.questions = append(w.questions, newCounted(q, len(w.groups.heads)))
	}
	if err := w.count(ctx); err != nil {
		return nil, err
	}
	if err := w.learn(ctx); err != nil {
		return nil, err
	}
	if err := w.mention(ctx); err != nil {
		return nil, err
	}
	return w.report(s.Now()), nil
}

// builder is the state of one report while it is made.
type builder struct {
	reader
	themer    Themer
	study     study.Study
	groups    groups
	questions []*counted
	fieldwork fieldwork
	sizes     []int // number of counted people, by group
	seen      bits  // readable ids of counted responses, so that the second reading adds nobody
}

// fieldwork counts the responses themselves.
type fieldwork struct {
	complete, screenedOut, running, abandoned int
	hidden, broken, imported, unread          int
}

func (f *fieldwork) add(t *answered) {
	switch {
	case t.Hidden:
		f.hidden++
		return
	case t.broken:
		f.broken++
		return
	case t.Progress == response.Complete:
		f.complete++
	case t.Progress == response.ScreenedOut:
		f.screenedOut++
	case t.Abandoned:
		f.abandoned++
	default:
		f.running++
	}
	if t.imported {
		f.imported++
		f.unread += t.unread
	}
}

// count reads all responses and counts what can be counted in one pass.
func (w *builder) count(ctx context.Context) error {
	return w.eachResponse(ctx, w.study.ID, func(t *answered) error {
		w.fieldwork.add(t)
		if !t.ended() {
			w.wait(t)
			return nil
		}
		w.seen.set(t.ReadableID)
		p := person{t.ReadableID, w.groups.of(t)}
		for _, group := range p.groups {
			w.sizes[group]++
		}
		answers, private := t.answersTo(w.schema), privateValues(t.URLParams)
		for _, c := range w.questions {
			items := answers[c.question]
			c.add(p, items)
			if c.said == nil {
				continue
			}
			for i := range items {
				if words := texts(&items[i]); len(words) > 0 {
					c.said.add(t.ID, items[i].ConceptID, Said{t.ReadableID, t.Language, words, private})
				}
			}
		}
		return nil
	})
}

// wait counts an interview that has not ended at the question where it stands.
func (w *builder) wait(t *answered) {
	if len(t.visits) == 0 || t.imported {
		return
	}
	last := &t.visits[len(t.visits)-1]
	for _, c := range w.questions {
		if c.id == last.ItemID && !last.Done() {
			c.wait(last)
		}
	}
}

// bits is a set of small numbers.
type bits []uint64

func (b *bits) set(n int) {
	for n/64 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

func (b bits) has(n int) bool { return n/64 < len(b) && b[n/64]&(1<<(n%64)) != 0 }
