package sav_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"verbatim/internal/platform/sav"
)

// TestRefused: what the format cannot hold is refused, not cut.
func TestRefused(t *testing.T) {
	t.Parallel()
	for what, variables := range map[string][]sav.Variable{
		"no name":            {{}},
		"a digit in front":   {{Name: "1a"}},
		"a space":            {{Name: "a b"}},
		"a reserved word":    {{Name: "And"}},
		"65 letters":         {{Name: strings.Repeat("a", 65)}},
		"a name twice":       {{Name: "a"}, {Name: "A"}},
		"too wide a text":    {{Name: "a", Width: sav.MaxWidth + 1}},
		"too long a label":   {{Name: "a", Label: strings.Repeat("a", sav.MaxLabel+1)}},
		"labels of a text":   {{Name: "a", Width: 8, Values: []sav.Value{{Number: 1, Label: "one"}}}},
		"four values":        {{Name: "a", Missing: []float64{1, 2, 3, 4}}},
		"too long for value": {{Name: "a", Values: []sav.Value{{Number: 1, Label: strings.Repeat("a", sav.MaxValueLabel+1)}}}},
	} {
		if _, err := sav.NewWriter(&bytes.Buffer{}, variables, "test", "", time.Time{}); !errors.Is(err, sav.ErrVariable) {
			t.Errorf("%s: %v", what, err)
		}
	}
	w, err := sav.NewWriter(&bytes.Buffer{}, []sav.Variable{{Name: "a", Width: 4}, {Name: "b"}}, "test", "", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]sav.Cell{{}}); err == nil {
		t.Error("a case of one cell was written for two variables")
	}
	if cut, err := w.Write([]sav.Cell{{Text: "äöü"}, {Missing: true}}); cut != 1 || err != nil {
		t.Errorf("%d texts cut, %v", cut, err)
	}
	if got := sav.Time(time.Date(1582, 10, 14, 0, 0, 1, 0, time.UTC)); got != 1 {
		t.Errorf("the second second of the calendar is %v", got)
	}
}
