package guide_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
)

func TestEncodeThenDecodeIsTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := guidetest.Guide(t)
		got, err := guide.Decode(guide.Encode(want), guide.Options{Stored: true})
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("err %v (-want +got):\n%s", err, diff)
		}
	})
}

func TestCreateAcceptsWhatItsGeneratorDraws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		if _, err := guide.Decode(guide.Encode(guidetest.Creatable(t)), guide.Options{}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestEncodeSample(t *testing.T) {
	t.Parallel()
	want := guidetest.Rich()
	got, err := guide.Decode(guide.Encode(want), guide.Options{})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("err %v (-want +got):\n%s", err, diff)
	}
}
