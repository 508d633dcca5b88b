package org_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/domain/org"
)

func colour(t testing.TB, s string) org.Colour {
	t.Helper()
	c, err := org.ParseColour(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseColour(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"#1f5f5b": "#1f5f5b", "#ABCDEF": "#abcdef", "#000000": "#000000"} {
		if got := colour(t, s); got.String() != want || got == 0 {
			t.Errorf("%s is read as %s", s, got)
		}
	}
	for _, s := range []string{"", "1f5f5b", "#1f5", "#1f5f5", "#1f5f5b0", "#gggggg", "red", "#1f5f5é"} {
		if c, err := org.ParseColour(s); !errors.Is(err, org.ErrColour) || c != 0 {
			t.Errorf("%q is read as %s, %v", s, c, err)
		}
	}
	if org.Colour(0).String() != "" {
		t.Error("no colour has a text")
	}
}

// TestContrast checks known values of the definition.
func TestContrast(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#ffffff", "#ffffff", 1}, {"#777777", "#ffffff", 4.48}, {"#ffffff", "#767676", 4.54}, {"#ff0000", "#ffffff", 4}} {
		if got := org.Contrast(colour(t, tt.a), colour(t, tt.b)); math.Abs(got-tt.want) > 0.01 {
			t.Errorf("%s on %s: %.3f, want %.2f", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestPalettesCanBeRead checks that for any colour of an organization its buttons are visible and everything on and beside
// them is readable, on both grounds.
func TestPalettesCanBeRead(t *testing.T) {
	t.Parallel()
	check := func(t interface{ Errorf(string, ...any) }, c org.Colour) {
		for _, g := range []org.Ground{org.Light, org.Dark} {
			p := c.On(g)
			for name, pair := range map[string]struct {
				a, b  org.Colour
				least float64
			}{
				"fill on paper": {p.Fill, g.Paper, 3}, "fill on surface": {p.Fill, g.Surface, 3}, "text on fill": {p.OnFill, p.Fill, 4.5},
				"accent on paper": {p.Accent, g.Paper, 4.5}, "accent on surface": {p.Accent, g.Surface, 4.5}, "accent on tint": {p.Accent, p.Tint, 4.5},
				"text on accent": {p.OnAccent, p.Accent, 4.5}, "soft text on tint": {g.Soft, p.Tint, 4.5},
			} {
				if got := org.Contrast(pair.a, pair.b); got < pair.least {
					t.Errorf("%s, dark %v, %s: %s and %s have a contrast of %.2f", c, g.Dark, name, pair.a, pair.b, got)
				}
			}
		}
	}
	for _, s := range []string{"#000000", "#ffffff", "#fff9c4", "#0a0a0a", "#808080", "#ff0000", "#00ff00", "#0000ff", "#ffd400", "#777777", "#757575"} {
		check(t, colour(t, s))
	}
	rapid.Check(t, func(t *rapid.T) {
		c, err := org.ParseColour(fmt.Sprintf("#%06x", rapid.IntRange(0, 1<<24-1).Draw(t, "colour")))
		if err != nil {
			t.Fatal(err)
		}
		check(t, c)
	})
}

// TestGoodColoursStay checks that a readable colour is shown as it is, and that a pale one keeps its hue.
func TestGoodColoursStay(t *testing.T) {
	t.Parallel()
	teal := colour(t, "#1f5f5b")
	if p := teal.On(org.Light); p.Fill != teal || p.Accent != teal {
		t.Errorf("%s becomes %+v", teal, p)
	}
	yellow := colour(t, "#ffd400")
	if p := yellow.On(org.Dark); p.Fill != yellow || p.Accent != yellow {
		t.Errorf("%s becomes %+v in the dark", yellow, p)
	}
	if p := yellow.On(org.Light); p.Fill == yellow || org.Contrast(p.Fill, org.Light.Surface) > 4 || org.Contrast(p.Accent, org.Light.Paper) > 5 {
		t.Errorf("%s becomes %+v: darker than it need be, or not at all", yellow, p)
	}
}
