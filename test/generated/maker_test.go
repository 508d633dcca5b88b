package generated

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"verbatim/test/contract"
)

// template is a request whose ids are names: {{study}}. Each engine fills in its own.
type template struct {
	method, target string
	header         []string // names and values in turn
	body           []byte   // nil: none
	address        string   // the client's address as the proxy reports it
}

func (r *template) String() string {
	return fmt.Sprintf("%s %s %q %q", r.method, clip(r.target, 400), clip(strings.Join(r.header, " "), 300), clip(string(r.body), 400))
}

// maker makes requests from the documents' examples.
type maker struct {
	r        *rand.Rand
	examples []contract.Example
}

func newMaker(suite *contract.Suite, r *rand.Rand) *maker {
	m := &maker{r: r}
	shown := map[contract.Operation]bool{}
	for _, e := range suite.Examples() {
		shown[e.Operation] = shown[e.Operation] || e.IsRequest()
	}
	for _, op := range suite.Operations() {
		if !shown[op] { // the document shows none, since its body is not JSON
			e := contract.Example{Operation: op, Header: http.Header{"Tus-Resumable": {"1.0.0"}, "Upload-Offset": {"0"}, "Content-Type": {"application/offset+octet-stream"}}}
			m.examples = append(m.examples, e, e, e)
		}
	}
	for _, e := range suite.Examples() {
		if !e.IsRequest() {
			continue
		}
		weight := 1
		switch e.Operation.ID {
		case "answerStep", "beginInterview", "searchResponses", "listResponses", "beginUpload", "continueUpload":
			weight = 3
		case "withdraw": // it would end an interview that others need
			if r.IntN(2) == 0 {
				weight = 0
			}
		}
		for range weight {
			m.examples = append(m.examples, e)
		}
	}
	return m
}

func pick[T any](m *maker, of []T) T { return of[m.r.IntN(len(of))] }

func (m *maker) oneIn(n int) bool { return m.r.IntN(n) == 0 }

// idsOf lists ids for each parameter of a document: mostly right ones, some of another organization or of another kind.
var idsOf = map[string][]string{
	"linkId":     {"{{link}}", "{{link}}", "{{link}}", "{{filelink}}", "{{study}}", "{{draftlink}}", "{{otherlink}}", "{{otherstudy}}"},
	"link_id":    {"{{link}}", "{{link}}", "{{link}}", "{{filelink}}", "{{study}}", "{{draftlink}}", "{{otherlink}}"},
	"studyId":    {"{{study}}", "{{study}}", "{{draft}}", "{{link}}", "{{otherstudy}}"},
	"study_id":   {"{{link}}", "{{link}}", "{{study}}", "{{draftlink}}", "{{otherlink}}"},
	"responseId": {"{{response0}}", "{{response1}}", "{{response2}}", "{{response5}}", "1", "2", "6", "0", "999999999999999999999", "{{otherresponse0}}"},
	"deletionId": {"{{deletion}}", "{{deletion}}", "{{response0}}"},
	"token":      {"{{token}}", "{{token}}", "{{token}}", "{{token0}}", "{{token1}}", "{{token2}}", "{{study}}"},
	"id":         {"{{upload}}", "{{upload}}", "{{upload}}", "{{study}}"},
	"walletId":   {"{{wallet}}", "{{wallet}}", "{{otherwallet}}", "{{study}}"},
}

func init() { idsOf["response_id"] = idsOf["responseId"] }

// parametersOfPaths are the names in a fixed order, so that a seed makes the same requests again.
var parametersOfPaths = []string{"linkId", "link_id", "studyId", "study_id", "responseId", "response_id", "deletionId", "token", "id"}

// next makes one request.
func (m *maker) next() *template {
	e := pick(m, m.examples)
	_, query, _ := strings.Cut(e.Target, "?")
	r := &template{method: e.Operation.Method, body: slices.Clone(e.Body)}
	r.target = m.path(e.Operation.Path)
	values, _ := url.ParseQuery(query)
	if len(values) > 0 {
		var all []string
		for _, name := range slices.Sorted(keysOf(values)) {
			value := values.Get(name)
			if ids := idsOf[name]; ids != nil {
				value = pick(m, ids)
			} else {
				value = url.QueryEscape(value)
			}
			if !m.oneIn(4) || name == "studyId" || name == "responseId" || name == "parameter" || name == "value" {
				all = append(all, name+"="+value)
			}
		}
		if len(all) > 0 {
			r.target += "?" + strings.Join(all, "&")
		}
	}
	for name, values := range e.Header {
		if !strings.EqualFold(name, "If-None-Match") || m.oneIn(3) {
			r.header = append(r.header, name, values[0])
		}
	}
	r.header = sortedPairs(r.header)
	if strings.HasPrefix(r.target, "/api/") && !m.oneIn(30) {
		key := "{{key}}"
		if m.oneIn(12) {
			key = pick(m, []string{"{{otherkey}}", "{{memberkey}}", "{{strangerkey}}", "{{key}}x", "vbt_wrong"})
		}
		r.header = append(r.header, "X-Api-Key", key)
	}
	if r.method == http.MethodGet && m.oneIn(12) {
		r.header = set(r.header, "If-None-Match", "{{etag}}")
	}
	m.suit(e, r)
	// A third goes as it is, so that later requests find data; the rest is spoiled in one to three places.
	for range []int{0, 1, 1, 1, 2, 3}[m.r.IntN(6)] {
		m.spoil(r)
	}
	return r
}

func sortedPairs(pairs []string) (sorted []string) {
	var names []string
	of := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		names, of[pairs[i]] = append(names, pairs[i]), pairs[i+1]
	}
	slices.Sort(names)
	for _, name := range names {
		sorted = append(sorted, name, of[name])
	}
	return sorted
}

func keysOf(values url.Values) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range values {
			if !yield(name) {
				return
			}
		}
	}
}

// path puts ids into a path of a document.
func (m *maker) path(path string) string {
	for _, name := range parametersOfPaths {
		if strings.Contains(path, "{"+name+"}") {
			path = strings.ReplaceAll(path, "{"+name+"}", pick(m, idsOf[name]))
		}
	}
	return path
}

// suit makes an example fit the planted data: its step, its ids, and an upload that can exist.
func (m *maker) suit(e contract.Example, r *template) {
	switch e.Operation.ID {
	case "answerStep":
		r.target = "/i/{{token}}/answers"
		if m.oneIn(3) {
			r.body = []byte(pick(m, []string{
				`{"stepId":"{{step}}","selected":["o1","o2"]}`, `{"stepId":"{{step}}","text":"It was too expensive, and the food was cold."}`,
				`{"stepId":"{{step}}","ranking":["r2","r1"]}`, `{"stepId":"{{step}}","best":"m1","worst":"m3"}`, `{"stepId":"{{step}}","uploads":["{{upload}}"]}`,
				`{"stepId":"{{step}}","selected":[],"customText":"none of them","telemetry":{"pasted":3,"typed":1000000}}`, `{"stepId":"{{step}}"}`,
			}))
		}
		var body map[string]any
		if json.Unmarshal(r.body, &body) == nil && body["stepId"] != nil && !m.oneIn(10) {
			body["stepId"] = "{{step}}"
			r.body, _ = json.Marshal(body) // it was JSON
		}
	case "launchStudy":
		r.target = strings.Replace(r.target, "{{link}}", "{{draft}}", 1)
		if strings.Contains(string(r.body), "walletId") {
			r.body = []byte(`{"walletId":"` + pick(m, idsOf["walletId"]) + `"}`)
		}
	case "createStudy":
		if m.oneIn(2) {
			r.header = append(r.header, "Idempotency-Key", fmt.Sprintf("client {{client}} %d", m.r.IntN(20)))
		}
	case "beginInterview":
		key := fmt.Sprintf("begin of client {{client}}, %d", m.r.IntN(1<<62))
		if m.oneIn(8) {
			key = fmt.Sprintf("begin of client {{client}}, %d", m.r.IntN(20)) // a key that was sent before
		}
		r.header = set(r.header, "Idempotency-Key", key)
	case "beginUpload":
		encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
		r.header = set(r.header, "Upload-Metadata", "kind "+encode(pick(m, []string{"file", "file", "audio", "video", "nothing"}))+",stepId "+encode(pick(m, []string{"s0", "s0", "s1"})))
		r.header = set(r.header, "Upload-Length", pick(m, []string{"8", "64", "0", "1000000"}))
	case "continueUpload":
		r.body = []byte("\x89PNG\r\n\x1a\n")[:pick(m, []int{0, 1, 8})]
	case "overrideUpload":
		r.header = set(r.header, "X-HTTP-Method-Override", pick(m, []string{"PATCH", "PATCH", "HEAD", "DELETE", "OPTIONS"}))
		r.header = set(r.header, "Upload-Offset", pick(m, []string{"0", "0", "8"}))
		r.header = set(r.header, "Content-Type", "application/offset+octet-stream")
		r.body = []byte("\x89PNG\r\n\x1a\n")
	case "followInterview":
		if m.oneIn(2) {
			r.header = set(r.header, "Last-Event-ID", fmt.Sprint(m.r.IntN(4)))
		}
	}
	if strings.Contains(e.Operation.Path, "/uploads") {
		r.target = strings.Replace(r.target, pick(m, []string{"{{token}}", "{{token0}}", "{{token1}}", "{{token2}}"}), "{{filetoken}}", 1)
	}
}

func set(pairs []string, name, value string) []string {
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.EqualFold(pairs[i], name) {
			pairs[i+1] = value
			return pairs
		}
	}
	return append(pairs, name, value)
}

// spoil changes one thing.
func (m *maker) spoil(r *template) {
	switch n := m.r.IntN(10); {
	case n < 2:
		m.spoilPath(r)
	case n < 5 && !(n >= 3 && len(r.body) > 0):
		m.spoilQuery(r)
	case n == 5:
		m.spoilHeader(r)
	case len(r.body) > 0:
		m.spoilBody(r)
	case n < 8:
		m.spoilQuery(r)
	case n == 8:
		m.spoilHeader(r)
	default:
		m.spoilMethod(r)
	}
}

// escaped are texts that an address can carry, most of which nobody should send.
var escaped = []string{
	"%00", "a%00b", "%ff", "%c0%80", "%ed%a0%80", "%f4%90%80%80", "%80", "%e2%80%8b", "%ef%bb%bf", "%0a", "%0d%0aX-Injected:%201", "%1b[2J", "%7f", "%2f", "%2e%2e%2f", "..", ".", "%5c", "%25", "%2500",
	"", "0", "-1", "1", "007", "1.5", "1e3", "1e999", "9223372036854775807", "9223372036854775808", "99999999999999999999999999", "-9223372036854775809", "NaN", "Infinity", "0x10", "%d9%a1", "true", "TRUE", "null", "undefined", "[]", "{}", "%7B%22a%22%3A1%7D",
	"2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123456789+14:00", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z",
	"00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "%7B00000000-0000-0000-0000-000000000000%7D", "0198F2C4-51AB-7D1E-9C30-5D1F6A2B7E10", "urn:uuid:0198f2c4-51ab-7d1e-9c30-5d1f6a2b7e10",
	"'", "%22", "';--", "%25%25", "_", "%F0%9F%98%80", "%e4%bd%a0", "A%CC%8A", "%C3%85", "%E2%84%AB", "%EF%BC%9D1", "a+b", "a%20b", "%09", "{{key}}", "{{study}}", "{{otherstudy}}", "{{etag}}",
}

func (m *maker) text() string {
	switch m.r.IntN(12) {
	case 0:
		return strings.Repeat("a", 1<<m.r.IntN(16))
	case 1:
		return strings.Repeat(pick(m, []string{"%00", "%ff", "%F0%9F%98%80", "%25"}), 1<<m.r.IntN(11))
	}
	return pick(m, escaped)
}

func (m *maker) spoilPath(r *template) {
	path, query, asks := strings.Cut(r.target, "?")
	parts := strings.Split(path, "/")
	at := 1 + m.r.IntN(len(parts)-1)
	switch m.r.IntN(6) {
	case 0:
		parts[at] += m.text()
	case 1:
		parts = append(parts, m.text())
	case 2:
		parts[at] = strings.ToUpper(parts[at])
		if strings.Contains(parts[at], "{{") { // the name of an id
			parts[at] = m.text()
		}
	default:
		for i := range parts { // an id, where there is one
			if strings.Contains(parts[i], "{{") && m.oneIn(2) {
				at = i
			}
		}
		parts[at] = m.text()
	}
	r.target = strings.Join(parts, "/")
	if !strings.HasPrefix(r.target, "/") {
		r.target = "/" + r.target
	}
	if asks {
		r.target += "?" + query
	}
}

var parameters = []string{
	"page", "perPage", "per_page", "updatedSince", "updated_since", "includeInProgress", "include_in_progress", "parameter", "value", "cursor", "limit", "includeHidden", "studyId", "responseId",
	"_language", "language", "token", "Page", "PAGE", "page[]", "a", "",
}

func (m *maker) spoilQuery(r *template) {
	path, query, asks := strings.Cut(r.target, "?")
	var all []string
	if asks {
		all = strings.Split(query, "&")
	}
	switch n := m.r.IntN(5); {
	case n == 0 && len(all) > 0: // another value
		at := m.r.IntN(len(all))
		name, _, _ := strings.Cut(all[at], "=")
		all[at] = name + "=" + m.text()
	case n == 1 && len(all) > 0: // twice
		all = append(all, pick(m, all))
	case n == 2 && len(all) > 0: // not at all
		at := m.r.IntN(len(all))
		all = slices.Delete(all, at, at+1)
	case n == 3:
		all = append(all, m.text()+"="+m.text())
	default:
		all = append(all, pick(m, parameters)+pick(m, []string{"=", "=", "=", ""})+m.text())
	}
	r.target = path
	if len(all) > 0 {
		r.target += "?" + strings.Join(all, "&")
	}
}

func (m *maker) spoilMethod(r *template) {
	r.method = pick(m, []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, "TRACE", "PROPFIND", "get", "X"})
	if r.method == http.MethodHead || r.method == "TRACE" {
		r.body = nil
	}
}

func (m *maker) spoilHeader(r *template) {
	long := strings.Repeat("a", 1<<m.r.IntN(13))
	name := pick(m, []string{
		"X-Api-Key", "Accept", "Content-Type", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "Tus-Resumable", "Upload-Length", "Upload-Offset", "Upload-Metadata", "Upload-Defer-Length",
		"X-HTTP-Method-Override", "Origin", "Content-Encoding", "Accept-Encoding", "Accept-Language", "Range", "If-Modified-Since", "Sec-Fetch-Site", "User-Agent", "Cookie", "X-Request-Id", "Authorization", "Upload-Concat", "Prefer",
	})
	values := map[string][]string{
		"X-Api-Key":     {"", "{{otherkey}}", "{{memberkey}}", "{{key}}x", "vbt_wrong", "\xff\xfe", "{{key}}, {{key}}", "Bearer {{key}}"},
		"Accept":        {"text/html", "*/*", "", "application/xml", "text/html;q=0, application/json", "text/event-stream", ";;;", "\xff"},
		"Content-Type":  {"", "application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "application/offset+octet-stream", ";", "\xff/\xfe"},
		"Upload-Length": {"0", "-1", "1e3", "9223372036854775807", "9223372036854775808", "8", ""}, "Upload-Offset": {"0", "1", "8", "-1", "9223372036854775807", "9223372036854775808", "a"},
		"Upload-Metadata":        {"", "kind", "kind !", "kind ZmlsZQ==", "kind ZmlsZQ==,kind ZmlsZQ==", "kind ZmlsZQ==,stepId /////w==", "kind AA==,stepId AA==", "kind ZmlsZQ==,stepId czA=,filename AP8="},
		"X-HTTP-Method-Override": {"HEAD", "PATCH", "DELETE", "OPTIONS", "GET", "x"}, "Accept-Encoding": {"gzip", "zstd", "identity", "*;q=0"}, "Content-Encoding": {"gzip", "identity", "br"},
		"Sec-Fetch-Site": {"cross-site", "same-origin", "x"}, "Origin": {"https://evil.example.com", "null", "http://" + "127.0.0.1"}, "Tus-Resumable": {"1.0.0", "0.2.2", ""},
		"Idempotency-Key": {"a", "", long, "\xff", "ünïcode"},
	}[name]
	value := long
	if len(values) > 0 && !m.oneIn(8) {
		value = pick(m, values)
	} else if m.oneIn(2) {
		value = pick(m, []string{"", "\xff\xfe", "\"", "W/\"x\"", "*", "0", "-1", "99999999999999999999", "ünïcode", "a,b,c", "bytes=0-1"})
	}
	if m.oneIn(4) {
		r.header = append(r.header, name, value) // beside the existing one
		return
	}
	r.header = set(r.header, name, value)
}

func (m *maker) spoilBody(r *template) {
	if m.oneIn(3) {
		r.body = m.spoilBytes(r.body)
		return
	}
	var value any
	if json.Unmarshal(r.body, &value) != nil {
		r.body = m.spoilBytes(r.body)
		return
	}
	value = m.spoilValue(value)
	encoded, err := json.Marshal(value)
	if err != nil {
		r.body = m.spoilBytes(r.body)
		return
	}
	// Marks stand for values that Go's encoder does not write.
	text := string(encoded)
	for _, raw := range raws {
		text = strings.ReplaceAll(text, `"`+raw.mark+`"`, raw.json)
	}
	r.body = []byte(text)
}

// raws are values that an encoder would not write.
var raws = []struct{ mark, json string }{
	{"raw:0", "1e999"},
	{"raw:1", "-0"},
	{"raw:2", "99999999999999999999999999999999999999"},
	{"raw:3", "0.1000000000000000055511151231257827"},
	{"raw:4", `"\ud800"`},
	{"raw:5", `"\udfff\ud800 text"`},
	{"raw:6", `"a\u0000b"`},
	{"raw:7", "\"\xff\xfe\""},
	{"raw:8", "\"\xed\xa0\x80\""},
	{"raw:9", "\"tab\tand\nline\""},
	{"raw:10", `{"a":1,"a":2}`},
	{"raw:11", "NaN"},
	{"raw:12", "01"},
	{"raw:13", "1E400"},
	{"raw:14", strings.Repeat("[", 600) + strings.Repeat("]", 600)},
	{"raw:15", `"\u202e\u200b\ufeff\ufffe"`},
}

// wrong returns a value of any type.
func (m *maker) wrong() any {
	switch m.r.IntN(16) {
	case 0:
		return nil
	case 1:
		return true
	case 2:
		return m.r.IntN(2000) - 1000
	case 3:
		return m.r.Float64() * 1e12
	case 4:
		return ""
	case 5:
		return strings.Repeat(pick(m, []string{"a", "語", "😀", "\u200b", "<", "%"}), 1<<m.r.IntN(14))
	case 6:
		return []any{}
	case 7:
		return map[string]any{}
	case 8:
		return []any{m.wrong(), m.wrong()}
	case 9:
		return map[string]any{pick(m, []string{"type", "text", "id", "__proto__", "a.b", "", "\u200b"}): m.wrong()}
	case 10:
		return pick(m, []string{"{{study}}", "{{token}}", "{{step}}", "{{upload}}", "{{wallet}}", "{{otherwallet}}", "{{response0}}", "o1", "q1", "s0", "en", "de"})
	case 11:
		return pick(m, []string{"https://example.com/a b", "javascript:alert(1)", "http://[::1", "https://ex\u0000ample.com", "ftp://x", "//x"})
	}
	return pick(m, raws).mark
}

// spoilValue changes one place of a JSON value.
func (m *maker) spoilValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 || m.oneIn(12) {
			break
		}
		names := slices.Sorted(func(yield func(string) bool) {
			for name := range v {
				if !yield(name) {
					return
				}
			}
		})
		name := pick(m, names)
		switch m.r.IntN(10) {
		case 0:
			delete(v, name)
		case 1:
			v[pick(m, []string{strings.ToUpper(name), name + "s", "x", " " + name, "id"})] = m.wrong()
		case 2:
			v[name] = m.wrong()
		case 3:
			v[pick(m, names)] = v[name]
		default:
			v[name] = m.spoilValue(v[name])
		}
		return v
	case []any:
		if len(v) == 0 || m.oneIn(12) {
			break
		}
		at := m.r.IntN(len(v))
		switch m.r.IntN(8) {
		case 0:
			return slices.Delete(v, at, at+1)
		case 1:
			return append(v, v[at])
		case 2:
			return append(v, m.wrong())
		case 3:
			return slices.Repeat(v, 1+m.r.IntN(40))
		default:
			v[at] = m.spoilValue(v[at])
		}
		return v
	}
	return m.wrong()
}

// spoilBytes changes a body without regard to its meaning.
func (m *maker) spoilBytes(body []byte) []byte {
	at := m.r.IntN(len(body))
	switch m.r.IntN(12) {
	case 0:
		return body[:at]
	case 1:
		return slices.Insert(slices.Clone(body), at, []byte(pick(m, []string{"\x00", "\xff", "\"", "\\", "{", "]", ",", "\u2028", "//", "é"}))...)
	case 2:
		return append(slices.Clone(body), body...)
	case 3:
		return append([]byte("\xef\xbb\xbf"), body...)
	case 4: // UTF-16
		var wide []byte
		for _, unit := range utf16.Encode([]rune(string(body))) {
			wide = append(wide, byte(unit), byte(unit>>8))
		}
		return wide
	case 5:
		return []byte(pick(m, []string{"", " ", "null", "[]", "0", "\"\"", "{", "true", "{\"a\":1}{}", "\x00", "<x/>", "a=b&c=%00", "stepId={{step}}&text=%ff"}))
	case 6: // a key twice
		if i := strings.IndexByte(string(body), '{'); i >= 0 {
			return append(append(slices.Clone(body[:i+1]), `"title":1,"stepId":"x","walletId":null,"language":"de",`...), body[i+1:]...)
		}
		return body
	case 7:
		return []byte(strings.Repeat(pick(m, []string{"[", `{"a":`, `[{"a":`}), 1<<m.r.IntN(13)))
	case 8:
		return []byte(strings.ReplaceAll(string(body), `"`, "'"))
	case 9:
		changed := slices.Clone(body)
		changed[at] ^= 1 << m.r.IntN(8)
		return changed
	case 10:
		return append(slices.Clone(body), strings.Repeat(" ", 1<<m.r.IntN(18))...)
	default:
		return []byte(strings.ReplaceAll(string(body), ":", ": \n\t"))
	}
}
