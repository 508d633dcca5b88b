package reporting

import (
	"context"
	"fmt"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
)

// schema holds the questions of a study over all revisions that responses ran on. The published revision sets order and words;
// questions of earlier revisions alone follow.
type schema struct {
	guide     *guide.Guide // the published revision, or the draft
	revisions map[int]*interviewlog.CompiledGuide
	questions []*question
	byID      map[string]*question
}

type question struct {
	id       string
	number   int // 0 if the published revision no longer has it
	kind     guide.ItemType
	text     string
	metric   string
	multi    bool
	screener bool
	withheld bool // from models: in any revision that somebody answered, see guide.Guide.Withheld
	options  entries
	rows     entries // of a matrix
	concepts entries
	scale    []float64 // by option: its value, NaN if it has none; nil if the options are no scale
}

// entries are labels with ids, in order.
type entries struct {
	ids, labels []string
	byID        map[string]int
}

func (e *entries) add(id, label string) {
	if _, known := e.byID[id]; known {
		return
	}
	if e.byID == nil {
		e.byID = map[string]int{}
	}
	e.byID[id] = len(e.ids)
	e.ids, e.labels = append(e.ids, id), append(e.labels, label)
}

// place returns the index of an id, or -1 if it is unknown. The id of a custom option that was carried forward with its concept
// stands for the option itself.
func (e *entries) place(id string) int {
	if place, known := e.byID[id]; known {
		return place
	}
	if i := strings.LastIndexByte(id, ':'); i > len(guide.CustomOptionID("")) && isCustom(id) {
		return e.place(id[:i])
	}
	return -1
}

// isCustom reports whether an id is that of an option with free text.
func isCustom(id string) bool { return strings.HasPrefix(id, guide.CustomOptionID("")) }

// places returns the indexes of the known options.
func (e *entries) places(options []guide.Option) []int {
	places := make([]int, 0, len(options))
	for i := range options {
		if place := e.place(options[i].ID); place >= 0 {
			places = append(places, place)
		}
	}
	return places
}

func readSchema(ctx context.Context, view *store.View, st study.Study) (*schema, error) {
	first := st.PublishedRevision
	if first == 0 {
		first = st.Revision
	}
	taken, err := view.RevisionsUsed(ctx, st.ID)
	if err != nil {
		return nil, err
	}
	s := &schema{revisions: map[int]*interviewlog.CompiledGuide{}, byID: map[string]*question{}}
	for _, revision := range append([]int{first}, taken...) {
		if s.revisions[revision] != nil {
			continue
		}
		compiled, err := interviewlog.Compile(ctx, view, st.OrgID, st.ID, revision)
		if err != nil {
			return nil, fmt.Errorf("revision %d: %w", revision, err)
		}
		s.revisions[revision] = compiled
		s.add(compiled.Guide)
	}
	s.rate()
	return s, nil
}

// rate finds the questions whose options are the numbered points of a scale.
func (s *schema) rate() {
	for _, q := range s.questions {
		if q.rated() {
			q.scale = scaleOf(q.options.labels)
		}
	}
}

// rated reports whether the options of the question may be a scale: each answer names one of them.
func (q *question) rated() bool {
	return q.kind == guide.Matrix || q.kind == guide.MultipleChoice && !q.multi
}

// order makes scales of the options of the given questions, in their order: from the lowest to the highest, or the reverse after
// ":down". *ScaleError if a question cannot have one.
func (s *schema) order(scales []string) error {
	for _, scale := range scales {
		ref, direction, directed := strings.Cut(scale, ":")
		if directed && direction != "down" {
			return &ScaleError{ref, direction}
		}
		q := s.find(ref)
		if q == nil || !q.rated() || len(q.options.ids) < 2 {
			return &ScaleError{Question: ref}
		}
		q.scale = orderedScale(len(q.options.ids), directed)
	}
	return nil
}

// ScaleError means that a question's options cannot be taken as a scale.
type ScaleError struct{ Question, Direction string } // Direction: what followed the colon, if that is wrong

// Error implements error.
func (e *ScaleError) Error() string {
	if e.Direction != "" {
		return fmt.Sprintf("%q: %q is no direction of a scale; give the question alone for options from the lowest to the highest, or %s:down for the reverse", e.Question+":"+e.Direction, e.Direction, e.Question)
	}
	return fmt.Sprintf("%q: only matrices and multiple choice questions with one answer have a scale; name one by its id or number", e.Question)
}

func (s *schema) add(g *guide.Guide) {
	current := s.guide == nil
	if current {
		s.guide = g
	}
	index, withheld := guide.NewIndex(g), g.Withheld()
	for place, item := range g.Items() {
		if item.Type == guide.Statement {
			continue
		}
		q := s.byID[item.ID]
		if q == nil {
			q = &question{
				id: item.ID, kind: item.Type, text: item.Text, metric: item.Metric, multi: item.MultiSelect, screener: g.IsScreener(place),
			}
			if current {
				q.number = place.Number
			}
			s.byID[item.ID] = q
			s.questions = append(s.questions, q)
		}
		q.withheld = q.withheld || withheld[item.ID]
		if q.kind != item.Type {
			continue // the id belongs to a question of another type since
		}
		q.multi = q.multi || item.MultiSelect
		for _, option := range index.EffectiveOptions(item) {
			label := option.Text
			if isCustom(option.ID) && option.Text == guide.CustomOptionText {
				label += " (own words)"
			}
			q.options.add(option.ID, label)
		}
		for _, row := range item.Rows {
			q.rows.add(row.ID, row.Text)
		}
		for _, concept := range g.Blocks[place.Block].Concepts() {
			q.concepts.add(concept.ID, concept.Title)
		}
	}
}

// find returns a question by its id, or by its number as Q3 or 3.
func (s *schema) find(ref string) *question {
	if q := s.byID[ref]; q != nil {
		return q
	}
	for _, q := range s.questions {
		number := fmt.Sprint(q.number)
		if q.number > 0 && (ref == number || strings.EqualFold(ref, "Q"+number)) {
			return q
		}
	}
	return nil
}
