package analysis_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/service/analysis"
)

// chat is a model with scripted replies, which records its requests.
type chat struct {
	answer func(q llm.Request, brief brief) (string, error)
	asked  []llm.Request
	briefs []brief
}

// brief is the user message of a request.
type brief struct {
	Study    struct{ Title, Goal, Background string }
	Language string
	Counts   map[string]int
	Part     string
	Rows     []struct {
		Row                    int
		Moderator, Participant string
		Open                   bool
	}
	Statements *written
}

type said struct {
	Text   string   `json:"text"`
	Quotes []string `json:"quotes"`
}

type short struct {
	Row  int    `json:"row"`
	Text string `json:"text"`
}

// written is a reply that fits the schema.
type written struct {
	Summary  []said   `json:"summary"`
	Tagline  said     `json:"tagline"`
	Bullets  []said   `json:"bullets"`
	Tags     []said   `json:"tags"`
	Personas []said   `json:"personas"`
	Remarks  []string `json:"other_remarks"`
	Short    []short  `json:"moderator"`
}

func (w written) json() string {
	for _, list := range []*[]said{&w.Summary, &w.Bullets, &w.Tags, &w.Personas} {
		*list = append([]said{}, *list...)
		for i := range *list {
			(*list)[i].Quotes = append([]string{}, (*list)[i].Quotes...)
		}
	}
	w.Tagline.Quotes, w.Remarks, w.Short = append([]string{}, w.Tagline.Quotes...), append([]string{}, w.Remarks...), append([]short{}, w.Short...)
	b, err := json.Marshal(w)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (c *chat) Model() string { return "m-1" }

func (c *chat) Chat(_ context.Context, q llm.Request) (llm.Reply, error) {
	var b brief
	if err := json.Unmarshal([]byte(q.Messages[0].Text), &b); err != nil {
		return llm.Reply{}, err
	}
	c.asked, c.briefs = append(c.asked, q), append(c.briefs, b)
	text, err := c.answer(q, b)
	return llm.Reply{Text: text, Model: "m-1", Provider: "models.example"}, err
}

func says(w written) *chat {
	return &chat{answer: func(llm.Request, brief) (string, error) { return w.json(), nil }}
}

var by = response.Author{Provider: "models.example", Model: "m-1", Prompt: "analysis-2"}

// conversation returns an interview: questions of the given types with their replies.
func conversation(turns ...string) textanalysis.Input {
	g := &guide.Guide{Title: "Groceries", StudyGoal: "Why people leave", Blocks: []guide.Block{{}}}
	in := textanalysis.Input{Guide: g, Response: response.Response{ID: "r", Progress: response.Complete, Duration: 4 * time.Minute, Seed: 9}}
	for i := 0; i+1 < len(turns); i += 2 {
		id := fmt.Sprint("q", i/2)
		g.Blocks[0].Items = append(g.Blocks[0].Items, guide.Item{ID: id, Type: guide.OpenEnded, Text: turns[i]})
		in.Exchanges = append(in.Exchanges, interview.Exchange{ItemID: id, Moderator: turns[i], User: turns[i+1]})
		in.Answers = append(in.Answers, interview.Answered{ItemID: id, Number: i/2 + 1, Question: turns[i], Text: turns[i+1]})
	}
	return in
}

func groceries() textanalysis.Input {
	return conversation("How did the last of your 2 orders go?", "The driver came 45 minutes late, and half of the items were missing.",
		"What did you do then, if anything at all, when you saw that?", "I called support and waited on hold until my dinner was cold.",
		"Anything else?", "Please bring back the paper bags, the plastic ones tear; we use ocado.com instead.")
}

func good() written {
	return written{
		Summary: []said{
			{"The last order came 45 minutes late.", []string{"the driver came 45 minutes LATE"}},
			{"Items were missing, and support kept the participant waiting.", []string{"half of the items were missing", "waited on hold until my dinner was cold"}},
			{"They answered {answered} questions.", []string{"I called support"}},
		},
		Tagline:  said{"Late, incomplete, and put on hold", []string{"“waited on hold until my dinner was cold.”"}},
		Bullets:  []said{{"Deliveries are late.", []string{"came 45 minutes late"}}, {"Support is slow.", []string{"waited on hold"}}, {"Plastic bags tear.", []string{"the plastic ones tear"}}},
		Tags:     []said{{"late delivery", []string{"45 minutes late"}}, {"support", []string{"I called support"}}, {"bags", []string{"bring back the paper bags"}}},
		Personas: []said{{"A busy cook who plans dinner by the delivery", []string{"until my dinner was cold"}}},
		Remarks:  []string{"Please bring back the paper bags"},
		Short:    []short{{2, "What did you do?"}},
	}
}

func analyse(t *testing.T, c *chat, in textanalysis.Input) response.Analysis {
	t.Helper()
	a, err := analysis.Model{Chat: c}.Analyse(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestModelWritesWhatHolds(t *testing.T) {
	t.Parallel()
	c, in := says(good()), groceries()
	in.Guide.Config.QuestionLanguage, in.Response.Language = "fr", "en"
	a := analyse(t, c, in)
	own := textanalysis.Analyse(in)
	want := own
	want.Summary = "The last order came 45 minutes late. Items were missing, and support kept the participant waiting. They answered 3 questions."
	want.Tagline, want.Bullets, want.Tags = "Late, incomplete, and put on hold", []string{"Deliveries are late.", "Support is slow.", "Plastic bags tear."}, []string{"late delivery", "support", "bags"}
	want.Personas, want.OtherRemarks, want.Provider = "A busy cook who plans dinner by the delivery", "Please bring back the paper bags", "models.example"
	want.ShortAssistantMessages = []string{own.ShortAssistantMessages[0], "What did you do?", own.ShortAssistantMessages[2]}
	want.ShortTranscript = textanalysis.ShortTranscript(in, want.ShortAssistantMessages)
	want.Authors = map[response.Part]response.Author{
		"summary": by, "tagline": by, "bullets": by, "tags": by, "personas": by, "otherRemarks": by, "shortTranscript": by, "quality": {Provider: "builtin"},
	}
	want.Claims = a.Claims
	if diff := cmp.Diff(want, a); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, claim := range a.Claims {
		if !claim.Verified || len(claim.Spans) == 0 {
			t.Errorf("without evidence: %+v", claim)
		}
	}
	if got := a.Claims[1]; len(got.Spans) != 2 || in.Exchanges[got.Spans[1].Row-1].User[got.Spans[1].Start:got.Spans[1].End] != "waited on hold until my dinner was cold" {
		t.Errorf("the second claim rests on %+v", got.Spans)
	}
	if q := c.asked[0]; c.briefs[0].Language != "fr" || !q.Background || q.Purpose != "analyse" || q.Scope.ResponseID != "r" || q.Schema.Check() != nil {
		t.Errorf("asked %+v in %s; schema: %v", q, c.briefs[0].Language, q.Schema.Check())
	}
	if rows := c.briefs[0].Rows; len(rows) != 3 || rows[1].Row != 2 || rows[1].Participant != in.Exchanges[1].User || !rows[1].Open {
		t.Errorf("rows sent: %+v", rows)
	}
}

// TestWhatDoesNotHoldIsDropped: each of these replaces the first sentence of the summary.
func TestWhatDoesNotHoldIsDropped(t *testing.T) {
	t.Parallel()
	const quote = "half of the items were missing"
	for name, tt := range map[string]struct {
		planted said
		kept    bool
	}{
		"true":                                {said{"Half was missing.", []string{quote}}, true},
		"one true quote of two":               {said{"Half was missing.", []string{"everything was missing", quote}}, true},
		"the participant's words quoted":      {said{"They “waited on hold”, and half was missing.", []string{quote}}, true},
		"a number of the question":            {said{"One of 2 orders came incomplete.", []string{quote}}, true},
		"no quote":                            {said{"Half was missing.", nil}, false},
		"a quote that nobody said":            {said{"Half was missing.", []string{"half of the items were rotten"}}, false},
		"a stitched quote":                    {said{"Half was missing.", []string{"half of the items were missing until my dinner was cold"}}, false},
		"an ellipsis":                         {said{"Late.", []string{"The driver came ... half of the items were missing"}}, false},
		"the moderator's words":               {said{"The order went badly.", []string{"How did the last of your 2 orders go"}}, false},
		"a short quote":                       {said{"Half was missing.", []string{"half of"}}, false},
		"half in percent":                     {said{"50 percent was missing.", []string{quote}}, true},
		"a number that nobody said":           {said{"40 percent was missing.", []string{quote}}, false},
		"a number word":                       {said{"Seven items were missing.", []string{quote}}, false},
		"a number of another answer":          {said{"Support took 45 minutes.", []string{"waited on hold until my dinner was cold"}}, false},
		"a count that there is not":           {said{"{angry} items were missing.", []string{quote}}, false},
		"an inner quote that nobody said":     {said{"They said “never again”.", []string{quote}}, false},
		"an inner quote in other marks":       {said{`They said "I hate it".`, []string{quote}}, false},
		"a site that was named":               {said{"They use ocado.com now.", []string{"we use ocado.com instead"}}, true},
		"a site that was not named":           {said{"Half was missing, see evil.example/x.", []string{quote}}, false},
		"a link":                              {said{"Half was missing, see https://evil.example/x.", []string{quote}}, false},
		"an address":                          {said{"Half was missing; write to a@b.example.", []string{quote}}, false},
		"markup":                              {said{"Half was <b>missing</b>.", []string{quote}}, false},
		"the prompt":                          {said{"A program checks every statement you write against the participant's own words.", []string{quote}}, false},
		"empty":                               {said{" ", []string{quote}}, false},
		"longer than a sentence":              {said{strings.Repeat("Half was missing. ", 60), []string{quote}}, false},
		"a letter that turns the line around": {said{"Half was \u202emissing.", []string{quote}}, false},
	} {
		w := good()
		w.Summary[0] = tt.planted
		a := analyse(t, says(w), groceries())
		n := 0
		for _, claim := range a.Claims {
			if claim.Part == response.PartSummary {
				n++
			}
		}
		if want := map[bool]int{true: 3, false: 2}[tt.kept]; n != want || a.Authors["summary"] != by {
			t.Errorf("%s: %d claims by %v in %q, want %d", name, n, a.Authors["summary"], a.Summary, want)
		}
	}
}

func TestTooLittleHolds(t *testing.T) {
	t.Parallel()
	lie := said{"It was wonderful.", []string{"it was all wonderful to me"}}
	w := good()
	w.Summary, w.Tagline, w.Tags, w.Personas, w.Remarks, w.Short = []said{lie, lie, w.Summary[0]}, lie, []said{lie}, []said{lie}, []string{"wonderful, thank you"}, []short{{2, strings.Repeat("long ", 30)}, {9, "What?"}, {1, "How did 3 go?"}, {2, "Say yes then"}}
	in := groceries()
	a, own := analyse(t, says(w), in), textanalysis.Analyse(in)
	if a.Summary != own.Summary || a.Tagline != own.Tagline || !slices.Equal(a.Tags, own.Tags) || a.Personas != "" || a.OtherRemarks != own.OtherRemarks || a.ShortTranscript != own.ShortTranscript {
		t.Errorf("what did not hold is shown: %+v", a)
	}
	want := map[response.Part]response.Author{"bullets": by}
	for _, part := range []response.Part{"summary", "tagline", "tags", "otherRemarks", "shortTranscript", "quality"} {
		want[part] = response.Author{Provider: textanalysis.Provider}
	}
	if diff := cmp.Diff(want, a.Authors); diff != "" || len(a.Bullets) != 3 {
		t.Errorf("authors (-want +got)\n%s\nbullets %q", diff, a.Bullets)
	}
	w.Bullets = []said{lie}
	if _, err := (analysis.Model{Chat: says(w)}).Analyse(t.Context(), in); !errors.Is(err, analysis.ErrNothingVerified) {
		t.Errorf("lies alone return %v", err)
	}
}

func TestScoreIsNeverTheModels(t *testing.T) {
	t.Parallel()
	in := groceries()
	if diff := cmp.Diff(textanalysis.Analyse(in).Quality, analyse(t, says(good()), in).Quality); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestNothingToQuote(t *testing.T) {
	t.Parallel()
	c := says(good())
	for name, in := range map[string]textanalysis.Input{"silence": conversation("Why?", ""), "no idea": conversation("Why?", "I don't know"), "nothing asked": conversation()} {
		if a := analyse(t, c, in); a.Provider != textanalysis.Provider || len(c.asked) != 0 {
			t.Errorf("%s: written by %s, asked %d times", name, a.Provider, len(c.asked))
		}
	}
}

func TestFailuresAreReturned(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		err  error
		want error
	}{
		"down":          {"", llm.ErrUnavailable, llm.ErrUnavailable},
		"out of budget": {"", llm.ErrCeiling, llm.ErrCeiling},
		"refuses":       {"", llm.ErrRefused, llm.ErrRefused},
		"no JSON":       {"I would rather not.", nil, llm.ErrShape},
		"another shape": {`{"summary": "It was late."}`, nil, llm.ErrShape},
	} {
		c := &chat{answer: func(llm.Request, brief) (string, error) { return tt.text, tt.err }}
		if _, err := (analysis.Model{Chat: c}).Analyse(t.Context(), groceries()); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

// story returns a text of about 900 characters.
func story(seed int) string {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "thing%c and%c, ", 'a'+(seed+i)%26, 'a'+i%26)
	}
	return b.String()
}

// TestLongInterviewsAreCutByTurns: every row is sent once and complete, and what is verified of the parts is merged.
func TestLongInterviewsAreCutByTurns(t *testing.T) {
	t.Parallel()
	var turns []string
	for i := range 30 {
		turns = append(turns, fmt.Sprintf("What about matter number %d?", i), fmt.Sprintf("Thing %d broke. ", i)+story(i))
	}
	in := conversation(turns...)
	var told []string
	c := &chat{}
	c.answer = func(_ llm.Request, b brief) (string, error) {
		if b.Statements != nil {
			w := *b.Statements
			w.Summary = append(w.Summary[:2:2], said{"Something that nobody said.", []string{"nobody said this at all"}})
			w.Tagline, w.Bullets = w.Bullets[0], w.Bullets[:3]
			return w.json(), nil
		}
		var w written
		for _, row := range b.Rows {
			told = append(told, row.Participant)
			quote := row.Participant[:strings.Index(row.Participant, " broke")] + " broke"
			s := said{"It happened: " + quote, []string{quote}}
			w.Summary, w.Tagline, w.Bullets = append(w.Summary, s), s, append(w.Bullets, s)
			w.Short = append(w.Short, short{row.Row, "What about matter?"})
		}
		return w.json(), nil
	}
	a, err := analysis.Model{Chat: c, Runes: 5000}.Analyse(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range in.Exchanges {
		want = append(want, e.User)
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("rows sent (-want +got)\n%s", diff)
	}
	parts := len(c.asked) - 1
	if parts < 5 || c.briefs[0].Part != fmt.Sprintf("1 of %d", parts) || c.briefs[parts].Statements == nil || c.briefs[parts].Rows != nil {
		t.Errorf("asked %d times, first for part %q", len(c.asked), c.briefs[0].Part)
	}
	if a.Summary != "It happened: Thing 0 broke It happened: Thing 1 broke" || a.Authors["summary"].Prompt != "analysis-2+merge-2" || a.ShortAssistantMessages[29] != "What about matter?" {
		t.Errorf("summary %q by %+v, short %q", a.Summary, a.Authors["summary"], a.ShortAssistantMessages)
	}

	// If nothing of a merge is verified, the claims of the parts are kept, from the first to the last.
	merge := c.answer
	c.answer = func(q llm.Request, b brief) (string, error) {
		if b.Statements != nil {
			return written{Summary: []said{{"A lie.", []string{"a lie that nobody told"}}}}.json(), nil
		}
		return merge(q, b)
	}
	if a, err = (analysis.Model{Chat: c, Runes: 5000}).Analyse(t.Context(), in); err != nil || !strings.Contains(a.Summary, "Thing 0 broke") || !strings.Contains(a.Summary, "Thing 27 broke") || len(a.Bullets) != 6 {
		t.Errorf("summary %q, bullets %q, %v", a.Summary, a.Bullets, err)
	}
	if _, err := (analysis.Model{Chat: c, Runes: 500}).Analyse(t.Context(), in); !errors.Is(err, analysis.ErrTooLong) {
		t.Errorf("too many parts return %v", err)
	}
}

// TestOverTheWire tests the client and the analyst together, with services that behave and that do not.
func TestOverTheWire(t *testing.T) {
	t.Parallel()
	in := groceries()
	for name, tt := range map[string]struct {
		is   llmtest.Behaviour
		want error
	}{
		"it behaves":         {llmtest.Plausible, nil},
		"a code fence":       {llmtest.Fenced(good().json()), nil},
		"it thinks aloud":    {llmtest.Thinks(good().json()), nil},
		"it refuses":         {llmtest.Refuses, llm.ErrRefused},
		"it is hostile":      {llmtest.Hostile, analysis.ErrNothingVerified},
		"no request is good": {llmtest.Fails(http.StatusForbidden, ""), llm.ErrRefused},
	} {
		server := llmtest.New(tt.is)
		a, err := analysis.Model{Chat: server.Client(t, llm.Config{})}.Analyse(t.Context(), in)
		if !errors.Is(err, tt.want) || err == nil && (a.Authors["tagline"].Model == "" || len(a.Claims) == 0) {
			t.Errorf("%s: %v, written by %+v", name, err, a.Authors)
		}
		if asked := server.Asked(); tt.want == nil && (len(asked) != 1 || asked[0].Schema.Name != "analysis" || asked[0].MaxTokens+asked[0].MaxCompletionTokens == 0) {
			t.Errorf("%s: asked %d times, %+v", name, len(asked), asked)
		}
	}
}
