package analysis

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/store/storetest"
)

// trialInterview is a line of interviews.jsonl.
type trialInterview struct {
	ID         string
	Language   string
	Study      struct{ Title, Goal string }
	AuthorTags []string
	Rows       []struct{ Moderator, Participant string }
}

// input returns the interview as the analyst gets it. The statements of the trial are in English.
func (i *trialInterview) input() textanalysis.Input {
	g := &guide.Guide{Title: i.Study.Title, StudyGoal: i.Study.Goal, Blocks: []guide.Block{{}}}
	g.Config.QuestionLanguage = "en"
	in := textanalysis.Input{Guide: g, Response: response.Response{ID: i.ID, Language: i.Language, Progress: response.Complete}, Topics: i.AuthorTags}
	for n, row := range i.Rows {
		id := fmt.Sprint("q", n)
		g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: id, Type: guide.OpenEnded, Text: row.Moderator})
		in.Exchanges = append(in.Exchanges, interview.Exchange{ItemID: id, Moderator: row.Moderator, User: row.Participant})
		in.Answers = append(in.Answers, interview.Answered{ItemID: id, Number: n + 1, Question: row.Moderator, Text: row.Participant})
	}
	return in
}

// trialStatement is a line of statements.jsonl.
type trialStatement struct {
	ID, Interview, Field, Text, Kind, Why string
	Quotes                                []string
	Truth                                 bool
}

var trialParts = map[string]response.Part{
	"summary": response.PartSummary, "tagline": response.PartTagline, "bullet": response.PartBullets, "tag": response.PartTags,
	"persona": response.PartPersonas, "theme": partThemes,
}

func readTrial[T any](t *testing.T, file string) (all []T) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, one)
	}
	return all
}

// judgedGroup counts the statements of a group, and those that the checks judged wrongly.
type judgedGroup struct{ all, wrong int }

// reached has how many false statements come through and how many true ones are lost of the folders that the rules were made with, and of
// the third and fourth, for which nothing was mended.
var reached = map[string]struct{ through, lost int }{"known": {1, 0}, "languages": {1, 0}, "more": {1, 0}, "opened": {3, 0}, "third": {13, 8}, "fourth": {13, 3}}

// TestTrial holds statements that were written by others against the checks. Each folder below testdata/trial has interviews and
// statements about them, true and false. Of a folder without figures in reached, at most 5 % of the false
// ones may come through, and at most 3 % of the true ones be lost.
// With -v, go test prints the statements that were judged wrongly.
func TestTrial(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, "it reads no database")
	folders, err := filepath.Glob("testdata/trial/*/statements.jsonl")
	if err != nil || len(folders) == 0 {
		t.Fatal("there is no trial", err)
	}
	for _, file := range folders {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			checks := map[string]*verifier{}
			for _, one := range readTrial[trialInterview](t, filepath.Join(folder, "interviews.jsonl")) {
				checks[one.ID] = newVerifier(one.input())
			}
			groups := map[string]*judgedGroup{}
			for _, s := range readTrial[trialStatement](t, file) {
				_, kept := checks[s.Interview].claim(trialParts[s.Field], statement{Text: s.Text, Quotes: s.Quotes})
				of := map[bool]string{true: "true", false: "false"}[s.Truth]
				for _, group := range []string{of, of + " " + s.Kind, of + " in a " + s.Field} {
					if groups[group] == nil {
						groups[group] = &judgedGroup{}
					}
					groups[group].all++
					if kept != s.Truth {
						groups[group].wrong++
					}
				}
				if kept != s.Truth {
					_, _, err := checks[s.Interview].checker.Check(kinds[trialParts[s.Field]], oneLine(s.Text), s.Quotes, checks[s.Interview].counts)
					t.Logf("%s %s %s (%s): %s | %s (%v)", s.ID, of, s.Kind, s.Field, s.Text, strings.Join(s.Quotes, " | "), err)
				}
			}
			for _, group := range slices.Sorted(maps.Keys(groups)) {
				t.Logf("%-34s %3d of %3d wrong", group, groups[group].wrong, groups[group].all)
			}
			f, lost := groups["false"], groups["true"]
			limit, known := reached[filepath.Base(folder)]
			if !known {
				limit.through, limit.lost = f.all*5/100, lost.all*3/100
			}
			if f.wrong > limit.through {
				t.Errorf("%d of %d false statements come through", f.wrong, f.all)
			}
			if lost.wrong > limit.lost {
				t.Errorf("%d of %d true statements are lost", lost.wrong, lost.all)
			}
		})
	}
}
