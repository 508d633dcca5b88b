package moderator

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

func ask(language, answer string) interview.Ask {
	return interview.Ask{Item: &guide.Item{ID: "q1", Type: guide.OpenEnded, FollowUp: guide.FollowUpHeavy}, Language: language, Answer: answer, Seed: 7}
}

func probeOf(in interview.Ask) (string, bool) {
	d := BuiltIn{}.Decide(context.Background(), in)
	return d.Words, d.Words != ""
}

// TestItQuotes: a judgement, or a thing, that is the complete answer is quoted. Nothing else is.
func TestItQuotes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, language, answer, want string }{
		{"a judgement", "en", "Confusing.", "“confusing”"},
		{"with its degree", "en", "It was far too expensive", "“far too expensive”"},
		{"with its degree before it", "en", "It was way too expensive, I think", "“way too expensive”"},
		{"denied", "en", "It was not easy.", "“not easy”"},
		{"denied elsewhere", "en", "I don't find it easy.", ""},
		{"a word of degree makes a judgement", "nl", "Te lang.", "“te lang”"},
		{"a word of degree before a function word", "en", "Too many.", ""},
		{"a clause", "en", "Well, I think the checkout page kept losing my basket, but I managed.", ""},
		{"a thing", "en", "The price.", "“the price”"},
		{"a thing of a thing", "en", "The smell of the coffee", "“the smell of the coffee”"},
		{"a sentence that begins like a thing", "en", "The dog barked", ""},
		{"German", "de-CH", "Umständlich, finde ich.", "„umständlich“"},
		{"German, a thing", "de", "Die lange Wartezeit", "„die lange Wartezeit“"},
		{"German, a sentence", "de", "Die Kinder schlafen", ""},
		{"French", "fr", "C’était pénible.", "« pénible »"},
		{"Spanish", "es", "Un lío.", "«un lío»"},
		{"Dutch", "nl", "Te duur", "“te duur”"},
		{"Italian", "it", "Troppo caro", "«troppo caro»"},
		{"Portuguese", "pt", "Muito confuso.", "“muito confuso”"},
		{"Japanese", "ja", "使いづらいです。", "「使いづらい」"},
		{"Chinese", "zh", "太麻烦了", "“太麻烦”"},
		{"Taiwan", "zh-TW", "很複雜。", "「很複雜」"},
		{"Arabic", "ar", "معقّد شوي.", "«معقّد»"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := probeOf(ask(tt.language, tt.answer))
			quotes := strings.Contains(got, bookFor(tt.language).open)
			if !ok || tt.want == "" && quotes || !strings.Contains(got, tt.want) {
				t.Errorf("Probe = %q, %v; want it to quote %q", got, ok, tt.want)
			}
		})
	}
}

func TestItDeclines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Last Tuesday at 9 the export failed twice and I called the help desk. ", 5)
	tests := []struct{ name, language, answer string }{
		{"a recording without words", "en", "  \n"},
		{"signs alone", "en", "... ?!"},
		{"a full answer", "en", long},
		{"does not know", "en", "Sorry, I don’t know."},
		{"nothing more", "en", "No, that's all."},
		{"nothing", "en", "N/A"},
		{"wants to stop", "en", "Look, I have told you a lot about my week and my shopping, and I really want to stop here now, thank you."},
		{"German", "de", "Da fällt mir nichts ein"},
		{"German, another word for it", "de", "Weiß ich nicht"},
		{"French", "fr", "Je ne sais pas."},
		{"French, no more", "fr", "C’est tout"},
		{"Spanish", "es", "No sé"},
		{"Portuguese", "pt", "Não sei..."},
		{"Italian", "it", "Non saprei"},
		{"Dutch", "nl", "geen idee"},
		{"Japanese", "ja", "特にありません。"},
		{"Chinese", "zh", "没有了"},
		{"Taiwan", "zh-TW", "不知道"},
		{"Hong Kong", "zh-HK", "唔知"},
		{"Arabic", "ar", "لا أعرف"},
		{"English said in another language", "ja", "no idea"},
		{"a language without a phrasebook", "sw", "Ni rahisi sana"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, ok := probeOf(ask(tt.language, tt.answer)); ok {
				t.Errorf("Probe = %q, want it to decline", got)
			}
		})
	}
	for name, change := range map[string]func(*interview.Ask){
		"no item":                 func(in *interview.Ask) { in.Item = nil },
		"level none":              func(in *interview.Ask) { in.Item = &guide.Item{FollowUp: guide.FollowUpNone} },
		"the limit is reached":    func(in *interview.Ask) { in.FollowUps = 4 },
		"the answer is a repeat":  func(in *interview.Ask) { in.Earlier = []string{"the QUEUE is long"} },
		"the replies are enough":  func(in *interview.Ask) { in.Earlier = []string{long, long} },
		"every probe was used":    func(in *interview.Ask) { in.Asked = bookFor("en").all() },
		"a third, without growth": func(in *interview.Ask) { in.FollowUps, in.Earlier = 2, []string{"Yes, it is", "It is slow"} },
		"light, and not short": func(in *interview.Ask) {
			in.Item = light
			in.Answer = "We go on Saturday morning with both children, first to the market and then to my mother for lunch"
		},
		"light, after one question": func(in *interview.Ask) { in.Item = light; in.FollowUps = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := ask("en", "The queue is long")
			if got, ok := probeOf(in); !ok {
				t.Fatal("the answer itself gets no probe: the test is void")
			} else if strings.TrimSpace(got) == "" {
				t.Fatal("an empty probe")
			}
			change(&in)
			if got, ok := probeOf(in); ok {
				t.Errorf("Probe = %q, want it to decline", got)
			}
		})
	}
}

var light = &guide.Item{ID: "q1", FollowUp: guide.FollowUpLight}

func TestLightAsksWhenTheAnswerIsShortOrVague(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"With my sister", "It was all quite good for me and for my family too, I would say it was nice in the end"} {
		in := ask("en", answer)
		in.Item = light
		if _, ok := probeOf(in); !ok {
			t.Errorf("declined on %q", answer)
		}
	}
}

// TestItStops: two follow-ups are usual. A third needs replies that grow, and one that repeats what was said gets none.
func TestItStops(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		replies []string
		want    int
	}{
		{"two are usual", []string{"The queue is long on most of the days", "It moves slowly", "And it rains", "So we stand there in the rain"}, 2},
		{"the replies grow", []string{"The queue", "It moves slowly, most of the time", "On Monday I stood there for an hour and in the end they closed it", "My neighbour left after ten minutes, and I should have gone with her, but there was nothing left to eat"}, 4},
		{"nothing new", []string{"The queue is long", "The long queue, it is", "And so on"}, 1},
		{"no more", []string{"The queue is long", "No, nothing else", "Really"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(20) {
				in := ask("en", "")
				in.Seed = seed
				for _, reply := range tt.replies {
					in.Answer = reply
					words, ok := probeOf(in)
					if !ok {
						break
					}
					in.Earlier, in.Asked, in.FollowUps = append(in.Earlier, in.Answer), append(in.Asked, words), in.FollowUps+1
				}
				if in.FollowUps < tt.want || in.FollowUps > tt.want {
					t.Errorf("seed %d: %d follow-ups: %q", seed, in.FollowUps, in.Asked)
				}
			}
		})
	}
}

// TestOpenings: no two follow-ups of a long interview begin alike.
func TestOpenings(t *testing.T) {
	t.Parallel()
	for code := range books {
		in := ask(code, map[string]string{"ja": "駅前の店にはあまり行きません", "zh": "楼下那家店我不太去", "ar": "المحل القريب لا يناسبني"}[code[:2]])
		if in.Answer == "" {
			in.Answer = "Bar 42"
		}
		seen := map[string]bool{}
		for q := range 12 {
			in.Item = &guide.Item{ID: fmt.Sprint("q", q), FollowUp: guide.FollowUpHeavy}
			words, ok := probeOf(in)
			if !ok {
				continue
			}
			if seen[opening(words)] {
				t.Errorf("%s: %q begins like another of %q", code, words, in.Asked)
			}
			seen[opening(words)] = true
			in.Asked = append(in.Asked, words)
		}
		if len(seen) < 3 {
			t.Errorf("%s: only %d follow-ups in twelve questions: %q", code, len(seen), in.Asked)
		}
	}
}

// TestClasses: the class decides what is asked, and words that look like those of another class do not.
func TestClasses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, language, question, answer string
		want                             class
	}{
		{"stop", "en", "How was it?", "I want to stop now.", leaves},
		{"stop, with a reason", "de", "Wie war es?", "Ich muss zum Zug, ich möchte jetzt aufhören.", leaves},
		{"stop, of a habit", "en", "How was it?", "I want to stop smoking but it is harder than I thought and nobody at home believes me.", full},
		{"stop, of noise", "en", "How was it?", "They would not stop the music and nobody in the house could sleep that night.", full},
		{"grief", "en", "How was it?", "My brother died in May.", grieves},
		{"grief, without the word", "en", "How did you cope with the funeral?", "My brother had two dogs.", grieves},
		{"loss", "es", "¿Cómo fue?", "Perdimos a nuestro hijo.", grieves},
		{"a loss of things", "en", "How was it?", "We lost the luggage.", short},
		{"a dead phone", "en", "How was it?", "The phone died.", short},
		{"no, to an open question", "en", "What do you dislike?", "No", saysNone},
		{"no, to a closed one", "en", "Do you like it?", "No", aloneYesNo},
		{"no more", "nl", "Wilt u nog iets toevoegen?", "Nee hoor", saysNone},
		{"a year", "en", "When did you move?", "In 2019", short},
		{"a number", "en", "How often do you go?", "Twice a week", amount},
		{"a list", "it", "Che cosa compra?", "Pane, latte, uova e pasta", list},
		{"not a list", "en", "How was it?", "Well, I went there, we ate, it was fun, I liked it.", short},
		{"a list with and", "en", "What do you like?", "Longer opening hours, better coffee and a place for bikes", list},
		{"a judgement that sounds like the end", "zh", "您为什么换了手机？", "旧的太卡了，拍照也不清楚。", short},
		{"it depends", "fr", "Le faites-vous ?", "Ça dépend.", conditional},
		{"asks back", "en", "What do you think of it?", "Are you a robot?", asksBack},
		{"asks what is meant", "de", "Wie läuft die Freigabe?", "Meinen Sie die erste oder die zweite?", misunderstood},
		{"a rhetorical question", "en", "How was it?", "Slow. We waited at the counter for a whole hour with two children. Who does that to people?", full},
		{"keys", "en", "How was it?", "sdfgh jkl hjkl", unreadable},
		{"a change that is only thought of", "en", "What would have to change for you to give it up?", "It would have to be as quick as the old one, which takes a minute.", hoped},
		{"a change", "de", "Was hat sich geändert?", "Am neuen Ort kenne ich alle und fahre selten mit dem Bus.", changed},
		{"one word", "en", "What is it?", "Coffee", short},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := ask(tt.language, tt.answer)
			in.Item.Text = tt.question
			if got := read(bookFor(tt.language), in, tt.answer).class(); got.name != tt.want.name {
				t.Errorf("%q is classed: %s; want: %s", tt.answer, got.name, tt.want.name)
			}
		})
	}
}

func questions(text string) (n int) {
	for _, r := range text {
		if strings.ContainsRune("?\uff1f؟;⁇⁈⁉❓❔", r) {
			n++
		}
	}
	if strings.Contains(text, "か。") {
		n += strings.Count(text, "か。")
	}
	return n
}

// TestAnyInterview plays complete interviews with arbitrary words: one question per message, none twice, none too long.
func TestAnyInterview(t *testing.T) {
	t.Parallel()
	codes := []string{"en", "en-medical", "de", "de-CH", "fr", "es", "pt", "it", "nl", "nl-BE", "ja", "zh", "zh-TW", "zh-HK", "ar", "tlh", ""}
	chunks := rapid.SampledFrom([]string{"good", "?", "why? what?", "the price", " because ", "“quote”", "「」", "遅い", "か。", "お願いしますか。", "速度\uff1f", "لماذا؟", "never\n", "{q}", "a@b.c", "0791234567", "sehr gut, aber", "\x00", "\u202e"})
	word := rapid.OneOf(chunks, rapid.String(), rapid.StringN(1, 300, -1))
	rapid.Check(t, func(t *rapid.T) {
		in := interview.Ask{Language: rapid.SampledFrom(codes).Draw(t, "language"), Seed: rapid.Uint64().Draw(t, "seed")}
		for q := range 8 {
			in.Item = &guide.Item{ID: fmt.Sprint("q", q), FollowUp: rapid.SampledFrom([]guide.FollowUp{"", "none", "light", "medium", "heavy"}).Draw(t, "level")}
			in.Earlier, in.FollowUps = nil, 0
			for in.FollowUps < in.Item.FollowUp.Limit() {
				in.Answer = strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "answer"), " ")
				words, ok := probeOf(in)
				if again, okAgain := probeOf(in); again != words || okAgain != ok {
					t.Fatalf("the same ask got %q and %q", words, again)
				}
				if !ok {
					break
				}
				if questions(words) > 1 || len([]rune(words)) > maxProbeRunes || strings.Contains(words, quoteMark) {
					t.Fatalf("%d questions, %d characters: %q", questions(words), len([]rune(words)), words)
				}
				if guardrail.Repeats(words, in.Asked) {
					t.Fatalf("%q is asked again after %q", words, in.Asked)
				}
				in.Earlier, in.Asked, in.FollowUps = append(in.Earlier, in.Answer), append(in.Asked, words), in.FollowUps+1
			}
		}
	})
}
