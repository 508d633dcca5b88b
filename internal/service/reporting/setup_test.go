package reporting_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/sample"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/reporting"
)

// world is a live study on the sample guide, with what was answered in it, by response.
type world struct {
	store *store.Store
	study study.Study
	guide *guide.Guide
	plan  *interview.Plan
	taken []interviewed
}

type interviewed struct {
	response.Response
	state *interview.State
}

func sampleGuide(t testing.TB) *guide.Guide {
	t.Helper()
	g, err := guide.Decode(sample.Payload, guide.Options{NewID: uuid.NewString})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newWorld(t testing.TB, g *guide.Guide) *world {
	t.Helper()
	return newWorldAt(t, g, storetest.Address(t))
}

func newWorldAt(t testing.TB, g *guide.Guide, address string) *world {
	t.Helper()
	w := &world{store: storetest.Open(t, address, store.Options{}), guide: g, plan: interview.NewPlan(g)}
	o := storetest.Org(t, w.store)
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		st, err := tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, Title: "Coffee *at* home"}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(t.Context(), st, ""); err != nil {
			return err
		}
		w.study, err = tx.Study(t.Context(), o.ID, st.ID)
		return err
	})
	return w
}

// fill runs n interviews with random answers; words makes the answers to open questions. Every twentieth participant leaves
// half-way.
func (w *world) fill(t testing.TB, n int, words func(chance *rand.Rand) string) {
	t.Helper()
	first := len(w.taken)
	for begin := 0; begin < n; begin += 100 {
		var some []interviewed
		storetest.Write(t, w.store, func(tx *store.Tx) error {
			some = nil
			for i := begin; i < min(begin+100, n); i++ {
				one, err := w.take(t, tx, first+i, words)
				if err != nil {
					return err
				}
				some = append(some, one)
			}
			return nil
		})
		w.taken = append(w.taken, some...)
	}
}

var sources = []string{"panel", "newsletter", "website"}

func (w *world) take(t testing.TB, tx *store.Tx, number int, words func(chance *rand.Rand) string) (one interviewed, err error) {
	ctx, chance := t.Context(), rand.New(rand.NewPCG(uint64(number), 5))
	params := map[string]string{"pid": fmt.Sprint(number), "source": sources[number%3]}
	if number%10 == 9 {
		delete(params, "source")
	}
	one.Response, err = tx.StartResponse(ctx, response.Response{
		ID: store.NewID(), OrgID: w.study.OrgID, StudyID: w.study.ID, Revision: w.study.PublishedRevision, Seed: uint64(number), Language: "en",
		URLParams: params, DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
	}, fmt.Sprint("token ", number))
	if err != nil {
		return one, err
	}
	one.state = w.plan.Begin(one.Seed, params)
	for seq := 0; !one.state.Next().Ended(); seq++ {
		if number%20 == 19 && seq == 6 {
			return one, nil
		}
		turn, err := one.state.Apply(answer(one.state.Next(), chance, words), tx.Now())
		if err != nil {
			return one, err
		}
		if err := tx.AppendTurn(ctx, one.ID, seq, turn); err != nil {
			return one, err
		}
	}
	one.Progress, one.EndedAt = response.Complete, tx.Now()
	if one.state.Next().Kind == interview.StepScreenedOut {
		one.Progress = response.ScreenedOut
	}
	return one, tx.SaveProgress(ctx, one.Response, tx.Now())
}

// answer draws the input for a step. The first options are preferred to the last ones.
func answer(step interview.Step, chance *rand.Rand, words func(chance *rand.Rand) string) interview.Input {
	switch step.Kind {
	case interview.StepProbe:
		return interview.Decline{StepID: step.ID}
	case interview.StepStatement:
		return interview.Submit{StepID: step.ID}
	}
	ids := make([]string, len(step.Options))
	for i, o := range step.Options {
		ids[i] = o.ID
	}
	var a interview.Answer
	switch step.Item.Type {
	case guide.OpenEnded:
		a.Text = words(chance)
	case guide.MultipleChoice:
		a.Selected = choose(step, chance)
		if step.Item.AllowCustomOption && chance.IntN(6) == 0 {
			a.Selected, a.CustomText = nil, []string{"A moka pot", "a  Moka pot", "=cmd"}[chance.IntN(3)]
		}
	case guide.Ranking:
		chance.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		a.Ranking = ids
	case guide.Matrix:
		a.Cells = map[string]string{}
		for _, row := range step.Item.Rows {
			a.Cells[row.ID] = ids[chance.IntN(len(ids))]
		}
	case guide.MaxDiff:
		places := chance.Perm(len(ids))
		slices.SortFunc(places[:2], func(i, j int) int { return place(step.Item, ids[i]) - place(step.Item, ids[j]) })
		a.Best, a.Worst = ids[places[0]], ids[places[1]]
	}
	return interview.Submit{StepID: step.ID, Answer: a}
}

func place(item *guide.Item, id string) int {
	return slices.IndexFunc(item.Options, func(o guide.Option) bool { return o.ID == id })
}

func choose(step interview.Step, chance *rand.Rand) []string {
	var free []string
	for _, o := range step.Options {
		if !o.Exclusive && (o.Status != guide.Reject || chance.IntN(4) == 0) {
			free = append(free, o.ID)
		}
	}
	if len(free) == 0 || chance.IntN(10) == 0 && step.Options[len(step.Options)-1].Exclusive {
		return []string{step.Options[len(step.Options)-1].ID}
	}
	chance.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	count := 1
	if step.Item.MultiSelect {
		limit := len(free)
		if step.MaxSelect > 0 {
			limit = min(limit, step.MaxSelect)
		}
		count = max(step.MinSelect, 1+chance.IntN(limit))
	}
	return free[:min(count, len(free))]
}

var phrases = []string{
	"The machine takes far too long to heat up in the morning, so I leave without coffee.",
	"Heating the machine takes too long every morning.",
	"Cleaning the milk frother is a chore, I hate the milk residue.",
	"I stopped using the frother because milk residue sticks to it.",
	"Beans have become expensive, a bag of good beans costs 14 euros.",
	"Good beans are expensive, so I buy the cheap bag.",
	"nothing",
}

func phrase(chance *rand.Rand) string { return phrases[chance.IntN(len(phrases))] }

func (w *world) report(t testing.TB, themer reporting.Themer, by string) *tables.Report {
	t.Helper()
	at := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	r, err := (&reporting.Service{Store: w.store, Themer: themer, Now: at}).Analyse(t.Context(), w.study, reporting.Options{By: by})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func section(t testing.TB, r *tables.Report, key string) *tables.Section {
	t.Helper()
	i := slices.IndexFunc(r.Sections, func(s tables.Section) bool { return s.Key == key })
	if i < 0 {
		t.Fatalf("no section %s", key)
	}
	return &r.Sections[i]
}

func table(t testing.TB, s *tables.Section, key string) *tables.Table {
	t.Helper()
	i := slices.IndexFunc(s.Tables, func(t *tables.Table) bool { return t.Key == key })
	if i < 0 {
		var keys []string
		for _, table := range s.Tables {
			keys = append(keys, table.Key)
		}
		t.Fatalf("%s: no table %s among %q", s.Key, key, keys)
	}
	return s.Tables[i]
}

// column returns the printed cells of a table's column.
func column(t testing.TB, table *tables.Table, key string) (cells []string) {
	t.Helper()
	place := slices.IndexFunc(table.Columns, func(c tables.Column) bool { return c.Key == key })
	if place < 0 {
		t.Fatalf("table %s has no column %s", table.Key, key)
	}
	for _, row := range table.Rows {
		cells = append(cells, row[place].String())
	}
	return cells
}

// revise publishes another guide for later participants.
func (w *world) revise(t testing.TB, g *guide.Guide) {
	t.Helper()
	storetest.Write(t, w.store, func(tx *store.Tx) error {
		if err := tx.ReviseStudy(t.Context(), w.study, guide.Encode(g)); err != nil {
			return err
		}
		st, err := tx.Study(t.Context(), w.study.OrgID, w.study.ID)
		st.PublishedRevision = st.Revision
		w.study = st
		return err
	})
	w.guide, w.plan = g, interview.NewPlan(g)
}
