package analysis_test

import (
	"testing"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store/storetest"
)

// TestNearCopies: an answer that an earlier response has with a few words changed is found, and its own earlier answer is not.
func TestNearCopies(t *testing.T) {
	t.Parallel()
	scene := storetest.NewScene(t, storetest.New(t))
	first := interviewed(t, scene, response.Complete, "My grandmother kept them in the cellar on straw, and in March they still smelled like the orchard behind her house.")
	second := interviewed(t, scene, response.Complete, "My grandfather kept them in the cellar on straw, and in April they still smelled like the orchard behind his house.")
	third := interviewed(t, scene, response.Complete, "I only eat the red ones from the market, and never the skin, because the wax on it makes my tongue feel furry.")
	a := &analyst{}
	for _, r := range []response.Response{first, second, third} {
		if err := run(t, scene, a, r); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.read[0].NearCopies) != 0 || !a.read[1].NearCopies[1] || len(a.read[1].Copies) != 0 || len(a.read[2].NearCopies) != 0 {
		t.Errorf("near copies: %v, %v, %v", a.read[0].NearCopies, a.read[1].NearCopies, a.read[2].NearCopies)
	}
}

// TestEarlierAnswers: an analyst is given what earlier responses of the study say, and never what later ones do.
func TestEarlierAnswers(t *testing.T) {
	t.Parallel()
	scene := storetest.NewScene(t, storetest.New(t))
	var all []response.Response
	for _, text := range []string{
		"My grandmother kept them in the cellar on straw until March.", "I eat the red ones from the market and never the skin of them.", "We press ours in October with the neighbours and share the juice.",
	} {
		all = append(all, interviewed(t, scene, response.Complete, text))
	}
	a := &analyst{}
	for _, r := range all {
		if err := run(t, scene, a, r); err != nil {
			t.Fatal(err)
		}
	}
	for i, in := range a.read {
		if len(in.Earlier) != i {
			t.Errorf("response %d is compared with %q", i+1, in.Earlier)
		}
	}
}
