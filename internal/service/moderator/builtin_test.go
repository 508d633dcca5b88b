package moderator

import (
	"context"
	"fmt"
	"slices"
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

func TestItQuotesTheParticipant(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, language, answer, want string }{
		{"one vague word", "en", "Confusing.", "“Confusing”"},
		{"the judgement, when its meaning is asked", "en", "It took two days, which was stressful.", "“was stressful”"},
		{"the clause with substance", "en", "Well, I think the checkout page kept losing my basket, but I managed.", "“the checkout page kept losing my basket”"},
		{"a long clause is cut at a word", "en", "I always have to look up the same supplier number again in three different old spreadsheets every morning", "“I always have to look up the same supplier …”"},
		{"an apostrophe stays", "en", "It doesn't remember me.", "“It doesn't remember me”"},
		{"German", "de-CH", "Ehrlich gesagt die Einrichtung am ersten Tag, aber es ging dann.", "„die Einrichtung am ersten Tag“"},
		{"French", "fr", "Je trouve que le paiement échoue souvent.", "« le paiement échoue souvent »"},
		{"Japanese", "ja", "アプリの起動が遅いと思います。", "「アプリの起動が遅い」"},
		{"Chinese", "zh", "我觉得排队时间太长,要等半天。", "“排队时间太长”"},
		{"Arabic", "ar", "بصراحة التطبيق بطيء في الصباح", "«التطبيق بطيء في الصباح»"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := probeOf(ask(tt.language, tt.answer))
			if !ok || !strings.Contains(got, tt.want) {
				t.Errorf("Probe = %q, %v; want it to quote %s", got, ok, tt.want)
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
		"every template was used": func(in *interview.Ask) { in.Asked = allProbes(english) },
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

func allProbes(book *phrasebook) (all []string) {
	for _, p := range book.probes {
		all = append(all, p.text)
	}
	return all
}

// TestDialogue runs one question to its end: the meaning first, why last, and no stage twice.
func TestDialogue(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		in := ask("en", "It is confusing")
		in.Seed = seed
		var stages []stage
		for _, reply := range []string{"The menu hides the export", "I needed the export for my boss on Monday", "I had to call a colleague", "She sent me a link"} {
			words, ok := probeOf(in)
			if !ok {
				t.Fatalf("seed %d: declined on %q after %q", seed, in.Answer, in.Asked)
			}
			i := slices.IndexFunc(english.probes, func(p wording) bool { return guardrail.Alike(p.text, words) })
			stages = append(stages, english.probes[i].stage)
			in.Earlier, in.Asked, in.Answer, in.FollowUps = append(in.Earlier, in.Answer), append(in.Asked, words), reply, in.FollowUps+1
		}
		if stages[0] != meaning || slices.Contains(stages[:3], reason) || len(slices.Compact(slices.Sorted(slices.Values(stages)))) != 4 {
			t.Errorf("seed %d: stages %v\n%s", seed, stages, strings.Join(in.Asked, "\n"))
		}
	}
}

// TestEveryStageIsNamed checks the kind and reason of every stage.
func TestEveryStageIsNamed(t *testing.T) {
	t.Parallel()
	for s := meaning; s <= reason; s++ {
		if !slices.Contains(interview.ProbeKinds, kinds[s]) || reasons[s] == "" {
			t.Errorf("stage %d is of kind %q, because %q", s, kinds[s], reasons[s])
		}
	}
	d := BuiltIn{}.Decide(t.Context(), ask("en", "Confusing."))
	if d.Kind != interview.Clarifying || d.Reason == "" || d.Source() != interview.BuiltIn {
		t.Errorf("decided %+v", d)
	}
	if d := (BuiltIn{}).Decide(t.Context(), ask("sw", "Ni rahisi")); d.Words != "" || d.Kind != "" || d.Reason == "" {
		t.Errorf("in a language without a phrasebook it decided %+v", d)
	}
}

func TestEveryPhrasebook(t *testing.T) {
	t.Parallel()
	for code, book := range books {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			perStage := map[stage]int{}
			for i, p := range book.probes {
				perStage[p.stage]++
				if n := questions(p.text); n > 1 || strings.Count(p.text, quoteMark) > 1 {
					t.Errorf("%q asks %d questions", p.text, n)
				}
				if n := len([]rune(p.text)) + maxFocusRunes + 6; n > maxProbeRunes {
					t.Errorf("%q may grow to %d characters", p.text, n)
				}
				for _, other := range book.probes[:i] {
					if guardrail.Alike(p.text, other.text) {
						t.Errorf("%q and %q count as one question", p.text, other.text)
					}
				}
			}
			for s := meaning; s <= reason; s++ {
				if perStage[s] < 3 {
					t.Errorf("stage %d has %d probes", s, perStage[s])
				}
			}
			for _, list := range [][]string{book.vague, book.stop, book.unsure, book.nothing, book.joins} {
				for _, phrase := range list {
					if strings.TrimSpace(guardrail.Plain(phrase)) != phrase {
						t.Errorf("%q is not normalised and is never found", phrase)
					}
				}
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
