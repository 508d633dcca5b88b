package moderator

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/lang"
)

var update = flag.Bool("update", false, "write docs/moderation-examples.md")

// trial is an answer that was written for the built-in moderator by somebody who had not seen its rules: a line of testdata/answers.
type trial struct {
	ID, Language, Class string
	Study               struct{ Title string }
	Question, Answer    string
	ThenAnswer          string // what this person says next to any sensible question
}

func trials(t *testing.T, name string) (all []trial) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var row trial
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, row)
	}
	return all
}

// asked is a follow-up with the answer that led to it.
type asked struct {
	answer string
	interview.Decision
}

// play asks about an answer until nothing is asked or the person has said everything that was written for them.
func play(row trial) (all []asked) {
	g := &guide.Guide{Title: row.Study.Title, Blocks: []guide.Block{{Items: []guide.Item{{ID: row.ID, Type: guide.OpenEnded, Text: row.Question, FollowUp: guide.FollowUpMedium}}}}}
	in := interview.Ask{Guide: g, Item: &g.Blocks[0].Items[0], Language: row.Language, Seed: 7, Left: 2}
	for _, answer := range []string{row.Answer, row.ThenAnswer} {
		in.Answer = answer
		d := BuiltIn{}.Decide(context.Background(), in)
		all = append(all, asked{answer, d})
		if d.Words == "" {
			break
		}
		in.Earlier, in.Asked, in.FollowUps, in.Left = append(in.Earlier, answer), append(in.Asked, d.Words), in.FollowUps+1, in.Left-1
	}
	return all
}

// silent holds the classes after whose answers nothing is asked.
var silent = []string{"empty", "refused", "nothing_more", "distress", "stop_interview"}

// TestTranscripts plays every answer of testdata/answers, and holds what is asked to the rules. -v prints the transcripts.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/answers/*.jsonl")
	if len(files) == 0 {
		t.Fatal("no answers")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			shut, open, mute := 0, 0, 0
			all := trials(t, file)
			for _, row := range all {
				turns := play(row)
				t.Log("\n" + transcript(row, turns))
				quiet := turns[0].Words == ""
				switch isSilent := slices.Contains(silent, row.Class); {
				case isSilent && quiet:
					shut++
				case isSilent:
					t.Logf("PRESSED: %s, %s", row.ID, row.Class)
				case quiet:
					mute++
				default:
					open++
				}
				if row.Class == "distress" && !quiet {
					t.Errorf("%s: %q is asked after %q", row.ID, turns[0].Words, row.Answer)
				}
				checkTurns(t, row, turns)
			}
			t.Logf("%d answers: nothing asked after %d where nothing should be, %d asked, %d not asked", len(all), shut, open, mute)
			if pressed := len(all) - shut - open - mute; 50*pressed > len(all) || 20*mute > open {
				t.Errorf("%d were pressed, %d of %d open answers were passed over", pressed, mute, open+mute)
			}
		})
	}
}

// checkTurns holds what was asked about one answer to the rules that can be checked.
func checkTurns(t *testing.T, row trial, turns []asked) {
	t.Helper()
	book := bookFor(row.Language)
	for i, turn := range turns {
		if turn.Words == "" {
			continue
		}
		if questions(turn.Words) > 1 || strings.Contains(turn.Words, "…") || turn.Kind == "" {
			t.Errorf("%s: %q", row.ID, turn.Words)
		}
		if _, after, found := strings.Cut(turn.Words, book.open); found {
			quoted, _, _ := strings.Cut(after, book.close)
			if lang.Words(quoted) > maxQuoted || !strings.Contains(strings.ToLower(turn.answer), strings.ToLower(quoted)) {
				t.Errorf("%s: %q quotes %q", row.ID, turn.Words, quoted)
			}
		}
		if i > 0 && book.needOf(turn.Words) == book.needOf(turns[0].Words) {
			t.Errorf("%s asks twice for the same: %q, %q", row.ID, turns[0].Words, turn.Words)
		}
		in := guardrail.Context{Language: row.Language, Question: row.Question, StudyTitle: row.Study.Title, Answer: turn.answer, Left: 1}
		if violations := guardrail.Judge(turn.Words, in); len(violations) > 0 {
			t.Errorf("%s: the guard refuses %q: %v", row.ID, turn.Words, violations)
		}
	}
}

func transcript(row trial, turns []asked) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** (%s)\n\n- Moderator: %s\n", strings.ReplaceAll(row.Class, "_", " "), row.Language, row.Question)
	for _, turn := range turns {
		said := strings.Join(strings.Fields(turn.answer), " ")
		if said == "" {
			said = "(nothing)"
		}
		fmt.Fprintf(&b, "- Participant: %s\n", said)
		if turn.Words != "" {
			fmt.Fprintf(&b, "- **%s** (%s)\n", turn.Words, turn.Reason)
		} else {
			fmt.Fprintf(&b, "- *No follow-up: %s.*\n", turn.Reason)
		}
	}
	if len(turns) == 2 && turns[1].Words != "" {
		b.WriteString("- …\n")
	}
	return b.String()
}

const (
	examplesFile = "../../../docs/moderation-examples.md"
	perClass     = 4
)

// TestExamplesAreCurrent: the transcripts in the docs are what the built-in moderator asks today. -update writes them.
func TestExamplesAreCurrent(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`# Follow-ups of the built-in moderator

What the moderator without a language model asks after answers of every class, and why. Questions and answers were written by people who had not seen its rules
(` + "`internal/service/moderator/testdata/answers`" + `). This page is written by ` + "`go test ./internal/service/moderator -run TestExamplesAreCurrent -update`" + `, and a test fails
when it is stale. The level of all questions is ` + "`medium`" + `. [Follow-ups](moderation.md) says how a class is found.
`)
	rows := trials(t, "testdata/answers/known.jsonl")
	var order []string
	for _, row := range rows {
		if !slices.Contains(order, row.Class) {
			order = append(order, row.Class)
		}
	}
	slices.Sort(order)
	seen, n := map[string]int{}, 0
	for i, class := range order {
		fmt.Fprintf(&b, "\n## %s\n", strings.ReplaceAll(class, "_", " "))
		for at := range rows {
			row := rows[(at+23*i)%len(rows)] // so that every class begins with another language
			if row.Class != class || seen[class] >= perClass || seen[class+row.Language] > 0 {
				continue
			}
			seen[class]++
			seen[class+row.Language]++
			n++
			b.WriteString("\n" + transcript(row, play(row)))
		}
	}
	if *update {
		if err := os.WriteFile(examplesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(examplesFile)
	if err != nil || string(page) != b.String() || n < 60 {
		t.Errorf("the page of %d examples is stale (%v): go test ./internal/service/moderator -run TestExamplesAreCurrent -update", n, err)
	}
}
