package guardrail_test

import (
	"slices"
	"testing"

	"verbatim/internal/domain/guardrail"
)

// TestStructure: each rule of the structure refuses for its reason, and what it must not touch passes.
func TestStructure(t *testing.T) {
	t.Parallel()
	in := guardrail.Context{
		Language: "en", Question: "How do you keep bees?", StudyTitle: "Bees", StudyGoal: "Find out why keepers leave Hollow & Finch (project Amber).",
		Background: "Amber costs 74 euros a month.", Instructions: "Ask about winter. Do not mention varroa.",
		Answer: "I have four hives behind the shed and I feed them syrup in autumn. My uncle taught me.",
		Asked:  []string{"What does the shed mean to you?"}, Questions: []string{"How much do you spend on the bees?"}, Left: 1,
	}
	for words, want := range map[string]guardrail.Kind{
		"How did your uncle teach you?":                                          "",
		"You feed them syrup in autumn. What is that like?":                      "",
		"How did that influence the direction you took?":                         "",
		"What did your uncle emphasize when he taught you?":                      "",
		"Take me to the shed in autumn. What was going on?":                      "",
		"Has feeding the hives changed since your uncle taught you?":             "",
		"What did your uncle's cousin in Vienna sing?":                           guardrail.OffSubject,
		"Winter kills most colonies: how do you feed yours?":                     guardrail.Claim,
		"What happens in winter?":                                                "",
		"Sugar ruins colonies. How do you feed them?":                            guardrail.Claim,
		"We lost our hives too. How did you get yours?":                          guardrail.Claim,
		"How does Amber sound for your hives?":                                   guardrail.Leak,
		"What do you do about varroa in your hives?":                             guardrail.Leak,
		"Which street is the shed on?":                                           guardrail.Private,
		"Is it the syrup that keeps your hives going?":                           guardrail.Leading,
		"How lonely is it behind the shed?":                                      guardrail.Leading,
		"What do you think of opera singers in Vienna?":                          guardrail.OffSubject,
		"What do you feel when you think of the shed?":                           guardrail.Repeat,
		"What do the hives look like, how many frames are there, who helps you?": guardrail.SeveralQuestions,
	} {
		found := kinds(guardrail.Judge(words, in))
		if want == "" && len(found) > 0 || want != "" && !slices.Contains(found, want) {
			t.Errorf("%q: %v, not %q", words, found, want)
		}
	}
}

// TestInOtherWords: a word whose concept somebody spoke of needs no other tie, one new word is free in an open question, and what has several
// or is about an everyday subject that nobody spoke of is off subject. A recap may have a word of its own, and no claim.
func TestInOtherWords(t *testing.T) {
	t.Parallel()
	in := guardrail.Context{
		Language: "en", Question: "How do you get to work?", StudyTitle: "Commuting",
		Answer: "I drive to Leeds, it takes fifty minutes. The car park is full by eight, so I leave before the kids are up.",
		Asked:  []string{"Why do you leave before eight?"}, Questions: []string{"How did you choose where to live?"}, Left: 1,
	}
	for words, want := range map[string]guardrail.Kind{
		"What is the journey like?":                                           "",
		"What is the vehicle like inside?":                                    "",
		"How do you spend the ride while you sit there?":                      "",
		"And on snowy mornings?":                                              "",
		"No hurry. What is it like when the car park is full?":                "",
		"Fifty minutes to Leeds. What is that like for you?":                  "",
		"What do you usually have for breakfast?":                             guardrail.OffSubject,
		"Which football club do you follow?":                                  guardrail.OffSubject,
		"What do magnets and volcanoes do to granite?":                        guardrail.OffSubject,
		"Fifty minutes is always too long. What is that like?":                guardrail.Claim,
		"The car park will be widened. What is it like now?":                  guardrail.Claim,
		"What made you decide on the place where you have your home?":         guardrail.Leak,
		"What does it mean to you to be gone before the kids are up?":         "",
		"What made you swap to the car park in the street beside the office?": "",
	} {
		found := kinds(guardrail.Judge(words, in))
		if want == "" && len(found) > 0 || want != "" && !slices.Contains(found, want) {
			t.Errorf("%q: %v, not %q", words, found, want)
		}
	}
}
