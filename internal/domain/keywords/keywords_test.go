package keywords_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/keywords"
	"verbatim/internal/domain/textanalysis"
)

func terms(text string) (all []textanalysis.Term) {
	for _, s := range textanalysis.LexiconOf("en", text).Sentences(text) {
		all = append(all, s.Terms...)
	}
	return all
}

func said(text string) keywords.Sentence { return keywords.Sentence{Text: text, Terms: terms(text)} }

// answers holds four answers on each of three themes.
var answers = []string{
	"The delivery came late and the courier never rang.", "Delivery took nine days, the courier lost my parcel.",
	"I waited for the courier; the parcel arrived damaged.", "My parcel sat in a depot, so delivery failed.",
	"The price is far above the budget of my family.", "Too expensive: the price doubled, my budget did not.",
	"For that price I expected more, my budget is tight.", "Expensive, and the discount on the price was gone.",
	"Support answered my mail with a template.", "The support agent was rude on the telephone.",
	"I rang support and the agent hung up on the telephone.", "An agent of the support promised a mail that never came.",
}

func sample() (all []keywords.Sentence) {
	for _, a := range answers {
		all = append(all, said(a))
	}
	return all
}

func TestGroups(t *testing.T) {
	t.Parallel()
	groups := keywords.Groups(sample(), nil)
	if len(groups) < 3 {
		t.Fatalf("%+v", groups)
	}
	for i, word := range []string{"parcel", "price", "agent"} {
		g := slices.IndexFunc(groups, func(g keywords.Group) bool { return slices.Contains(g.Words, word) })
		if g < 0 {
			t.Errorf("no group is about %s: %+v", word, groups)
			continue
		}
		for j, a := range answers {
			own := j/4 == i
			if said := groups[g].Find(terms(a)) > 0; said && !own {
				t.Errorf("%q is in the group %q", a, groups[g].Label)
			}
		}
	}
	if diff := cmp.Diff(groups, keywords.Groups(sample(), nil)); diff != "" {
		t.Error("another time there are others:", diff)
	}
	seen := map[string]bool{}
	for _, g := range groups {
		for _, stem := range g.Stems {
			if seen[stem] {
				t.Errorf("%s stands for two groups", stem)
			}
			seen[stem] = true
		}
	}
}

func TestGroupsOfFewSentences(t *testing.T) {
	t.Parallel()
	for name, sample := range map[string][]keywords.Sentence{
		"nothing": nil, "empty answers": {{}, {}, {}}, "one answer": {said("The price of bread.")},
		"nothing in common": {said("The price of bread."), said("A courier rang."), said("Blue shoes.")},
	} {
		if got := keywords.Groups(sample, nil); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAnotherOrderFindsTheSameWords(t *testing.T) {
	t.Parallel()
	labels := func(all []keywords.Sentence) (list []string) {
		for _, g := range keywords.Groups(all, nil) {
			list = append(list, strings.Join(slices.Sorted(slices.Values(g.Stems)), " "))
		}
		slices.Sort(list)
		return list
	}
	backwards := sample()
	slices.Reverse(backwards)
	if diff := cmp.Diff(labels(sample()), labels(backwards)); diff != "" {
		t.Error(diff)
	}
}

// A group is named by a phrase or by words that somebody said.
func TestNamesWereSaid(t *testing.T) {
	t.Parallel()
	groups, all := keywords.Groups(sample(), nil), strings.ToLower(strings.Join(answers, "\n"))
	for _, g := range groups {
		for label := range strings.SplitSeq(g.Label, ", ") {
			if !strings.Contains(all, strings.ToLower(label)) {
				t.Errorf("nobody said %q", label)
			}
		}
		if !g.Phrase && len(g.Words) < 2 {
			t.Errorf("%q is a group of one word", g.Label)
		}
	}
}

// Where words come together no more often than chance would have it, only a phrase that is said often stands, and for itself.
func TestFrequentPhrasesStandForThemselves(t *testing.T) {
	t.Parallel()
	var all []keywords.Sentence
	for _, rest := range []string{"garden", "bicycle", "window", "teacher", "hospital", "river"} {
		all = append(all, said("The battery life and the "+rest+"."), said("A "+rest+" is nice to have around."))
	}
	groups := keywords.Groups(all, nil)
	if len(groups) == 0 || !slices.ContainsFunc(groups, func(g keywords.Group) bool { return g.Label == "battery life" }) {
		t.Fatalf("%+v", groups)
	}
	for _, g := range groups {
		if g.Label == "battery life" && g.Phrase && g.Find(terms("The life of a battery is long.")) > 0 && g.Find(terms("A battery makes a wonderful quiet life.")) > 0 {
			t.Errorf("%+v is found where its words are apart", g)
		}
	}
}

// A phrase names a group only if most of its members said it, and the words of the question make no group and no phrase.
func TestNamesClaimNoMoreThanWasSaid(t *testing.T) {
	t.Parallel()
	var all []keywords.Sentence
	for i, place := range []string{"garden", "bicycle", "window", "teacher", "hospital", "river"} {
		text := "The morning timer would spare me the " + place + "."
		if i < 2 {
			text = "The morning timer: the " + place + " of my battery life."
		}
		all = append(all, said(text), said("My battery broke in the "+place+", and nobody repaired it for a whole life."), said("A "+place+" is nice."))
	}
	ignored := map[string]bool{}
	for _, term := range terms("What do you think of the morning timer?") {
		ignored[term.Stem] = true
	}
	for _, g := range keywords.Groups(all, ignored) {
		if slices.ContainsFunc(g.Stems, func(stem string) bool { return ignored[stem] }) {
			t.Errorf("%q has words of the question", g.Label)
		}
		members, sayers := 0, 0
		for _, s := range all {
			if g.Find(s.Terms) > 0 {
				members++
			}
			if strings.Contains(strings.ToLower(s.Text), strings.ToLower(g.Label)) {
				sayers++
			}
		}
		if !strings.Contains(g.Label, ", ") && 2*sayers <= members {
			t.Errorf("%q was said by %d of %d", g.Label, sayers, members)
		}
	}
	if groups := keywords.Groups(all, nil); !slices.ContainsFunc(groups, func(g keywords.Group) bool { return strings.Contains(g.Label, "timer") }) {
		t.Errorf("the test has no group that the words of the question would make: %+v", groups)
	}
}
