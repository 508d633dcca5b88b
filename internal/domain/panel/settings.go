package panel

import "slices"

// Outcome names the end of an interview, or of the attempt to begin one, for a panel.
type Outcome string

// The outcomes.
const (
	Complete    Outcome = "complete"
	ScreenedOut Outcome = "screened_out"
	QuotaFull   Outcome = "quota_full"
	Closed      Outcome = "closed" // the study takes nobody now
	Withdrawn   Outcome = "withdrawn"
)

// Outcomes lists every outcome.
var Outcomes = []Outcome{Complete, ScreenedOut, QuotaFull, Closed, Withdrawn}

// Settings describes the panel of a study. The zero value of each part switches it off.
type Settings struct {
	Participant Participant
	SignedLinks bool // only links with a valid signature begin an interview
	Redirects   Redirects
	Statuses    map[Outcome]string // what {{status}} stands for; an outcome that is missing stands for itself
	Signature   *Signature         // of the redirects; nil: they are not signed
	Postback    *Postback          // nil: the panel's server is told nothing
	Code        Code
}

// Participant names the parameter of the link that identifies a participant, and the states after which one may take part again.
type Participant struct {
	Parameter       string // empty: participants are not identified
	Optional        bool   // links without the parameter are accepted, and not limited
	Again           []Earlier
	Resume          Resume
	RememberDeleted bool // a participant whose response was deleted may not take part again
}

// Earlier is the state of an earlier interview of the same participant.
type Earlier string

// The states that a study may allow another interview after.
const (
	EarlierStarted     Earlier = "started"
	EarlierComplete    Earlier = "complete"
	EarlierScreenedOut Earlier = "screened_out"
	EarlierQuotaFull   Earlier = "quota_full"
)

// EarlierStates lists every state of an earlier interview.
var EarlierStates = []Earlier{EarlierStarted, EarlierComplete, EarlierScreenedOut, EarlierQuotaFull}

// Resume is the way in which a participant can go on with an interview.
type Resume string

// The ways to resume. The empty value means by the token.
const (
	ResumeToken    Resume = "token"    // whoever has the interview's address, such as the browser it began in
	ResumeAnywhere Resume = "anywhere" // whoever opens the study's link with the same identifying parameter, too
)

// Resumes lists the ways to resume.
var Resumes = []Resume{ResumeToken, ResumeAnywhere}

// MayRepeat reports whether another interview may begin after an earlier one in a state.
func (p *Participant) MayRepeat(state Earlier) bool { return slices.Contains(p.Again, state) }

// Redirects are the addresses that participants go back to, by outcome, as templates.
type Redirects struct {
	Addresses map[Outcome]string
	After     int // seconds until the page goes on by itself; 0: a time for reading what it shows
	Manual    bool
}

// Algorithm is the way in which a redirect is signed.
type Algorithm string

// The algorithms. Dynata multiplies the secret by the parameter pid and subtracts the parameter k2; the others are HMACs.
const (
	SHA256 Algorithm = "hmac-sha256"
	SHA512 Algorithm = "hmac-sha512"
	SHA1   Algorithm = "hmac-sha1"
	Dynata Algorithm = "dynata"
)

// Algorithms lists every algorithm.
var Algorithms = []Algorithm{SHA256, SHA512, SHA1, Dynata}

// Encoding is the form in which the bytes of an HMAC are written.
type Encoding string

// The encodings. The empty value means Hex.
const (
	Hex       Encoding = "hex"
	Base64    Encoding = "base64"
	Base64URL Encoding = "base64url" // without padding
)

// Encodings lists every encoding.
var Encodings = []Encoding{Hex, Base64, Base64URL}

// Signature says how redirects are signed.
type Signature struct {
	Algorithm Algorithm
	Parameter string    // of the redirect's query; it is added as the last one
	Signs     string    // template of the text that is signed; empty: {{url}}
	Encoding  Encoding  // not for Dynata
	Outcomes  []Outcome // whose redirects are signed; nil: all
}

// Postback says how the panel's server is told.
type Postback struct {
	URL       string // template
	Get       bool   // by GET, without a body; else by POST
	Body      string // template of a JSON text; empty: the program's own
	KeyHeader string // the header that carries the panel's API key; empty: none
	Outcomes  []Outcome
}

// Code is the completion code that participants copy. At most one field is set.
type Code struct {
	Fixed       string
	PerResponse bool
}

// Sends reports whether the panel's server is told of an outcome.
func (s *Settings) Sends(outcome Outcome) bool {
	return s != nil && s.Postback != nil && outcome != Closed && (len(s.Postback.Outcomes) == 0 || slices.Contains(s.Postback.Outcomes, outcome))
}

// Signs reports whether the redirect of an outcome is signed.
func (s *Settings) Signs(outcome Outcome) bool {
	return s.Signature != nil && (len(s.Signature.Outcomes) == 0 || slices.Contains(s.Signature.Outcomes, outcome))
}

// Status returns what {{status}} stands for.
func (s *Settings) Status(outcome Outcome) string {
	if status, ok := s.Statuses[outcome]; ok {
		return status
	}
	return string(outcome)
}

// maxReading and minReading bound the time for reading the page at the end, in seconds. People read about 15 characters in a second.
const (
	minReading, maxReading = 6, 30
	charactersPerSecond    = 15
)

// Wait returns after how many seconds the page at the end goes on by itself if it shows a text of some characters; 0: it does not.
func (r *Redirects) Wait(characters int) int {
	switch {
	case r.Manual:
		return 0
	case r.After > 0:
		return r.After
	}
	return min(max(minReading, 4+characters/charactersPerSecond), maxReading)
}
