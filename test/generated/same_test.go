package generated

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// compare compares the engines' answers to one request: headers and bodies must be the same, except for times and for ids, which must
// correspond wherever they stand. A job may finish sooner on one engine than on the other, so a read that differs is repeated.
func (l *client) compare(ctx context.Context, made *template, answers []answer) {
	difference := l.difference(answers)
	if difference == "" {
		return
	}
	if made.method == http.MethodGet {
		for pause, left := time.Millisecond, 5*time.Second; left > 0; left -= pause {
			<-time.After(pause)
			pause = min(2*pause, 250*time.Millisecond)
			for i, w := range l.worlds {
				again, err := w.send(ctx, made)
				if err != nil {
					l.report.add(fmt.Sprintf("%s: no second answer: %v", w.name, err), made.String())
					return
				}
				answers[i] = again
			}
			if difference = l.difference(answers); difference == "" {
				return
			}
		}
	}
	l.report.add(fmt.Sprintf("%s answers otherwise on %s than on %s", l.operation(answers[0].request), l.worlds[0].name, l.worlds[1].name), made.String()+"\n    "+difference)
}

// difference returns where two answers differ, or "".
func (l *client) difference(answers []answer) string {
	one, other := answers[0], answers[1]
	if one.status == http.StatusNotModified || other.status == http.StatusNotModified {
		return "" // whether it has changed since depends on time
	}
	texts := [2]string{}
	for i, a := range answers {
		l.worlds[i].noteLinks(a)
		texts[i] = a.text()
	}
	return l.same.difference(texts[0], texts[1], l.worlds[0].links, l.worlds[1].links)
}

// text returns the part of an answer that both engines must agree on.
func (a answer) text() string {
	var b strings.Builder
	fmt.Fprintln(&b, a.status)
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		switch name {
		case "Date", "Upload-Expires", "Content-Length", "X-Request-Id": // depend on the time, on the compressed bytes, and on the request
		case "Etag":
			fmt.Fprintln(&b, name) // depends on the bytes, which hold ids
		default:
			fmt.Fprintln(&b, name, a.header[name])
		}
	}
	if !a.stream {
		b.Write(a.unpacked())
	}
	text := b.String()
	for _, v := range varied {
		text = v.find.ReplaceAllString(text, v.put)
	}
	return text
}

// unpacked returns the decompressed body.
func (a answer) unpacked() []byte {
	var r io.Reader
	var err error
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(a.body))
	case "zstd":
		r, err = zstd.NewReader(bytes.NewReader(a.body))
	default:
		return a.body
	}
	if err != nil {
		return a.body // the answer to HEAD has no body
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return a.body
	}
	return plain
}

// varied matches what depends on time and chance.
var varied = []struct {
	find *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})`), "TIME"},
	{regexp.MustCompile(`"(responseDurationSeconds|response_duration_seconds)":\d+`), `"$1":0`},
	{regexp.MustCompile(`\{"key":"funnel","heading".*?(,\{"key":"[^"]*",("number":\d+,)?"heading"|$)`), "FUNNEL$1"}, // how long people took
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "HOST"},
	{regexp.MustCompile(`"moderator":"([^"\\]|\\.)*"`), `"moderator":"CHANCE"`}, // how a follow-up is worded is drawn for each interview
	{regexp.MustCompile(`Request id: [A-Z2-7]+`), "REQUEST"},
	{regexp.MustCompile(`name="beginKey" value="[A-Z2-7]+"`), "BEGIN"},          // drawn for each form
	{regexp.MustCompile(`\bvb_[0-9A-Za-z]{20,}`), "KEY"},                        // a key and a tag that were sent as names of parameters
	{regexp.MustCompile(`"words":\[\{"word":"[^"]*\d[^\]]*\]`), `"words":"ID"`}, // an id that was asked as a question, as its parts
	{regexp.MustCompile(`W/\\*"[0-9A-Za-z_-]+\\*"`), "TAG"},
}

// name matches what may be an id: a UUID, a token or a key, a link id.
var name = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[a-z2-7]{42}\b|\b[0-9A-Za-z]{8}\b`)

var long = regexp.MustCompile(`^([0-9a-f]{8}-.*|[a-z2-7]{42})$`)

// noteLinks records the link ids in an answer.
func (w *world) noteLinks(a answer) {
	if w.links == nil {
		w.links = map[string]bool{}
		for id, link := range w.ids {
			if strings.HasSuffix(id, "link") {
				w.links[link] = true
			}
		}
	}
	if !bytes.Contains(a.body, []byte("ink")) {
		return
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, each := range v {
				walk(each)
			}
		case map[string]any:
			for key, each := range v {
				if link, ok := each.(string); ok && (key == "linkId" || key == "link_id") {
					w.links[link] = true
				}
				walk(each)
			}
		}
	}
	var v any
	if json.Unmarshal(a.body, &v) == nil {
		walk(v)
	}
}

// same maps the ids of one engine to those of the other, and back.
type same struct{ there, back map[string]string }

// difference returns where two texts differ otherwise than by corresponding ids, or "".
func (s *same) difference(one, other string, links, otherLinks map[string]bool) string {
	a, b := name.FindAllStringIndex(one, -1), name.FindAllStringIndex(other, -1)
	at, otherAt := 0, 0
	show := func(i, j int) string {
		return fmt.Sprintf("%q against %q", clip(one[max(0, min(i, len(one))-60):], 200), clip(other[max(0, min(j, len(other))-60):], 200))
	}
	for i := range min(len(a), len(b)) {
		if one[at:a[i][0]] != other[otherAt:b[i][0]] {
			return show(at, otherAt)
		}
		x, y := one[a[i][0]:a[i][1]], other[b[i][0]:b[i][1]]
		at, otherAt = a[i][1], b[i][1]
		isID := long.MatchString(x) && long.MatchString(y) && len(x) == len(y) || links[x] && otherLinks[y]
		switch {
		case x == y:
		case !isID:
			return show(a[i][0], b[i][0])
		case s.there[x] == "" && s.back[y] == "":
			s.there[x], s.back[y] = y, x
		case s.there[x] != y || s.back[y] != x:
			return "an id that stands for another one: " + show(a[i][0], b[i][0])
		}
	}
	if len(a) != len(b) || one[at:] != other[otherAt:] {
		return show(at, otherAt)
	}
	return ""
}

// TestSame: ids may differ if each corresponds to one other everywhere, and nothing else may.
func TestSame(t *testing.T) {
	t.Parallel()
	const (
		one, two     = "0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d3", "0198f9d1-3e5f-7b06-8d42-77c1a0e4b9d4"
		three, four  = "0198f9d1-0000-7b06-8d42-77c1a0e4b9d3", "0198f9d1-0000-7b06-8d42-77c1a0e4b9d4"
		link, second = "UaCVppvD", "aQ3n9XkZ"
	)
	links, others := map[string]bool{link: true}, map[string]bool{second: true}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"id":"` + one + `","of":"` + two + `"}`, `{"id":"` + three + `","of":"` + four + `"}`, true},
		{`[{"id":"` + one + `"},{"id":"` + two + `"}]`, `[{"id":"` + four + `"},{"id":"` + three + `"}]`, false}, // in another order
		{`"` + link + `"`, `"` + second + `"`, true},
		{`"` + link + `"`, `"internal"`, false},
		{`{"code":"not_found"}`, `{"code":"conflict"}`, false},
		{`{"n":1}`, `{"n":2}`, false},
		{`{"n":1}`, `{"n":1} `, false},
		{`{"text":"\ufffd"}`, `{"text":"\u0000"}`, false},
	} {
		s := same{map[string]string{one: three}, map[string]string{three: one}}
		if got := s.difference(c.a, c.b, links, others); (got == "") != c.same {
			t.Errorf("%s against %s: %q", c.a, c.b, got)
		}
	}
}
