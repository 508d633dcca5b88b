package reporting

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// sampledResponses is the number of a study's first and of its last responses that Groupings looks at for parameters.
const sampledResponses = 500

// ErrNoTable means that a report has no such table, or none with rows.
var ErrNoTable = errors.New("the report has no such table")

// Stored is the last complete report that was made as a request asks, and what happened since.
type Stored struct {
	Report   []byte             // as JSON; nil if there is none
	Made     store.StudyReport  // zero if there is none
	Underway *store.StudyReport // any report of the study that is queued or running
	Matches  bool               // Underway is made as the request asks
	Failed   bool               // the last one that was asked for so could not be made
	New      int                // responses that ended since
	Changed  bool               // somebody changed themes since
}

// Stored finds the last report that was made as a request asks.
func (s *Service) Stored(ctx context.Context, st study.Study, r Request) (found Stored, err error) {
	defer operation.Wrap(&err, "reporting.Stored")
	options, err := json.Marshal(r)
	if err != nil {
		return found, err
	}
	view := s.Store.View()
	all, err := view.StudyReports(ctx, st.ID)
	if err != nil {
		return found, err
	}
	for i := range all {
		same := all[i].Options == string(options)
		switch all[i].Status {
		case store.ReportQueued, store.ReportRunning:
			found.Underway, found.Matches = &all[i], same
		case store.ReportFailed:
			found.Failed = found.Failed || same && found.Made.ID == ""
		case store.ReportComplete:
			if same && found.Made.ID == "" {
				found.Made = all[i]
			}
		}
	}
	if found.Made.ID == "" {
		return found, nil
	}
	with, err := view.StudyReport(ctx, st.OrgID, found.Made.ID)
	if errors.Is(err, store.ErrNoReport) { // it went meanwhile
		found.Made = store.StudyReport{}
		return found, nil
	}
	if err != nil {
		return found, err
	}
	found.Report = []byte(with.Body)
	if found.New, err = view.EndedSince(ctx, st.ID, with.AsOf); err != nil {
		return found, err
	}
	found.Changed, err = view.ThemesChangedSince(ctx, st.ID, with.AsOf)
	return found, err
}

// Table returns a table of a stored report as a file; ErrNoTable, store.ErrNoReport.
func (s *Service) Table(ctx context.Context, st study.Study, reportID, section, table string) (_ tables.File, err error) {
	defer operation.Wrap(&err, "reporting.Table")
	made, err := s.Store.View().StudyReport(ctx, st.OrgID, reportID)
	if err == nil && (made.StudyID != st.ID || made.Status != store.ReportComplete) {
		err = store.ErrNoReport
	}
	if err != nil {
		return tables.File{}, err
	}
	file, found, err := tables.FindFile([]byte(made.Body), section, table)
	if err == nil && !found {
		err = ErrNoTable
	}
	return file, err
}

// Grouping is something by which responses can be compared or selected.
type Grouping struct {
	By     string // as in Options
	Label  string
	Number int      // of a question
	Values []Choice // by which responses can be selected
}

// Choice is a value of a Grouping, as Options.Only takes it, and its name.
type Choice struct{ Value, Label string }

// Groupings lists the questions and link parameters by which responses can be compared. Parameters and their values are those of the first
// and of the last 500 responses.
func (s *Service) Groupings(ctx context.Context, st study.Study) (all []Grouping, err error) {
	defer operation.Wrap(&err, "reporting.Groupings")
	view := s.Store.View()
	schema, err := readSchema(ctx, view, st)
	if err != nil {
		return nil, err
	}
	for _, q := range schema.questions {
		if q.number == 0 || q.kind != guide.MultipleChoice || len(q.concepts.ids) > 0 || len(q.options.ids) >= maxGroups {
			continue
		}
		g := Grouping{By: q.id, Label: q.text, Number: q.number}
		for i, id := range q.options.ids {
			g.Values = append(g.Values, Choice{id, q.options.labels[i]})
		}
		all = append(all, g)
	}
	counts := map[string]map[string]int{}
	_, newest, err := view.Arrivals(ctx, st.ID, 0)
	if err != nil {
		return nil, err
	}
	for _, after := range slices.Compact([]int{0, max(0, newest-sampledResponses)}) {
		batch, err := view.StudyResponses(ctx, st.ID, after, sampledResponses)
		if err != nil {
			return nil, err
		}
		for i := range batch {
			for name, value := range batch[i].URLParams {
				if name == "" || name[0] == '_' || batch[i].Hidden {
					continue
				}
				if counts[name] == nil {
					counts[name] = map[string]int{}
				}
				counts[name][value]++
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		values, people := slices.Sorted(maps.Keys(counts[name])), 0
		for _, n := range counts[name] {
			people += n
		}
		if len(values) > 1 && 2*len(values) > people {
			continue // nearly everybody has another value: it names people, not groups
		}
		slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(counts[name][b], counts[name][a]) })
		g := Grouping{By: paramPrefix + name, Label: name}
		for _, value := range values[:min(len(values), maxValues)] {
			g.Values = append(g.Values, Choice{value, cmp.Or(value, "(empty)")})
		}
		all = append(all, g)
	}
	return all, nil
}
