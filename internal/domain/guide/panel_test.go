package guide_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/panel"
)

// decodePanel decodes a guide with a panel, and returns what is wrong with it.
func decodePanel(t *testing.T, settings string) (*guide.Guide, string) {
	t.Helper()
	g, err := guide.Decode(modelGuide(`{"verbatim": {"panel": `+settings+`}}`), guide.Options{})
	if invalid, ok := errors.AsType[*guide.SchemaError](err); ok {
		return nil, strings.Join(invalid.Issues[0].Path, ".") + " " + string(invalid.Issues[0].Code)
	}
	if err != nil {
		return nil, err.Error()
	}
	return g, ""
}

// TestPresets: every preset is accepted as it is, with its words in capitals, and reads back as it was stored.
func TestPresets(t *testing.T) {
	t.Parallel()
	for _, name := range panel.Presets() {
		text, _ := panel.Preset(name)
		if name == "plain" {
			text = strings.Replace(text, `"signature":`, `"signedLinks": true, "signature":`, 1)
		}
		g, wrong := decodePanel(t, text)
		if wrong != "" {
			t.Errorf("%s: %s", name, wrong)
			continue
		}
		again, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
		if diff := cmp.Diff(g, again); err != nil || diff != "" {
			t.Errorf("%s: %v, read again it differs:\n%s", name, err, diff)
		}
		if g.Config.Panel.Participant.Parameter == "" || len(g.Config.Panel.Redirects.Addresses) < 3 {
			t.Errorf("%s has no participants or redirects: %+v", name, g.Config.Panel)
		}
	}
}

// TestPanelRefuses: what cannot work, or would let a participant choose where to go, is refused with its place.
func TestPanelRefuses(t *testing.T) {
	t.Parallel()
	const place = `^config\.verbatim\.panel`
	for settings, want := range map[string]string{
		`{"redirect": {}}`:                                                               place + ` unrecognized_keys$`,
		`{"participant": {}}`:                                                            place + `\.participant\.parameter invalid_type$`,
		`{"participant": {"parameter": ""}}`:                                             place + `\.participant\.parameter too_small$`,
		`{"participant": {"parameter": "_pid"}}`:                                         place + `\.participant\.parameter: .*underscore`,
		`{"participant": {"parameter": "p", "again": ["left"]}}`:                         place + `\.participant\.again\.0 invalid_enum_value$`,
		`{"participant": {"parameter": "p", "resume": "always"}}`:                        place + `\.participant\.resume invalid_enum_value$`,
		`{"redirects": {"complete": ""}}`:                                                place + `\.redirects\.complete too_small$`,
		`{"redirects": {"complete": "http://panel.example/"}}`:                           place + `\.redirects\.complete: .*https`,
		`{"redirects": {"withdrawn": "javascript:alert(1)"}}`:                            place + `\.redirects\.withdrawn: .*https`,
		`{"redirects": {"closed": "https://{{param.host}}/"}}`:                           place + `\.redirects\.closed: .*no placeholder in them`,
		`{"redirects": {"quotaFull": "https://panel.example{{param.x}}"}}`:               place + `\.redirects\.quotaFull: .*part of the host`,
		`{"redirects": {"screenedOut": "https://panel.example/?p={{pid}}"}}`:             place + `\.redirects\.screenedOut: .*participant\.parameter`,
		`{"redirects": {"complete": "https://panel.example/?p={{nobody}}"}}`:             place + `\.redirects\.complete: there is no placeholder \{\{nobody\}\}`,
		`{"redirects": {"afterSeconds": 0}}`:                                             place + `\.redirects\.afterSeconds too_small$`,
		`{"redirects": {"afterSeconds": 5, "manual": true}}`:                             place + `\.redirects\.afterSeconds: .*manual`,
		`{"signature": {"algorithm": "md5", "parameter": "s"}}`:                          place + `\.signature\.algorithm invalid_enum_value$`,
		`{"signature": {"algorithm": "hmac-sha1", "parameter": "s&x=1"}}`:                place + `\.signature\.parameter: must have letters`,
		`{"signature": {"algorithm": "dynata", "parameter": "m", "encoding": "hex"}}`:    place + `\.signature: .*neither`,
		`{"signature": {"algorithm": "hmac-sha1", "parameter": "s", "signs": "{{u}}"}}`:  place + `\.signature\.signs: there is no placeholder`,
		`{"postback": {"url": "https://10.0.0.1/{{url}}"}}`:                              place + `\.postback\.url: there is no placeholder`,
		`{"postback": {"url": "https://a.example", "method": "PUT"}}`:                    place + `\.postback\.method invalid_enum_value$`,
		`{"postback": {"url": "https://a.example", "method": "GET", "body": "{}"}}`:      place + `\.postback\.body: a GET has no body$`,
		`{"postback": {"url": "https://a.example", "body": "{\"a\": {{param.x}}}"}}`:     place + `\.postback\.body: it must be JSON`,
		`{"postback": {"url": "https://a.example", "body": "{\"a\": {{status}}}"}}`:      place + `\.postback\.body: it must be JSON`,
		`{"postback": {"url": "https://a.example", "keyHeader": "Host"}}`:                place + `\.postback\.keyHeader: must be`,
		`{"postback": {"url": "https://a.example", "outcomes": ["complete", "closed"]}}`: place + `\.postback\.outcomes\[1\]: there is no interview`,
		`{"completionCode": {"fixed": "A", "perResponse": true}}`:                        place + `\.completionCode: .*leave one`,
	} {
		if _, got := decodePanel(t, settings); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%s: %q, want %s", settings, got, want)
		}
	}
}
