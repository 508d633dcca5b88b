package org

import "errors"

// Brand is how an organization shows itself to participants.
type Brand struct {
	Name   string
	Colour Colour // zero: none of its own
	Logo   Logo   // zero: none
}

// Logo is a picture that was checked. Its bytes are an object under its name.
type Logo struct {
	File          string // the hash of its content, with the ending of its type; empty: there is none
	Width, Height int    // in pixels
}

// LogoPrefix leads the names of the objects that logos are.
const LogoPrefix = "logos/"

// Object is the name of the object that holds the bytes.
func (l Logo) Object() string { return LogoPrefix + l.File }

// Limits of a logo. A page shows it some 40 pixels high.
const (
	MaxLogoBytes  = 512 << 10
	MaxLogoPixels = 2000 // on either side
)

// Errors of a brand. Their texts are made for operators.
var (
	ErrColour     = errors.New(`a colour is written as # and six hexadecimal digits, for example "#1f5f5b"`)
	ErrLogoSVG    = errors.New("an SVG can hold scripts and is not taken as a logo: export it as PNG, twice as large as it is to be shown")
	ErrLogoType   = errors.New("a logo is a PNG, JPEG or WebP picture; this file is none")
	ErrLogoLarge  = errors.New("a logo has at most 512 KiB")
	ErrLogoPixels = errors.New("a logo has from 8 to 2000 pixels on each side")
	ErrLogoBroken = errors.New("the picture is damaged or not complete")
)
