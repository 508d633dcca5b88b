package guide

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/strictjson"
)

// The bounds of config.verbatim.panel, in characters.
const (
	MaxPanelName    = 100  // of a query parameter, a header or a status
	MaxPanelBody    = 4000 // of a postback
	MaxPanelCode    = 100  // of a completion code
	MaxPanelSeconds = 120  // until the page at the end goes on by itself
)

// panelOutcomes are the keys of an object by outcome, in the order of panel.Outcomes.
var panelOutcomes = []string{"complete", "screenedOut", "quotaFull", "closed", "withdrawn"}

func names[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = string(value)
	}
	return list
}

func values[T ~string](names []string) []T {
	if len(names) == 0 {
		return nil
	}
	list := make([]T, len(names))
	for i, name := range names {
		list[i] = T(name)
	}
	return list
}

// panel reads config.verbatim.panel, an extension of the contract by this program.
func (d *decoder) panel(o *strictjson.Object) *panel.Settings {
	var s panel.Settings
	o.Object("participant", strictjson.Optional, func(o *strictjson.Object) {
		s.Participant = panel.Participant{
			Parameter:       d.nonEmpty(o, "parameter", strictjson.Required, MaxPanelName),
			Optional:        o.Bool("optional", strictjson.Optional),
			Again:           values[panel.Earlier](o.Enums("again", strictjson.Optional, names(panel.EarlierStates), d.upTo(len(panel.EarlierStates)))),
			Resume:          panel.Resume(o.Enum("resume", strictjson.Optional, names(panel.Resumes))),
			RememberDeleted: o.Bool("rememberDeleted", strictjson.Optional),
		}
	})
	s.SignedLinks = o.Bool("signedLinks", strictjson.Optional)
	o.Object("redirects", strictjson.Optional, func(o *strictjson.Object) {
		s.Redirects.Addresses = d.byOutcome(o, MaxURL)
		s.Redirects.After = o.Int("afterSeconds", strictjson.Optional, 1, MaxPanelSeconds)
		s.Redirects.Manual = o.Bool("manual", strictjson.Optional)
	})
	o.Object("statuses", strictjson.Optional, func(o *strictjson.Object) { s.Statuses = d.byOutcome(o, MaxPanelName) })
	o.Object("signature", strictjson.Optional, func(o *strictjson.Object) {
		s.Signature = &panel.Signature{
			Algorithm: panel.Algorithm(o.Enum("algorithm", strictjson.Required, names(panel.Algorithms))),
			Parameter: d.nonEmpty(o, "parameter", strictjson.Required, MaxPanelName),
			Signs:     d.text(o, "signs", strictjson.Optional, MaxURL),
			Encoding:  panel.Encoding(o.Enum("encoding", strictjson.Optional, names(panel.Encodings))),
			Outcomes:  d.outcomes(o),
		}
	})
	o.Object("postback", strictjson.Optional, func(o *strictjson.Object) {
		s.Postback = &panel.Postback{
			URL:       d.nonEmpty(o, "url", strictjson.Required, MaxURL),
			Get:       o.Enum("method", strictjson.Optional, []string{"POST", "GET"}) == "GET",
			Body:      d.text(o, "body", strictjson.Optional, MaxPanelBody),
			KeyHeader: d.text(o, "keyHeader", strictjson.Optional, MaxPanelName),
			Outcomes:  d.outcomes(o),
		}
	})
	o.Object("completionCode", strictjson.Optional, func(o *strictjson.Object) {
		s.Code = panel.Code{Fixed: d.nonEmpty(o, "fixed", strictjson.Optional, MaxPanelCode), PerResponse: o.Bool("perResponse", strictjson.Optional)}
	})
	return &s
}

func (d *decoder) outcomes(o *strictjson.Object) []panel.Outcome {
	return values[panel.Outcome](o.Enums("outcomes", strictjson.Optional, names(panel.Outcomes), d.upTo(len(panel.Outcomes))))
}

// byOutcome reads a text for each outcome; nil if there is none.
func (d *decoder) byOutcome(o *strictjson.Object, limit int) map[panel.Outcome]string {
	found := map[panel.Outcome]string{}
	for i, key := range panelOutcomes {
		if text := d.nonEmpty(o, key, strictjson.Optional, limit); text != "" {
			found[panel.Outcomes[i]] = text
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// headerName matches the headers that may carry a panel's API key.
var headerName = regexp.MustCompile(`^(?i:authorization|api-key|x-[a-z0-9-]+)$`)

// queryName matches names of query parameters that need no escaping.
var queryName = regexp.MustCompile(`^[A-Za-z0-9._~-]+$`)

// panelFits checks the templates of config.verbatim.panel, and that its parts fit each other.
func panelFits(r *rules) {
	s := r.guide.Config.Panel
	if s == nil {
		return
	}
	const place = "config.verbatim.panel"
	identified := s.Participant.Parameter != ""
	fails := func(at string, err error) {
		if err != nil {
			r.report(place+"."+at, "%v", err)
		}
	}
	if strings.HasPrefix(s.Participant.Parameter, "_") {
		r.report(place+".participant.parameter", "parameters that begin with an underscore belong to the service")
	}
	for i, outcome := range panel.Outcomes {
		if address, ok := s.Redirects.Addresses[outcome]; ok {
			fails("redirects."+panelOutcomes[i], panel.CheckAddress(address, identified))
		}
	}
	if s.Redirects.Manual && s.Redirects.After > 0 {
		r.report(place+".redirects.afterSeconds", "has no effect where manual is true: leave one of them out")
	}
	if g := s.Signature; g != nil {
		if !queryName.MatchString(g.Parameter) {
			r.report(place+".signature.parameter", "must have letters, digits and -._~ only")
		}
		if g.Algorithm == panel.Dynata && (g.Signs != "" || g.Encoding != "") {
			r.report(place+".signature", "the algorithm dynata has neither signs nor encoding")
		}
		fails("signature.signs", panel.CheckText(panel.Signed, g.Signs, identified))
	}
	if p := s.Postback; p != nil {
		fails("postback.url", panel.CheckAddress(p.URL, identified))
		switch {
		case p.Body != "" && p.Get:
			r.report(place+".postback.body", "a GET has no body")
		case p.Body != "":
			fails("postback.body", s.CheckBody(p.Body, identified))
		}
		if p.KeyHeader != "" && !headerName.MatchString(p.KeyHeader) {
			r.report(place+".postback.keyHeader", "must be Authorization, Api-Key, or begin with X-")
		}
		if i := slices.Index(p.Outcomes, panel.Closed); i >= 0 {
			r.report(place+".postback.outcomes["+strconv.Itoa(i)+"]", "there is no interview to tell of when the study is closed")
		}
	}
	if s.Code.Fixed != "" && s.Code.PerResponse {
		r.report(place+".completionCode", "has fixed and perResponse: leave one of them out")
	}
}

// The stored form of config.verbatim.panel.
type (
	wirePanel struct {
		Participant *wireParticipant `json:"participant,omitempty"`
		SignedLinks bool             `json:"signedLinks,omitempty"`
		Redirects   map[string]any   `json:"redirects,omitempty"`
		Statuses    map[string]any   `json:"statuses,omitempty"`
		Signature   *wireSignature   `json:"signature,omitempty"`
		Postback    *wirePostback    `json:"postback,omitempty"`
		Code        *wireCode        `json:"completionCode,omitempty"`
	}
	wireParticipant struct {
		Parameter       string          `json:"parameter"`
		Optional        bool            `json:"optional,omitempty"`
		Again           []panel.Earlier `json:"again,omitempty"`
		Resume          panel.Resume    `json:"resume,omitempty"`
		RememberDeleted bool            `json:"rememberDeleted,omitempty"`
	}
	wireSignature struct {
		Algorithm panel.Algorithm `json:"algorithm"`
		Parameter string          `json:"parameter"`
		Signs     string          `json:"signs,omitempty"`
		Encoding  panel.Encoding  `json:"encoding,omitempty"`
		Outcomes  []panel.Outcome `json:"outcomes,omitempty"`
	}
	wirePostback struct {
		URL       string          `json:"url"`
		Method    string          `json:"method,omitempty"`
		Body      string          `json:"body,omitempty"`
		KeyHeader string          `json:"keyHeader,omitempty"`
		Outcomes  []panel.Outcome `json:"outcomes,omitempty"`
	}
	wireCode struct {
		Fixed       string `json:"fixed,omitempty"`
		PerResponse bool   `json:"perResponse,omitempty"`
	}
)

func storedPanel(s *panel.Settings) *wirePanel {
	if s == nil {
		return nil
	}
	wire := &wirePanel{SignedLinks: s.SignedLinks, Redirects: storedByOutcome(s.Redirects.Addresses), Statuses: storedByOutcome(s.Statuses)}
	if s.Participant.Parameter != "" {
		wire.Participant = (*wireParticipant)(&s.Participant)
	}
	if s.Redirects.After > 0 {
		wire.Redirects["afterSeconds"] = s.Redirects.After
	}
	if s.Redirects.Manual {
		wire.Redirects["manual"] = true
	}
	if s.Signature != nil {
		wire.Signature = (*wireSignature)(s.Signature)
	}
	if p := s.Postback; p != nil {
		wire.Postback = &wirePostback{URL: p.URL, Body: p.Body, KeyHeader: p.KeyHeader, Outcomes: p.Outcomes}
		if p.Get {
			wire.Postback.Method = "GET"
		}
	}
	if s.Code != (panel.Code{}) {
		wire.Code = (*wireCode)(&s.Code)
	}
	return wire
}

func storedByOutcome(texts map[panel.Outcome]string) map[string]any {
	wire := map[string]any{}
	for _, outcome := range slices.Sorted(maps.Keys(texts)) {
		wire[panelOutcomes[slices.Index(panel.Outcomes, outcome)]] = texts[outcome]
	}
	return wire
}
