package textanalysis

import (
	"slices"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// oneAnswer is an interview of one open answer.
func oneAnswer(language, text string) Input {
	g := &guide.Guide{Blocks: []guide.Block{{Items: []guide.Item{{ID: "a", Type: guide.OpenEnded, Text: "What else matters?"}}}}}
	return Input{
		Guide: g, Response: response.Response{Language: language, Progress: response.Complete},
		Answers:   []interview.Answered{{ItemID: "a", Number: 1, Question: "What else matters?", Text: text}},
		Exchanges: []interview.Exchange{{ItemID: "a", Moderator: "What else matters?", User: text}},
	}
}

func TestNamesAreNoTags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, text, hidden, kept string }{
		{"en", "My number is 0171 2345678, I am Ana Kowalski, Gartenstrasse 12, write me about the invoice.", "Ana Kowalski Gartenstrasse", "invoice"},
		{"en", "Please call Dr. Heinrich Vogel, my doctor, about the dosage and the dosage sheet.", "Heinrich Vogel", "dosage"},
		{"en", "My name is priya raman and the battery dies every noon.", "priya raman", "battery"},
		{"en", "Tomasz Wolny repaired the battery. Later Tomasz broke the charger.", "Tomasz Wolny", "battery"},
		{"de", "Ich bin Jana Petersen, wohne Lindenallee 4, und der Akku ist schwach.", "Jana Petersen Lindenallee", "Akku"},
		{"de", "Mein Nachbar Herr Kowalczyk hat den Akku geprüft, und der Akku war leer.", "Kowalczyk", "Akku"},
		{"de", "Meine Kollegin war krank, also hat Sabine Oertel den Akku getauscht.", "Sabine Oertel", "Akku"},
		{"fr", "Je m'appelle Lucie Fontanel et la batterie se vide.", "Lucie Fontanel", "batterie"},
		{"es", "Soy Pilar Echenique y la batería dura poco.", "Pilar Echenique", "batería"},
		{"it", "Mi chiamo Bruno Salvadori e la batteria dura poco.", "Bruno Salvadori", "batteria"},
		{"pt", "Falei com a Dona Iracema Prates e a bateria dura pouco.", "Iracema Prates", "bateria"},
		{"nl", "Ik heet Joost Wijnands en de batterij is leeg.", "Joost Wijnands", "batterij"},
	} {
		tags := Analyse(oneAnswer(tt.language, tt.text)).Tags
		for name := range strings.FieldsSeq(tt.hidden) {
			if slices.ContainsFunc(tags, func(tag string) bool { return strings.Contains(strings.ToLower(tag), strings.ToLower(name)) }) {
				t.Errorf("%s %q: tags %q hold %q", tt.language, tt.text, tags, name)
			}
		}
		if !slices.Contains(tags, tt.kept) {
			t.Errorf("%s %q: tags %q lack %q", tt.language, tt.text, tags, tt.kept)
		}
	}
}

func TestWordsOfTheGuideStayTags(t *testing.T) {
	t.Parallel()
	in := oneAnswer("en", "I would buy the Kestrel at once, the Kestrel is lighter.")
	in.Guide.Blocks[0].Items[0].Text = "What do you think of the Kestrel?"
	if tags := Analyse(in).Tags; !slices.Contains(tags, "Kestrel") {
		t.Errorf("tags %q lack the product of the guide", tags)
	}
}

func TestSentencesGoOnAfterTitlesAndNumbers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Please call Dr. Heinrich Vogel, my doctor.", "It was J. Smith who said so.", "1. A cheaper price 2. Less plastic"} {
		if got := sentences(text, languages["en"]); len(got) != 1 || got[0].text != text {
			t.Errorf("%q is split: %v", text, got)
		}
	}
	if got := sentences("So did I. Then we left.", languages["en"]); len(got) != 2 {
		t.Errorf("two sentences are read as %v", got)
	}
}

func TestWhatTheProgramFilledInIsNotTold(t *testing.T) {
	t.Parallel()
	in := oneAnswer("en", "The kettle is slow and loud.")
	in.Guide.Blocks[0].Items = append(in.Guide.Blocks[0].Items, guide.Item{ID: "r", Type: guide.Ranking, Text: "Order these."})
	in.Answers = append(in.Answers, interview.Answered{ItemID: "r", Number: 2, Question: "Order these.", Text: "1. Only instant coffee", Unasked: true})
	a := Analyse(in)
	if all := a.Summary + strings.Join(a.Bullets, "\n"); strings.Contains(all, "instant") || !strings.Contains(all, "answering 1 question in") {
		t.Errorf("the analysis tells an answer that nobody gave: %s", all)
	}
}

func TestWhoStopsIsNotQuoted(t *testing.T) {
	t.Parallel()
	in := oneAnswer("en", "I want to stop the interview now, please.")
	in.Leaves = func(s string) bool { return strings.Contains(s, "stop the interview") }
	if a := Analyse(in); strings.Contains(a.Tagline+a.Summary+strings.Join(a.Bullets, ""), "stop the interview") || len(a.Tags) > 0 {
		t.Errorf("a request to stop is told as an answer: %+v", a)
	}
	in = oneAnswer("en", "The kettle is slow and loud. I want to stop the interview now.")
	in.Leaves = func(s string) bool { return strings.Contains(s, "stop the interview") }
	if a := Analyse(in); !strings.Contains(a.Tagline, "kettle") {
		t.Errorf("the rest of the answer is lost: %q", a.Tagline)
	}
}

func TestTaglineIsLabelledFromItsOwnAnswer(t *testing.T) {
	t.Parallel()
	in := oneAnswer("en", "The warranty is too short, because the hinge breaks after two years and repairs are expensive.")
	scam := "It smells like a scam. A scam, I say: a scam with a coupon."
	in.Guide.Blocks[0].Items = append(in.Guide.Blocks[0].Items, guide.Item{ID: "b", Type: guide.OpenEnded, Text: "And the coupon?"})
	in.Answers = append(in.Answers, interview.Answered{ItemID: "b", Number: 2, Question: "And the coupon?", Text: scam})
	in.Exchanges = append(in.Exchanges, interview.Exchange{ItemID: "b", Moderator: "And the coupon?", User: scam})
	if line := Analyse(in).Tagline; !strings.Contains(line, "warranty") || strings.Contains(strings.ToLower(line), "scam") {
		t.Errorf("the tagline %q labels one answer with another", line)
	}
}
