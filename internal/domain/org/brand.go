package org

import "errors"

// Brand is the appearance of an organization to participants.
type Brand struct {
	Name   string
	Colour Colour // zero: no colour of its own
	Logo   Logo   // zero: no logo
}

// Logo is a picture that passed the checks. Its bytes are stored as an object.
type Logo struct {
	File          string // the hash of its content, with the extension of its type; empty: no logo
	Width, Height int    // in pixels
}

// LogoPrefix is the prefix of the object names of logos.
const LogoPrefix = "logos/"

// Object returns the name of the object that holds the bytes.
func (l Logo) Object() string { return LogoPrefix + l.File }

// The limits of a logo. A page shows it about 40 pixels high.
const (
	MaxLogoBytes  = 512 << 10
	MaxLogoPixels = 2000 // of width and of height
)

// Errors of a brand. Their texts are made for operators.
var (
	ErrColour     = errors.New(`a colour is written as # and six hexadecimal digits, for example "#1f5f5b"`)
	ErrLogoSVG    = errors.New("an SVG can contain scripts and is not accepted as a logo: export it as PNG, twice as large as it will be shown")
	ErrLogoType   = errors.New("a logo must be a PNG, JPEG or WebP picture")
	ErrLogoLarge  = errors.New("a logo may have at most 512 KiB")
	ErrLogoPixels = errors.New("a logo must have from 8 to 2000 pixels on each side")
	ErrLogoBroken = errors.New("the picture is damaged or incomplete")
)
