package textanalysis

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// The trial material in testdata/trial was written by people who did not know the rules of the score. Each folder below it holds
// studies.jsonl and responses.jsonl; a folder that is added is held to the same least figures.

type trialStudy struct {
	ID, Language, Title string
	Questions           []struct {
		ID, Type, Text         string
		Min, Max               int
		Options, Rows, Columns []string
	}
}

type trialResponse struct {
	ID, Study, Label, Group string
	Answers                 []trialAnswer
}

type trialAnswer struct {
	Question, Text, Input string
	Seconds               float64
	TypedChars            *int
	PastedChars, LeftPage int
	Value                 *int
	Selected              []string
	Cells                 map[string]string
}

// readTrial reads one JSON object a line.
func readTrial[T any](t *testing.T, path string) (all []T) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one T
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, one)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// guide returns the study as the guide of an interview. A rating is a choice between numbers.
func (s *trialStudy) guide() *guide.Guide {
	block := guide.Block{Type: guide.BlockFlat}
	for _, q := range s.Questions {
		item := guide.Item{ID: q.ID, Text: q.Text}
		switch q.Type {
		case "open":
			item.Type = guide.OpenEnded
		case "matrix":
			item.Type = guide.Matrix
			for _, c := range q.Columns {
				item.Options = append(item.Options, guide.Option{Text: c})
			}
			for _, row := range q.Rows {
				item.Rows = append(item.Rows, guide.Row{Text: row})
			}
		default:
			item.Type = guide.MultipleChoice
			for _, o := range q.Options {
				item.Options = append(item.Options, guide.Option{Text: o})
			}
			for n := q.Min; n <= q.Max && len(q.Options) == 0; n++ {
				item.Options = append(item.Options, guide.Option{Text: strconv.Itoa(n)})
			}
		}
		block.Items = append(block.Items, item)
	}
	g := &guide.Guide{Title: s.Title, Blocks: []guide.Block{block}}
	g.Config.QuestionLanguage = s.Language
	return g
}

// input returns a response as the engine and the page would have recorded it. Nothing is known of how spoken words came about, and
// the text of an assistive device is neither typed nor pasted.
func (r *trialResponse) input(s *trialStudy, timed bool) Input {
	in := Input{Guide: s.guide(), Response: response.Response{ID: r.ID, Language: s.Language, Progress: response.Complete}}
	for i := range in.Guide.Blocks[0].Items {
		item := &in.Guide.Blocks[0].Items[i]
		at := slices.IndexFunc(r.Answers, func(a trialAnswer) bool { return a.Question == item.ID })
		if at < 0 {
			continue
		}
		a := r.Answers[at]
		text := a.Text
		switch {
		case a.Value != nil:
			text = strconv.Itoa(*a.Value)
		case len(a.Selected) > 0:
			text = strings.Join(a.Selected, "; ")
		case len(a.Cells) > 0:
			var rows []string
			for _, row := range item.Rows {
				rows = append(rows, row.Text+": "+a.Cells[row.Text])
			}
			text = strings.Join(rows, "\n")
		}
		e := interview.Exchange{ItemID: item.ID, Moderator: item.Text, User: text}
		took := time.Duration(a.Seconds * float64(time.Second))
		if item.Type == guide.OpenEnded && a.Input != "voice" {
			e.Telemetry = &interview.Telemetry{Pasted: a.PastedChars, Blurs: a.LeftPage}
			if a.TypedChars != nil {
				e.Telemetry.Typed = *a.TypedChars
			}
		}
		if timed {
			e.Took = took
			in.Response.Duration += took
			if e.Telemetry != nil {
				e.Telemetry.Seconds = int(a.Seconds)
			}
		}
		in.Exchanges = append(in.Exchanges, e)
		in.Answers = append(in.Answers, interview.Answered{ItemID: item.ID, Number: i + 1, Question: item.Text, Text: text})
	}
	return in
}

// judged is a response with its score from 0 to 1.
type judged struct {
	*trialResponse
	score float64
}

// judgeTrial scores the responses of a folder, in the order in which they were given.
func judgeTrial(t *testing.T, folder string, timed bool) (all []judged) {
	t.Helper()
	studies := map[string]*trialStudy{}
	for _, s := range readTrial[trialStudy](t, filepath.Join(folder, "studies.jsonl")) {
		studies[s.ID] = &s
	}
	earlier, said := map[string][]printed{}, map[string][][]string{}
	for _, r := range readTrial[trialResponse](t, filepath.Join(folder, "responses.jsonl")) {
		in := r.input(studies[r.Study], timed)
		earlier[r.Study] = append(earlier[r.Study], findCopies(&in, earlier[r.Study])...)
		in.Earlier = said[r.Study]
		if len(in.Earlier) < MaxEarlier {
			said[r.Study] = append(said[r.Study], openTexts(&r))
		}
		all = append(all, judged{&r, (Analyse(in).Quality.Score - 1) / 4})
	}
	return all
}

// openTexts returns the open answers of a response.
func openTexts(r *trialResponse) (texts []string) {
	for _, a := range r.Answers {
		if a.Text != "" {
			texts = append(texts, a.Text)
		}
	}
	return texts
}

// auc returns how often a real response scores above a junk one; equal scores count half.
func auc(all []judged) float64 {
	wins, pairs := 0.0, 0.0
	for _, a := range all {
		for _, b := range all {
			if a.Label != "real" || b.Label != "junk" {
				continue
			}
			pairs++
			if a.score > b.score {
				wins++
			} else if a.score == b.score {
				wins += 0.5
			}
		}
	}
	return wins / pairs
}

func mean(all []judged) float64 {
	sum := 0.0
	for _, j := range all {
		sum += j.score
	}
	return sum / float64(max(1, len(all)))
}

// trialLeast holds the lowest area under the curve for each folder, with times and without; other folders are held to the last.
var trialLeast = map[string][2]float64{"known": {0.945, 0.935}, "opened": {0.93, 0.915}, "": {0.9, 0.88}}

// maxGap limits the distance of the mean of a group of honest people below that of all others, on a scale from 0 to 1.
const maxGap = 0.3

// TestTrial holds the score against people and junk that its rules were not written for, with times and without any.
func TestTrial(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/trial/*/responses.jsonl")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no material, %v", err)
	}
	for _, path := range folders {
		name := filepath.Base(filepath.Dir(path))
		least, known := trialLeast[name]
		if !known {
			least = trialLeast[""]
		}
		for i, timed := range []bool{true, false} {
			all := judgeTrial(t, filepath.Dir(path), timed)
			t.Logf("%s, timed %t: AUC %.3f\n%s", name, timed, auc(all), trialTable(all))
			if got := auc(all); got < least[i] {
				t.Errorf("%s, timed %t: AUC %.3f, want at least %v", name, timed, got, least[i])
			}
			for group, gap := range gaps(all) {
				if gap > maxGap {
					t.Errorf("%s, timed %t: %s are %.2f below all others", name, timed, group, gap)
				}
			}
		}
	}
}

// gaps returns how far the mean of each group of honest people is below the mean of all others.
func gaps(all []judged) map[string]float64 {
	below := map[string]float64{}
	for _, j := range all {
		if _, done := below[j.Group]; done || j.Label != "real" {
			continue
		}
		var group, others []judged
		for _, o := range all {
			switch {
			case o.Label != "real":
			case o.Group == j.Group:
				group = append(group, o)
			default:
				others = append(others, o)
			}
		}
		below[j.Group] = mean(others) - mean(group)
	}
	return below
}

// trialTable returns a line for each group: how many, the mean score from 0 to 1, the lowest and the highest.
func trialTable(all []judged) string {
	groups := map[string][]judged{}
	var real []judged
	for _, j := range all {
		groups[j.Label+" "+j.Group] = append(groups[j.Label+" "+j.Group], j)
		if j.Label == "real" {
			real = append(real, j)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %3d %.2f\n", "real", len(real), mean(real))
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		low := slices.MinFunc(groups[name], func(a, b judged) int { return cmp.Compare(a.score, b.score) })
		high := slices.MaxFunc(groups[name], func(a, b judged) int { return cmp.Compare(a.score, b.score) })
		fmt.Fprintf(&b, "%-24s %3d %.2f  %.2f to %.2f\n", name, len(groups[name]), mean(groups[name]), low.score, high.score)
	}
	return b.String()
}

// printed is an open answer with the hashes by which it is found.
type printed struct {
	question, text, hash string
	sketch               []string
}

// findCopies enters, as the analysis service does, the answers that earlier responses have word for word or nearly so, and returns
// the response's own.
func findCopies(in *Input, earlier []printed) (own []printed) {
	in.Copies, in.NearCopies = map[int]int{}, map[int]bool{}
	for i, e := range in.Exchanges {
		mine := printed{e.Moderator, e.User, FingerprintOf(e.User), Sketch(e.Moderator, e.User)}
		if mine.hash == "" || in.Guide.Blocks[0].Items[i].Type != guide.OpenEnded {
			continue
		}
		own = append(own, mine)
		for _, other := range earlier {
			if other.hash == mine.hash {
				in.Copies[Row(i)]++
			}
			common := 0
			for _, h := range other.sketch {
				if slices.Contains(mine.sketch, h) {
					common++
				}
			}
			if common >= SketchAlike && Alike(mine.question, mine.text, other.question, other.text) {
				in.NearCopies[Row(i)] = true
			}
		}
	}
	return own
}
