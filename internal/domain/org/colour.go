package org

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
)

// Colour is an opaque sRGB colour: red, green and blue in the lower 24 bits, below a bit that is always set. Its zero value
// is no colour, which is not black.
type Colour uint32

const colourSet Colour = 1 << 24

func rgb(red, green, blue uint8) Colour {
	return colourSet | Colour(red)<<16 | Colour(green)<<8 | Colour(blue)
}

// ParseColour reads a colour such as "#1f5f5b". It fails with ErrColour.
func ParseColour(s string) (Colour, error) {
	if len(s) != 7 || s[0] != '#' {
		return 0, ErrColour
	}
	parts, err := hex.DecodeString(s[1:])
	if err != nil {
		return 0, ErrColour
	}
	return rgb(parts[0], parts[1], parts[2]), nil
}

// String returns the form that ParseColour reads, or "" for no colour.
func (c Colour) String() string {
	if c == 0 {
		return ""
	}
	return fmt.Sprintf("#%06x", uint32(c&^colourSet))
}

// mapParts returns the colour with fn applied to its red, green and blue.
func (c Colour) mapParts(fn func(part uint8) uint8) Colour {
	return rgb(fn(uint8(c>>16)), fn(uint8(c>>8)), fn(uint8(c)))
}

// Ground holds the background and text colours of a page, light or dark. The values are those of the participant's style
// sheet.
type Ground struct {
	Dark           bool
	Paper, Surface Colour // behind everything, and behind the question
	Soft           Colour // the palest text colour
}

// The two grounds.
var (
	Light = Ground{Paper: colourSet | 0xf5f3ee, Surface: colourSet | 0xfffefb, Soft: colourSet | 0x5d646b}
	Dark  = Ground{Dark: true, Paper: colourSet | 0x15181a, Surface: colourSet | 0x1e2225, Soft: colourSet | 0xa5abaf}
)

// Palette holds the colours derived from a brand's colour for one ground.
type Palette struct {
	Fill, OnFill     Colour // buttons and progress, and the text on them
	Accent, OnAccent Colour // links, marks and outlines, and the text on an area of that colour
	Tint             Colour // a faint tone of the colour behind text
}

// The contrast that WCAG 2.2 requires (1.4.3 for text, 1.4.11 for controls).
const (
	textContrast    = 4.5
	controlContrast = 3
)

var (
	white    = colourSet | 0xffffff
	darkText = colourSet | 0x0e1113 // text on light areas; darker than the dark ground's paper
)

// On returns the palette of a colour: the colour itself if it is visible and readable on the ground, and otherwise the
// nearest darker (on a light ground) or lighter shade that is. Fill has a contrast of 3 to paper and surface and carries text
// with a contrast of 4.5, also while a pointer is over it (hovered); Accent has a contrast of 4.5 to paper, surface and tint,
// because it is used for text.
func (c Colour) On(g Ground) Palette {
	var p Palette
	p.Fill, p.OnFill = c.firstShade(g, func(fill Colour) (Colour, bool) {
		if min(Contrast(fill, g.Paper), Contrast(fill, g.Surface)) < controlContrast {
			return 0, false
		}
		for _, text := range []Colour{white, darkText} {
			if min(Contrast(text, fill), Contrast(text, hovered(fill))) >= textContrast {
				return text, true
			}
		}
		return 0, false
	})
	p.Accent, p.Tint = c.firstShade(g, func(accent Colour) (Colour, bool) {
		tint := tintOf(accent, g)
		return tint, min(Contrast(accent, g.Paper), Contrast(accent, g.Surface), Contrast(accent, tint)) >= textContrast
	})
	p.OnAccent = white // the surface is hardly lighter, so the accent is readable on it
	if g.Dark {
		p.OnAccent = darkText
	}
	return p
}

// steps is the number of shades tried on the way to black or white.
const steps = 64

// firstShade returns the first shade of c that is good, with the second result of good. Black on a light ground and white on a
// dark one always are.
func (c Colour) firstShade(g Ground, good func(Colour) (with Colour, ok bool)) (shade, with Colour) {
	end := 0.0
	if g.Dark {
		end = 1
	}
	shade = c
	for step := range steps + 1 {
		if step > 0 {
			shade = c.shade(end, float64(step)/steps)
		}
		var ok bool
		if with, ok = good(shade); ok {
			break
		}
	}
	return shade, with
}

// maxVividness bounds how saturated a shade becomes: a colour that is nearly grey, such as ink or cream, must not become colourful.
const maxVividness = 3

// shade moves c by a share of the way towards a lightness, 0 for black and 1 for white, keeping its hue. It works in hue,
// saturation and lightness, since mixing a pale colour with black looks muddy.
func (c Colour) shade(end, share float64) Colour {
	parts := [3]float64{}
	for i, shift := range []int{16, 8, 0} {
		parts[i] = float64(uint8(c>>shift)) / 255
	}
	low, high := slices.Min(parts[:]), slices.Max(parts[:])
	light, chroma := (low+high)/2, high-low
	saturation := 0.0
	if chroma > 0 {
		saturation = min(chroma/(1-math.Abs(2*light-1)), maxVividness*chroma)
	}
	light += (end - light) * share
	now := (1 - math.Abs(2*light-1)) * saturation
	part := func(v float64) uint8 {
		if chroma > 0 {
			v = (v - low) / chroma
		}
		return uint8(math.Round(255 * (light - now/2 + v*now)))
	}
	return rgb(part(parts[0]), part(parts[1]), part(parts[2]))
}

// tintOf returns as much of the accent as a background for text as the palest text allows.
func tintOf(accent Colour, g Ground) Colour {
	for share := 0.12; ; share -= 0.02 {
		if tint := mix(g.Surface, accent, max(share, 0)); share <= 0 || Contrast(tint, g.Soft) >= textContrast {
			return tint
		}
	}
}

// hovered returns a button's colour while a pointer is over it: the style sheet's brightness(1.1).
func hovered(c Colour) Colour {
	return c.mapParts(func(part uint8) uint8 { return uint8(math.Min(255, math.Round(float64(part)*1.1))) })
}

// mix returns the colour a share of the way from a to b.
func mix(a, b Colour, share float64) Colour {
	between := func(shift uint) uint8 {
		from, to := float64(uint8(a>>shift)), float64(uint8(b>>shift))
		return uint8(math.Round(from + (to-from)*share))
	}
	return rgb(between(16), between(8), between(0))
}

// Contrast returns the contrast ratio of two colours, from 1 to 21, as WCAG 2.2 defines it.
func Contrast(a, b Colour) float64 {
	lighter, darker := luminance(a), luminance(b)
	if lighter < darker {
		lighter, darker = darker, lighter
	}
	return (lighter + 0.05) / (darker + 0.05)
}

// luminance returns the relative luminance defined by WCAG 2.2.
func luminance(c Colour) float64 {
	linear := func(part uint8) float64 {
		s := float64(part) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(uint8(c>>16)) + 0.7152*linear(uint8(c>>8)) + 0.0722*linear(uint8(c))
}
