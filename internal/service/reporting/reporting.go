package reporting

import (
	"cmp"
	"context"
	"time"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/masking"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Service makes reports on studies.
type Service struct {
	Store  *store.Store
	Themer Themer // nil: Keywords
	Now    func() time.Time
	AtOnce int // responses up to which a report is made while somebody waits; 0: Large
	Memory int // bytes of open answers that are kept for coding, so that they are read once; 0: 64 MiB
}

// Options has the settings of a report. The zero value has no subgroups, weights and scales.
type Options struct {
	// By names what makes subgroups: a multiple choice question (by its id or number) or, after "param:", a parameter of the study's
	// link.
	By string
	// Scales names questions whose options are in order, from the lowest to the highest or, after ":down", the reverse. Numbered options
	// need not be named.
	Scales  []string
	Targets []Target // weights people; see ReadTargets
	// Only selects the responses that are counted: a question or parameter as in By, "=", and an option's id or text or the parameter's
	// value. It cannot be combined with Targets.
	Only string
	// Progress is called while the report is made, with how much of a step is done; nil: it is not.
	Progress func(step Step, done, of int)
}

// Analyse reads a study's responses and reports on them. It fails with *ByError, *OnlyError, *ScaleError or *WeightError if the options do not fit
// the study. Analyse reads the responses once, once more for subgroups by a parameter, and once more for weights. Open answers are kept until
// they are coded, as far as Memory reaches; the responses after them are read again, and once more if the Themer fails on the way.
func (s *Service) Analyse(ctx context.Context, st study.Study, o Options) (_ *tables.Report, err error) {
	defer operation.Wrap(&err, "reporting.Analyse")
	view := s.Store.View()
	schema, err := readSchema(ctx, view, st)
	if err != nil {
		return nil, err
	}
	if err := schema.order(o.Scales); err != nil {
		return nil, err
	}
	b := builder{reader: reader{view: view, schema: schema}, themer: s.Themer, study: st, answers: keptAnswers{room: cmp.Or(s.Memory, defaultMemory)}}
	if b.themer == nil {
		b.themer = Keywords{}
	}
	if err := b.watch(ctx, o); err != nil {
		return nil, err
	}
	if b.only, err = b.schema.onlyOf(o.Only, len(o.Targets) > 0); err != nil {
		return nil, err
	}
	if err := b.loadFrames(ctx); err != nil {
		return nil, err
	}
	if b.groups, err = b.groupsBy(ctx, st.ID, o.By); err != nil {
		return nil, err
	}
	if err := b.weigh(ctx, o.Targets); err != nil {
		return nil, err
	}
	b.sizes = make([]int, len(b.groups.heads))
	b.funnel = newFunnel(schema)
	for _, q := range schema.questions {
		b.questions = append(b.questions, newCounted(q, len(b.groups.heads)))
	}
	if err := b.count(ctx); err != nil {
		return nil, err
	}
	if err := b.learn(ctx); err != nil {
		return nil, err
	}
	if err := b.mention(ctx); err != nil {
		return nil, err
	}
	if err := b.keepFrames(ctx, s.Store); err != nil {
		return nil, err
	}
	return b.report(s.Now()), nil
}

// builder is the state of one report while it is made.
type builder struct {
	reader
	themer    Themer
	study     study.Study
	groups    groups
	frames    map[string]codeframe.Frame    // stored themes, by question
	watcher   func(step Step, done, of int) // nil: nobody watches
	questions []*counted
	fieldwork fieldwork
	funnel    *funnel
	only      *only    // nil: all responses are counted
	weights   *weights // nil: everybody counts for one
	family    tables.Family
	sizes     []int // number of counted people, by group
	outside   int   // counted people in no group
	seen      bits  // readable ids of counted responses, so that the second reading adds nobody
	answers   keptAnswers
}

// fieldwork counts the responses themselves.
type fieldwork struct {
	complete, screenedOut, running, abandoned int
	hidden, broken, imported, unread          int
}

func (f *fieldwork) add(a *answered) {
	switch {
	case a.Hidden:
		f.hidden++
		return
	case a.broken:
		f.broken++
		return
	case a.Progress == response.Complete:
		f.complete++
	case a.Progress == response.ScreenedOut:
		f.screenedOut++
	case a.Abandoned:
		f.abandoned++
	default:
		f.running++
	}
	if a.imported {
		f.imported++
		f.unread += a.unread
	}
}

// count reads all responses and counts what can be counted in one pass.
func (b *builder) count(ctx context.Context) error {
	return b.eachResponse(ctx, b.study.ID, 0, func(a *answered) error {
		b.countOne(a)
		return nil
	})
}

// countOne counts one response.
func (b *builder) countOne(a *answered) {
	if b.only != nil && (a.Hidden || !b.only.of(a)) {
		return
	}
	b.fieldwork.add(a)
	b.funnel.add(a)
	if !a.ended() {
		b.wait(a)
		return
	}
	b.seen.set(a.ReadableID)
	p := person{a.ReadableID, b.groups.of(a), b.weights.weight(a.ReadableID)}
	if len(p.groups) == 0 {
		b.outside++
	}
	for _, group := range p.groups {
		b.sizes[group]++
	}
	answers, private := a.answersTo(b.schema), masking.PrivateValues(a.URLParams)
	for _, c := range b.questions {
		items := answers[c.question]
		c.add(p, items)
		if c.said == nil {
			continue
		}
		one := c.saidBy(p, a.Language, private, items)
		for _, said := range one.said {
			c.said.add(a.ID, said.ConceptID, said)
		}
		b.answers.add(c, one)
	}
}

// wait counts an interview that has not ended at the question where it stands.
func (b *builder) wait(a *answered) {
	if len(a.visits) == 0 || a.imported {
		return
	}
	last := &a.visits[len(a.visits)-1]
	for _, c := range b.questions {
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
