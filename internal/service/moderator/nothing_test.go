package moderator

import (
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
)

// classOf returns the name of the class of a first answer, or of a reply to a follow-up.
func classOf(language, question, answer string, followUps int) string {
	in := ask(language, answer)
	in.Item = &guide.Item{ID: "q1", Type: guide.OpenEnded, FollowUp: guide.FollowUpHeavy, Text: question}
	in.FollowUps = followUps
	return read(bookFor(language), in, answer).class().name
}

func TestNothingMoreEndsTheProbing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ language, question, answer string }{
		{"en", "What do you think of it?", "Nothing more comes to mind."},
		{"en", "What is missing in these questions?", "Nothing is missing; the questions about the garden were good to think about."},
		{"en", "What would you still like to tell us?", "There is nothing else I can think of."},
		{"de", "Was denken Sie darüber?", "Mehr fällt mir nicht ein."},
		{"de", "Was fehlt Ihnen?", "Nichts fehlt, die Fragen waren gut."},
		{"de", "Was denken Sie darüber?", "Nichts weiter kommt mir in den Sinn."},
		{"fr", "Qu'est-ce qui manque ?", "Rien ne manque, merci."},
		{"fr", "Qu'en pensez-vous ?", "Rien de plus ne me vient à l'esprit."},
		{"es", "¿Qué falta?", "Nada falta, gracias."},
		{"es", "¿Qué piensa?", "Nada más se me ocurre."},
		{"pt", "O que falta?", "Não falta nada, obrigado."},
		{"pt", "O que acha?", "Nada mais me vem à cabeça."},
		{"it", "Che cosa manca?", "Non manca niente, grazie."},
		{"it", "Che cosa ne pensa?", "Niente altro mi viene in mente."},
		{"nl", "Wat ontbreekt er?", "Er ontbreekt niets, dank u."},
		{"nl", "Wat vindt u ervan?", "Niets anders schiet me te binnen."},
		{"ja", "何が足りませんか。", "足りないものはありません。"},
		{"zh", "还缺什么？", "没有什么缺的。"},
		{"ar", "ما الذي ينقص؟", "لا شيء ينقص، شكرا."},
	} {
		if got := classOf(tt.language, tt.question, tt.answer, 0); got != saysNone.name {
			t.Errorf("%s %q is classed as %q", tt.language, tt.answer, got)
		}
	}
	for _, tt := range []struct{ language, question, answer string }{
		{"en", "What would have to change?", "Nothing, I would never give it up."},
		{"en", "What is missing?", "Nothing is missing except a timer."},
		{"en", "What annoys you?", "Nothing beats a fresh loaf on a Sunday."},
		{"de", "Was fehlt?", "Nichts fehlt, aber der Deckel klemmt."},
	} {
		if got := classOf(tt.language, tt.question, tt.answer, 0); got == saysNone.name {
			t.Errorf("%s %q is classed as %q", tt.language, tt.answer, got)
		}
	}
}

func TestNothingIsProbedAfterTheInterviewWasEnded(t *testing.T) {
	t.Parallel()
	for language, stop := range map[string]string{
		"en": "I want to stop the interview now, please.", "de": "Ich möchte das Interview jetzt beenden.",
	} {
		in := ask(language, map[string]string{"en": "The queue is long", "de": "Die Schlange ist lang"}[language])
		if _, asked := probeOf(in); !asked {
			t.Fatalf("%s: the answer gets no probe by itself", language)
		}
		in.Guide = &guide.Guide{Blocks: []guide.Block{{Items: []guide.Item{{ID: "q0", Type: guide.OpenEnded, Text: "How was it?"}}}}}
		in.Exchanges = []interview.Exchange{{ItemID: "q0", Moderator: "How was it?", User: stop}}
		if words, asked := probeOf(in); asked {
			t.Errorf("%s: %q is asked after the participant ended the interview", language, words)
		}
		in.Exchanges[0].User = map[string]string{"en": "I want to stop smoking, and that is hard.", "de": "Ich möchte mit dem Rauchen aufhören."}[language]
		if _, asked := probeOf(in); !asked {
			t.Errorf("%s: nothing is asked after %q", language, in.Exchanges[0].User)
		}
	}
}

func TestClassesOfLists(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ question, answer, want string }{
		{"What would you change?", "1. A lower rent 2. less noise 3. same landlord 4. a lift that stops at my floor", list.name},
		{"What would you change?", "1) a lower rent\n2) less noise\n3) a lift", list.name},
		{"Walk me through this morning.", "Shoes, keys, coat, dog, door, and then the bus.", steps.name},
	} {
		if got := classOf("en", tt.question, tt.answer, 0); got != tt.want {
			t.Errorf("%q is classed as %q, want %q", tt.answer, got, tt.want)
		}
	}
	if got := classOf("en", "How was it?", "We paid 1. 5 and then 7. 3 and 2. 1 at the till", 0); got == list.name {
		t.Error("figures are read as a numbered list")
	}
}

func TestClassesOfWhatIsNotSoYet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ question, answer, not string }{
		{"What do you think?", "It is fine, since the lamp would help me every week.", repeated.name},
		{"What do you think?", "I know three neighbours who would like it.", hoped.name},
		{"What would have to change?", "Nothing, I would never sell the boat.", hoped.name},
	} {
		if got := classOf("en", tt.question, tt.answer, 0); got == tt.not {
			t.Errorf("%q is classed as %q", tt.answer, got)
		}
	}
	in := ask("en", "It takes a lot of room for a thing that we need every day.")
	in.Concept = &guide.Concept{ID: "c", Title: "The lamp"}
	if got := read(bookFor("en"), in, in.Answer).class(); got.name == repeated.name {
		t.Error("a concept is taken for a habit")
	}
}

func TestClassesOfShortAnswers(t *testing.T) {
	t.Parallel()
	if got := classOf("en", "How was the ferry?", "Fine, I suppose.", 0); got == verdict.name {
		t.Error("a hedged word is taken for a judgement")
	}
	if got := classOf("en", "What do you think of the lamp?", "I like the lamp.", 0); got != opinionated.name {
		t.Errorf("a short opinion is classed as %q", got)
	}
}
