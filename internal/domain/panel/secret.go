package panel

import "slices"

// Secret is the purpose of a secret that a study shares with its panel.
type Secret string

// The purposes of secrets.
const (
	RedirectSecret Secret = "redirect" // signs the addresses that participants go back to
	PostbackSecret Secret = "postback" // signs what the panel's server is told
	LinkSecret     Secret = "link"     // signs the study's links
	PanelKey       Secret = "key"      // the panel's API key, sent in the header that Postback.KeyHeader names
)

// Secrets lists every purpose.
var Secrets = []Secret{RedirectSecret, PostbackSecret, LinkSecret, PanelKey}

// Needs reports whether the settings use a secret.
func (s *Settings) Needs(of Secret) bool {
	switch of {
	case RedirectSecret:
		return s.Signature != nil && slices.ContainsFunc(Outcomes, func(o Outcome) bool { return s.Redirects.Addresses[o] != "" && s.Signs(o) })
	case PostbackSecret:
		return s.Postback != nil && s.Postback.KeyHeader == ""
	case LinkSecret:
		return s.SignedLinks
	case PanelKey:
		return s.Postback != nil && s.Postback.KeyHeader != ""
	}
	return false
}

// Without returns what happens while a secret that the settings need is not set.
func (of Secret) Without() string {
	switch of {
	case RedirectSecret:
		return "redirects that must be signed are left out"
	case PostbackSecret:
		return "postbacks are sent without a signature"
	case LinkSecret:
		return "signed links are refused, so nobody can begin"
	case PanelKey:
		return "no postback is sent"
	}
	return ""
}
