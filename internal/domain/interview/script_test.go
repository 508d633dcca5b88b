package interview_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

var update = flag.Bool("update", false, "write the output of the scripts to testdata")

// TestScripts plays testdata/*.txt: commands, each followed by a line of dashes and its output, up to a blank line.
//
//	guide                    is followed by studyGuide blocks on the next lines
//	begin seed=1 p=x         starts an interview with the link's parameters; prints the first step
//	answer selected=a,b      answers the step (or that of step=s0); prints the next one, or the issues
//	probe words="Why?"       asks a follow-up; decline asks none
//	exchanges, answers       print what was asked and answered so far
//	selected item=q concept=c
//
// After each command that changes the state, the log is replayed and must lead to the same step. Run with -update to rewrite.
func TestScripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := (&script{t: t}).play(string(content))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(content), got); diff != "" {
				t.Error("the output differs (- script, + now):\n" + diff)
			}
		})
	}
}

type script struct {
	t      *testing.T
	plan   *interview.Plan
	seed   uint64
	params map[string]string
	state  *interview.State
	turns  []interview.Turn
}

// play returns the script with the current output of each of its commands.
func (s *script) play(content string) string {
	var out []string
	for _, paragraph := range strings.Split(strings.TrimRight(content, "\n"), "\n\n") {
		command, _, _ := strings.Cut(paragraph, "\n----")
		if lines := strings.Split(command, "\n"); strings.HasPrefix(lines[len(lines)-1], "#") {
			out = append(out, command) // only comments
			continue
		}
		out = append(out, command+"\n----\n"+s.run(command))
	}
	return strings.Join(out, "\n\n") + "\n"
}

func (s *script) run(command string) string {
	lines := strings.Split(command, "\n")
	for strings.HasPrefix(lines[0], "#") {
		lines = lines[1:]
	}
	name, rest, _ := strings.Cut(lines[0], " ")
	fields := s.fields(rest)
	stepID := fields["step"]
	if stepID == "" && s.state != nil {
		stepID = s.state.Next().ID
	}
	switch name {
	case "guide":
		body := `{"title": "A script", "studyGuide": [` + strings.Join(lines[1:], "\n") + `]}`
		next := 0
		g, err := guide.Decode([]byte(body), guide.Options{Stored: true, NewID: func() string {
			next++
			return fmt.Sprintf("id%d", next)
		}})
		if err != nil {
			s.t.Fatalf("%s\n%v", command, err)
		}
		s.plan = interview.NewPlan(g)
		return "ok"
	case "begin":
		s.seed, _ = strconv.ParseUint(fields["seed"], 10, 64)
		delete(fields, "seed")
		s.params, s.turns = fields, nil
		s.state = s.plan.Begin(s.seed, s.params)
		return s.where()
	case "answer":
		return s.apply(interview.Submit{StepID: stepID, Answer: answerOf(fields)})
	case "probe":
		return s.apply(interview.Probe{StepID: stepID, Words: fields["words"]})
	case "decline":
		return s.apply(interview.Decline{StepID: stepID})
	case "exchanges":
		return s.exchanges()
	case "answers":
		return s.answers()
	case "selected":
		return ids(s.state.Selected(fields["item"], fields["concept"]))
	}
	s.t.Fatalf("no such command: %q", command)
	return ""
}

// fields reads key=value pairs; a value may be a quoted Go string.
func (s *script) fields(rest string) map[string]string {
	fields := map[string]string{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		key, after, found := strings.Cut(rest, "=")
		if !found {
			s.t.Fatalf("no value: %q", rest)
		}
		if quoted, err := strconv.QuotedPrefix(after); err == nil {
			fields[key], _ = strconv.Unquote(quoted)
			rest = after[len(quoted):]
			continue
		}
		fields[key], rest, _ = strings.Cut(after, " ")
	}
	return fields
}

func answerOf(fields map[string]string) interview.Answer {
	list := func(key string) []string {
		if fields[key] == "" {
			return nil
		}
		return strings.Split(fields[key], ",")
	}
	a := interview.Answer{
		Text: fields["text"], Selected: list("selected"), CustomText: fields["custom"], Ranking: list("ranking"),
		Best: fields["best"], Worst: fields["worst"], Uploads: list("uploads"), FileNames: list("names"),
		Recordings: interview.Recordings{Audio: fields["audio"], Video: fields["video"], ScreenVideo: fields["screen"]},
	}
	for _, cell := range list("cells") {
		if a.Cells == nil {
			a.Cells = map[string]string{}
		}
		row, column, _ := strings.Cut(cell, ":")
		a.Cells[row] = column
	}
	return a
}

func (s *script) apply(in interview.Input) string {
	before := s.state.Next()
	turn, err := s.state.Apply(in, time.Unix(int64(len(s.turns)), 0))
	if err != nil {
		if diff := cmp.Diff(before, s.state.Next()); diff != "" {
			s.t.Errorf("a refused input moved the interview: %s", diff)
		}
		return refusal(err)
	}
	s.turns = append(s.turns, turn)
	replayed, err := s.plan.Replay(s.seed, s.params, s.turns)
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := cmp.Diff(s.state.Next(), replayed.Next()); diff != "" {
		s.t.Errorf("replay leads elsewhere: %s", diff)
	}
	return s.where()
}

func refusal(err error) string {
	var wrong *interview.AnswerError
	if !errors.As(err, &wrong) {
		return "refused: " + err.Error()
	}
	lines := []string{"refused:"}
	for _, issue := range wrong.Issues {
		lines = append(lines, fmt.Sprintf("  %q %s: %s (%s, not %s)",
			issue.Path, issue.Code, issue.Message, issue.Expected, issue.Received))
	}
	return strings.Join(lines, "\n")
}

// where returns the step in one line: id, kind, number and item, concept, words, options, bounds, screen, follow-ups,
// progress.
func (s *script) where() string {
	step := s.state.Next()
	line := step.ID + " " + string(step.Kind)
	if step.Item != nil {
		line += fmt.Sprintf(" %d %s", step.Number, step.Item.ID)
	}
	if step.Concept != nil {
		line += " about " + step.Concept.ID
	}
	if step.Words != "" {
		line += fmt.Sprintf(" %q", step.Words)
	}
	if step.Options != nil {
		line += " " + ids(step.Options)
	}
	if step.MinSelect+step.MaxSelect > 0 {
		line += fmt.Sprintf(" choose %d to %d", step.MinSelect, step.MaxSelect)
	}
	if step.Screens > 0 {
		line += fmt.Sprintf(" screen %d of %d", step.Screen, step.Screens)
	}
	if step.FollowUps > 0 {
		line += fmt.Sprintf(" follow-ups %d", step.FollowUps)
	}
	return line + fmt.Sprintf(" (%d/%d)", step.Progress.Done, step.Progress.Total)
}

// ids lists options by id, with the texts of custom ones and the statuses of those that have one.
func ids(options []guide.Option) string {
	var list []string
	for _, option := range options {
		name := option.ID
		if strings.HasPrefix(name, "other:") {
			name += fmt.Sprintf("(%s)", option.Text)
		}
		if option.Status != "" {
			name += ":" + string(option.Status)
		}
		list = append(list, name)
	}
	return "[" + strings.Join(list, " ") + "]"
}

func (s *script) exchanges() string {
	var lines []string
	for _, e := range s.state.Exchanges() {
		line := fmt.Sprintf("%s%s %q -> %q", e.ItemID, about(e.ConceptID), e.Moderator, e.User)
		if e.FollowUp {
			line = "  " + line
		}
		if e.Statement {
			line += " statement"
		}
		if e.Recordings != (interview.Recordings{}) {
			line += fmt.Sprintf(" %+v", e.Recordings)
		}
		lines = append(lines, line)
	}
	return listed(lines)
}

func (s *script) answers() string {
	var lines []string
	for _, a := range s.state.Answers() {
		line := fmt.Sprintf("Q%d %s%s %q: %q", a.Number, a.ItemID, about(a.ConceptID), a.Question, a.Text)
		if a.ConceptTitle != "" {
			line += fmt.Sprintf(" (%s)", a.ConceptTitle)
		}
		if a.FollowUps > 0 {
			line += fmt.Sprintf(" follow-ups %d", a.FollowUps)
		}
		lines = append(lines, line)
	}
	return listed(lines)
}

func listed(lines []string) string {
	if len(lines) == 0 {
		return "none"
	}
	return strings.Join(lines, "\n")
}

func about(concept string) string {
	if concept == "" {
		return ""
	}
	return " about " + concept
}
