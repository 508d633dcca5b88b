package statement

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumbers(t *testing.T) {
	t.Parallel()
	const third = 1.0 / 3
	for text, want := range map[string][]float64{
		"en: 1,280 and 3.5 and 2 1/4":                                 {1280, 3.5, 2.25},
		"en: a third of it, two thirds, 4th":                          {third, 2 * third, 4},
		"en: twice, a dozen, two dozen, half":                         {2, 12, 24, .5},
		"en: one hundred and twenty-five people":                      {125},
		"en: XIV days and V times":                                    {14, 5},
		"en: one of them, an hour, once more":                         nil,
		"de: einundzwanzig, anderthalb, dreitausend, zum vierten Mal": {21, 1.5, 3000, 4},
		"fr: quatre-vingt-dix-sept, vingt et un, deux et demi":        {97, 21, 2.5},
		"es: treinta y cinco, la cuarta, la mitad":                    {35, 4, .5},
		"it: ventitré, la metà":                                       {.5},
		"pt: quarenta e dois, metade":                                 {42, .5},
		"nl: vijfendertig, de helft":                                  {35, .5},
		"ar: ثلاث مرات وساعتين وربعا":                                 {3, 2.25},
		"zh: 二十三个人，半小时":                                               {23, .5},
		"ja: 千二百円、三つ":                                                 {1200, 3},
	} {
		var got []float64
		for _, n := range numbersIn(text[4:], text[:2]) {
			if n.unit != "times" || text[:2] != "ar" || n.values[0] != 2 { // the unit of "three times" is a dual in Arabic
				got = append(got, n.values[0])
			}
		}
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// Every kind of quotation mark holds a quotation, closed or not; an apostrophe is none.
func TestPassages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`He says "so" and “so” and „so“ and «so» and ‹so› and 'so' and ‘so’ and ‚so‘ and ` + "`so`": {"so", "so", "so", "so", "so", "so", "so", "so", "so"},
		"「そう」『そう』《是》〝そう〟":                                                                           {"そう", "そう", "是", "そう"},
		"They call it “the end of all":                                                              {"the end of all"},
		"It is ''so'' and »so«":                                                                     {"so", "so"},
		"the parents' room isn't ours, it's the kids' in the '90s":                                  nil,
		"l’app n’est pas là":                                                                        nil,
	} {
		got, _ := passages(text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}

// A count stands before its own noun.
func TestCounts(t *testing.T) {
	t.Parallel()
	counts := map[string]int{"answers": 7, "rows": 7, "minutes": 12}
	for text, want := range map[string]string{
		"Gave {answers} answers.": "Gave 7 answers.", "In {answers} short answers": "In 7 short answers", "{rows}つの質問に答えた": "7つの質問に答えた",
		"In an interview of {minutes} minutes": "In an interview of 12 minutes",
		"Has {rows} nieces.":                   "", "Waited {minutes} minutes.": "", "{answers} complaints in answers": "", "{angry} answers": "",
	} {
		if got, _, err := insert(text, counts); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}

func TestMarked(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"**bold** words": true, "# Heading": true, "- a list": true, "see [this](x)": true, "www.example.com": true, "a_b and 3 * 4": false, "1. first": true,
		"<b>x</b>": true, "It costs #1 attention": false, "plain words, well-made": false,
	} {
		if Marked(text) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}

// One statement that is refused says why, so that a reader of a log can tell.
func TestReasons(t *testing.T) {
	t.Parallel()
	c := New(Interview{Language: "en", Written: "en", Title: "Gardens", Rows: []Row{
		{Row: 1, Question: "How is your garden?", Answer: "I would not say that I love weeding. My sister Ruth has 40 roses, I have three. If it rained more, I would plant trees."},
	}})
	for text, tt := range map[string]struct {
		kind  Kind
		quote string
		want  error
	}{
		"Enjoys it: “I love weeding”.":         {Sentence, "I love weeding", ErrCut},
		"Will plant: “I would plant trees”.":   {Sentence, "I would plant trees", ErrCut},
		"Has 40 roses.":                        {Sentence, "I have three", ErrNumber},
		"Has three roses.":                     {Sentence, "My sister Ruth has 40 roses, I have three", nil},
		"The sister has 40 roses.":             {Sentence, "My sister Ruth has 40 roses", nil},
		"Would plant trees if it rained more.": {Sentence, "I would plant trees", nil},
		"Ruth":                                 {Tag, "My sister Ruth has 40 roses", ErrName},
		"roses":                                {Tag, "My sister Ruth has 40 roses", nil},
		"lawn mowing":                          {Tag, "My sister Ruth has 40 roses", ErrUnsupported},
		"lazy gardener":                        {Persona, "I have three", ErrJudgement},
		"*Roses*":                              {Theme, "40 roses", ErrMarkup},
	} {
		if _, _, err := c.Check(tt.kind, text, []string{tt.quote}, nil); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", text, err, tt.want)
		}
	}
}

// Numbers are held to what they were said of: their time, their whole, their doer; and what follows from them may be stated.
func TestFigures(t *testing.T) {
	t.Parallel()
	c := New(Interview{Language: "en", Written: "en", Title: "Swimming", Rows: []Row{
		{Row: 1, Question: "When do you swim?", Answer: "At half past six, for an hour and ten minutes. Two of the nine lanes are free. 30 begun, 12 finished."},
		{Row: 2, Question: "What does it cost?", Answer: "It was £4 until Easter, now it's £5. The town paid 80 for the card. The second, £20, up from 14. Unless they charge 9, I stay."},
		{Row: 3, Question: "Who else swims?", Answer: "Sixteen men plus eleven women. Rolf, our trainer, never missed a day. He swims every second Friday. Were there a sauna, I'd stay longer."},
	}})
	for _, tt := range []struct {
		text, quote string
		kind        Kind
		held        bool
	}{
		{"Swims at 6:30.", "At half past six", Sentence, true},
		{"Swims at 6:45.", "At half past six", Sentence, false},
		{"Swims for 70 minutes.", "for an hour and ten minutes", Sentence, true},
		{"Swims for more than an hour, 80 minutes.", "for an hour and ten minutes", Sentence, false},
		{"Nine of the lanes are free.", "Two of the nine lanes are free", Sentence, false},
		{"Finished 30 lengths.", "30 begun, 12 finished", Sentence, false},
		{"A swim costs £4 today.", "It was £4 until Easter", Sentence, false},
		{"A swim cost £4 before.", "It was £4 until Easter", Sentence, true},
		{"Paid 80 for the card.", "paid 80 for the card", Sentence, false},
		{"The second card went up by £20.", "The second, £20, up from 14", Sentence, false},
		{"Is charged 9.", "they charge 9", Sentence, false},
		{"Swims with 27 others, 16 men and 11 women.", "Sixteen men plus eleven women", Sentence, true},
		{"Swims with 28 others, 16 men and 11 women.", "Sixteen men plus eleven women", Sentence, false},
		{"Rolf and the sauna", "Were there a sauna", Theme, false},
		{"Stays: \"I'd stay longer\".", "I'd stay longer", Sentence, false},
		{"Meets the trainer every second Friday.", "swims every second Friday", Sentence, false},
		{"The trainer swims every second Friday.", "swims every second Friday", Sentence, true},
	} {
		if _, _, err := c.Check(tt.kind, tt.text, []string{tt.quote}, nil); (err == nil) != tt.held {
			t.Errorf("%s: %v", tt.text, err)
		}
	}
}
