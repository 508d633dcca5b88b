package guide_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/guide"
)

// verbatimGuide returns a payload with a video, and an object of config.verbatim.
func verbatimGuide(verbatim string) []byte {
	return []byte(`{"title": "T", "config": {"verbatim": ` + verbatim + `}, "studyGuide": [{"type": "flat", "title": "", "externalId": "b", "items": [
		{"type": "open_ended", "externalId": "why", "text": "Why?", "media": [
			{"type": "video", "name": "The pot", "url": "https://media.example.com/pot.mp4"}, {"type": "image", "name": "A pot", "url": "https://media.example.com/pot.png"}]}]}]}`)
}

// refusal returns the first issue or the broken rules of a payload, and "" where it is accepted.
func refusal(body []byte) string {
	_, err := guide.Decode(body, guide.Options{})
	if invalid, ok := errors.AsType[*guide.SchemaError](err); ok {
		return strings.Join(invalid.Issues[0].Path, ".") + " " + string(invalid.Issues[0].Code)
	} else if err != nil {
		return err.Error()
	}
	return ""
}

func TestEmbedding(t *testing.T) {
	t.Parallel()
	const list = `{"embedding": {"allowedOrigins": ["https://panel.example.com", "https://a-b.example.com:8443", "http://localhost:3000"]}}`
	g, err := guide.Decode(verbatimGuide(list), guide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"https://panel.example.com", "https://a-b.example.com:8443", "http://localhost:3000"}, g.Config.Embedding.AllowedOrigins); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
	if diff := cmp.Diff(g, again); err != nil || diff != "" {
		t.Errorf("%v, read again it differs:\n%s", err, diff)
	}
	const place = "config.verbatim.embedding.allowedOrigins"
	for verbatim, want := range map[string]string{
		`{"embedding": {"allowedOrigins": []}}`:                                         "",
		`{"embedding": {}}`:                                                             place + " invalid_type",
		`{"embedding": {"allowedOrigins": ["x"], "a":1}}`:                               "config.verbatim.embedding unrecognized_keys",
		`{"embedding": {"allowedOrigins": [1]}}`:                                        place + ".0 invalid_type",
		`{"embedding": {"allowedOrigins": "https://panel.example.com"}}`:                place + " invalid_type",
		`{"embedding": {"allowedOrigins": ["https://a.example", "https://a.example"]}}`: place + `[1]: "https://a.example" is already named by allowedOrigins[0]`,
	} {
		if got := refusal(verbatimGuide(verbatim)); got != want {
			t.Errorf("%s: %q, want %q", verbatim, got, want)
		}
	}
	for _, origin := range []string{
		"", "*", "https:", "https://", "https://*", "https://*.example.com", "https://panel.example.com/", "https://panel.example.com/x", "https://Panel.example.com",
		"http://panel.example.com", "panel.example.com", "https://panel.example.com:443", "https://panel.example.com:0", "https://panel.example.com:99999", "https://panel.example.com:",
		"https://user@panel.example.com", "https://panel.example.com?x", "https://panel.example.com#x", "https://panel.example.com; script-src *", "https://a b", "https://münchen.example",
		"https://-a.example", "https://a..example", "'self'", "data:", "https://panel.example.com,https://b.example", "https://[::1]", "https://panel.example.com\n",
	} {
		body := verbatimGuide(`{"embedding": {"allowedOrigins": [` + quoted(origin) + `]}}`)
		if got := refusal(body); !strings.Contains(got, place+"[0]: ") || !strings.Contains(got, "is not the origin of a site") {
			t.Errorf("%q: %s", origin, got)
		}
	}
}

func TestCaptions(t *testing.T) {
	t.Parallel()
	const one = `{"mediaUrl": "https://media.example.com/pot.mp4", "url": "https://media.example.com/pot.en.vtt", "language": "en"}`
	g, err := guide.Decode(verbatimGuide(`{"captions": [`+one+`]}`), guide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []guide.Captions{{MediaURL: "https://media.example.com/pot.mp4", URL: "https://media.example.com/pot.en.vtt", Language: "en"}}
	if diff := cmp.Diff(want, g.CaptionsOf("https://media.example.com/pot.mp4")); diff != "" || g.CaptionsOf("https://media.example.com/pot.png") != nil {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := guide.Decode(guide.Encode(g), guide.Options{Stored: true})
	if diff := cmp.Diff(g, again); err != nil || diff != "" {
		t.Errorf("%v, read again it differs:\n%s", err, diff)
	}
	const place = "config.verbatim.captions"
	for captions, want := range map[string]string{
		strings.Replace(one, `"en"}`, `"xx"}`, 1):                                  place + ".0.language invalid_enum_value",
		strings.Replace(one, "https://media.example.com/pot.en.vtt", "pot.vtt", 1): place + ".0.url invalid_string",
		strings.Replace(one, ".mp4", ".png", 1):                                    place + `[0].mediaUrl: no video of the guide has the address "https://media.example.com/pot.png"`,
		one + "," + one:                                                            place + `[1].language: captions[0] has the captions of this video in "en" already`,
	} {
		if got := refusal(verbatimGuide(`{"captions": [` + captions + `]}`)); got != want {
			t.Errorf("%s: %q, want %q", captions, got, want)
		}
	}
}

// quoted returns a JSON string.
func quoted(text string) string {
	return `"` + strings.ReplaceAll(text, "\n", `\n`) + `"`
}
