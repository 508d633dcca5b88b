package guide

import (
	"verbatim/internal/domain/strictjson"
)

// The bounds of config.verbatim.consent.
const (
	MaxContact    = 1000 // characters
	MaxMinimumAge = 120
)

// Consent holds what the author tells participants before they agree to begin. It is an extension of the contract by this program: the object
// consent of config.verbatim. The page adds what follows by itself: what is recorded, and who processes it.
type Consent struct {
	Asked      bool   // the object is there; otherwise the page has the service's own words alone
	Text       string // as paragraphs; may be empty
	Contact    string // whom to ask; may be empty
	PrivacyURL string // absolute http(s); may be empty
	Retention  string // how long the data are kept, in the author's words; may be empty
	MinimumAge int    // 0: participants are not asked for their age
}

// consent reads config.verbatim.consent.
func (d *decoder) consent(o *strictjson.Object) Consent {
	return Consent{
		Asked:      true,
		Text:       d.text(o, "text", strictjson.Optional, MaxLongText),
		Contact:    d.text(o, "contact", strictjson.Optional, MaxContact),
		PrivacyURL: o.URL("privacyUrl", strictjson.Optional, d.upTo(MaxURL)),
		Retention:  d.text(o, "retention", strictjson.Optional, MaxText),
		MinimumAge: o.Int("minimumAge", strictjson.Optional, 1, MaxMinimumAge),
	}
}

type wireConsent struct {
	Text       string `json:"text,omitempty"`
	Contact    string `json:"contact,omitempty"`
	PrivacyURL string `json:"privacyUrl,omitempty"`
	Retention  string `json:"retention,omitempty"`
	MinimumAge int    `json:"minimumAge,omitempty"`
}

func storedConsent(c Consent) *wireConsent {
	if !c.Asked {
		return nil
	}
	return &wireConsent{c.Text, c.Contact, c.PrivacyURL, c.Retention, c.MinimumAge}
}
