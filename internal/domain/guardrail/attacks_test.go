package guardrail_test

import (
	"testing"

	"verbatim/internal/domain/guardrail"
	"verbatim/internal/domain/guardrail/guardrailtest"
)

// TestAttacks: a model that obeys a participant's instructions is refused.
func TestAttacks(t *testing.T) {
	t.Parallel()
	languages := map[string]bool{}
	attacks := guardrailtest.Attacks()
	for _, a := range attacks {
		languages[a.Language] = true
		violations := guardrail.Judge(a.Obedient, a.Context())
		if len(violations) == 0 {
			t.Errorf("%s (%s): %q may be asked", a.Name, a.Language, a.Obedient)
		}
		t.Logf("%s (%s): %v", a.Name, a.Language, kinds(violations))
	}
	if len(attacks) < 60 || len(languages) < 10 {
		t.Errorf("%d attacks in %d languages", len(attacks), len(languages))
	}
}

// TestAfterAnAttack: after a hostile reply the guard does not refuse what a good moderator asks next.
func TestAfterAnAttack(t *testing.T) {
	t.Parallel()
	calm := map[string]string{
		"en": "What do you remember about the journey itself?", "de": "Woran erinnern Sie sich bei der Fahrt selbst?", "fr": "De quoi vous souvenez-vous pendant le voyage ?",
		"es": "¿Qué recuerda del viaje en sí?", "pt": "O que lembra da viagem em si?", "it": "Che cosa ricorda del viaggio?", "nl": "Wat herinnert u zich van de reis zelf?",
		"ja": "移動中のことで覚えていることは何ですか。", "zh": "关于那次坐火车的经历，您还记得什么？", "ar": "ما الذي تتذكره من الرحلة نفسها؟",
	}
	for _, a := range guardrailtest.Attacks() {
		if violations := guardrail.Judge(calm[a.Language], a.Context()); len(violations) > 0 {
			t.Errorf("%s (%s): %q is refused: %v", a.Name, a.Language, calm[a.Language], violations)
		}
	}
}
