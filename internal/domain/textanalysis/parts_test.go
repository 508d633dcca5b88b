package textanalysis

import (
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

const (
	onTopic  = "The delivery came two hours late and the driver left the groceries in the rain beside the bins."
	offTopic = "My cousin plays saxophone quietly under purple umbrellas while penguins negotiate mortgages."
)

// groceries returns an interview of three open questions about deliveries.
func groceries(answers ...string) Input {
	in := interviewOf("en", 4*time.Minute,
		openEnded("How was the last delivery of your groceries?", answers[0]),
		openEnded("What did the driver do?", answers[1]),
		openEnded("What would you change about the service?", answers[2]))
	in.Guide.StudyGoal = "Learn why customers of grocery delivery services leave."
	return in
}

// fine returns three plain answers, all on topic.
func fine() Input {
	return groceries(onTopic, "He rang twice, apologised and carried the groceries upstairs for me on Monday.", "I want a delivery window of one hour and a message when the driver is near.")
}

func with(in Input, change func(in *Input)) Input {
	change(&in)
	return in
}

func TestPartsFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	paste := &interview.Telemetry{Pasted: 90}
	for _, tt := range []struct {
		name, part  string
		worse, same Input
		reason      string
		rows        []int
		minWorse    float64 // the lowest score allowed for worse
	}{
		{"beside the point", partRelevance, groceries(onTopic, offTopic, onTopic), fine(), "share no word", []int{2}, 4},
		{"all beside the point", partRelevance, groceries(offTopic, offTopic, offTopic), fine(), "3 of 3", []int{1, 2, 3}, 3},
		{"a copy", partAuthenticity, with(fine(), func(in *Input) { in.Copies = map[int]int{1: 1} }), fine(), "earlier response", []int{1}, 2},
		{"pasted", partAuthenticity, with(fine(), func(in *Input) { in.Exchanges[0].Telemetry = paste }), fine(), "mostly pasted", []int{1}, 4},
		{"the page left", partAuthenticity, with(fine(), func(in *Input) { in.Exchanges[2].Telemetry = &interview.Telemetry{Typed: 70, Seconds: 60, Blurs: 3} }), fine(), "left 3 times", []int{3}, 4.5},
		{"one hasty answer", partEffort, with(fine(), func(in *Input) { in.Exchanges[1].Took = time.Second; in.Exchanges[0].Took = time.Minute }), fine(), "1 answer came faster", []int{2}, 1},
		{"typed by no hands", partEffort, with(fine(), func(in *Input) {
			in.Exchanges[1].Took, in.Exchanges[1].Telemetry = time.Minute, &interview.Telemetry{Typed: 80, Seconds: 2}
		}), fine(), "1 answer came faster", []int{2}, 1},
		{
			"contradictions", partConsistency,
			interviewOf("en", 0, maxdiff("Which?", "Most: Price; Least: Taste\nMost: Taste; Least: Colour\nMost: Colour; Least: Price\nMost: Size; Least: Price")),
			interviewOf("en", 0, maxdiff("Which?", "Most: Price; Least: Taste\nMost: Taste; Least: Colour\nMost: Price; Least: Colour\nMost: Price; Least: Size")),
			"3 of 4",
			[]int{1},
			1,
		},
		{
			"a ranking against a MaxDiff", partConsistency,
			interviewOf("en", 0, maxdiff("Which?", "Most: Price; Least: Taste\nMost: Price; Least: Size"), rank("Rank.", "1. Taste\n2. Size\n3. Price")),
			interviewOf("en", 0, maxdiff("Which?", "Most: Price; Least: Taste\nMost: Price; Least: Size"), rank("Rank.", "1. Price\n2. Taste\n3. Size")),
			"contradict",
			[]int{1, 2},
			1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			worse, reason := partOf(t, tt.worse, tt.part)
			same, otherReason := partOf(t, tt.same, tt.part)
			if worse >= same || worse < tt.minWorse {
				t.Errorf("%v against %v", worse, same)
			}
			if !strings.Contains(reason, tt.reason) || strings.Contains(otherReason, tt.reason) {
				t.Errorf("reasons %q and %q", reason, otherReason)
			}
			for _, p := range Analyse(tt.worse).Quality.Parts {
				if p.Name == tt.part && !slices.Equal(p.Rows, tt.rows) {
					t.Errorf("rows %v, want %v", p.Rows, tt.rows)
				}
			}
		})
	}
}

// TestPartsLeftOut: what cannot be judged fairly is left out.
func TestPartsLeftOut(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in   Input
		part string
	}{
		"answers in another language than the guide": {groceries("Die Lieferung kam zwei Stunden zu spät und der Fahrer war nicht da.", "Er hat nichts gesagt und ist wieder gegangen.", "Ich würde das Zeitfenster ändern, weil es mir zu lang ist."), partRelevance},
		"a language without word lists":              {japanese(), partRelevance},
		"a word or two":                              {groceries("late", "rain", "speed"), partRelevance},
		"too few comparisons":                        {interviewOf("en", 0, rank("Rank.", "1. A\n2. B\n3. C")), partConsistency},
		"closed answers alone":                       {interviewOf("en", 0, pick("A or B?", "A")), partAuthenticity},
	} {
		for _, p := range Analyse(tt.in).Quality.Parts {
			if p.Name == tt.part {
				t.Errorf("%s: judged as %+v", name, p)
			}
		}
	}
}

// TestHelpIsNotHeldAgainstAnybody: people who dictate, use a device that writes, or are slow, score like people who type.
func TestHelpIsNotHeldAgainstAnybody(t *testing.T) {
	t.Parallel()
	want := Analyse(fine()).Quality.Score
	for name, change := range map[string]func(e *interview.Exchange){
		"dictated": func(e *interview.Exchange) { e.Took, e.Telemetry = 10*time.Second, nil },
		"predicted": func(e *interview.Exchange) {
			e.Took, e.Telemetry = 30*time.Second, &interview.Telemetry{Typed: 4, Seconds: 1}
		},
		"slow":   func(e *interview.Exchange) { e.Took = 9 * time.Minute },
		"spoken": func(e *interview.Exchange) { e.Recordings.Audio, e.Took = "upload", 12*time.Second },
	} {
		in := with(fine(), func(in *Input) {
			for i := range in.Exchanges {
				change(&in.Exchanges[i])
			}
		})
		if got := Analyse(in).Quality; got.Score != want {
			t.Errorf("%s scores %v, typed %v: %+v", name, got.Score, want, got.Parts)
		}
	}
	dictated := with(fine(), func(in *Input) { in.Guide.Config.InterviewMode, in.Response.Duration = guide.ModeText, 25*time.Second })
	if got := Analyse(dictated).Quality.Score; got != want {
		t.Errorf("a text interview that was dictated scores %v, typed %v", got, want)
	}
}

func TestFingerprintOf(t *testing.T) {
	t.Parallel()
	if FingerprintOf(onTopic) == "" || FingerprintOf(onTopic) != FingerprintOf("  the DELIVERY came two hours late -- and the driver left\nthe groceries in the rain, beside the bins") {
		t.Error("case, spaces and punctuation count")
	}
	if FingerprintOf(onTopic) == FingerprintOf(onTopic+" Twice.") || FingerprintOf("It was fine for me.") != "" {
		t.Error("other words have the same fingerprint, or a few words have one")
	}
}
