package httpx_test

import (
	"errors"
	"math"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"verbatim/internal/api/httpx"
)

func query(raw string) *httpx.Params {
	r := httptest.NewRequest("GET", "/", nil)
	r.URL.RawQuery = raw
	return httpx.Query(r)
}

func wantBadRequest(t *testing.T, raw string, err error, bad bool) {
	t.Helper()
	answer, ok := errors.AsType[*httpx.Error](err)
	if ok != bad || ok && (answer.Code != "bad_request" || answer.Status != 400) {
		t.Errorf("%q: %v, want a bad request: %v", raw, err, bad)
	}
}

func TestInt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		raw     string
		lowest  int
		highest int
		want    int
		bad     bool
	}{
		{"", 0, 0, 7, false},
		{"n=0", 0, 0, 0, false},
		{"n=007", 0, 0, 7, false},
		{"n=10", 1, 10, 10, false},
		{"n=2147483647", 0, 0, math.MaxInt32, false},
		{"n=2147483648", 0, 0, 0, true},
		{"n=4294967296", 0, 0, 0, true},
		{"n=99999999999999999999", 0, 0, 0, true},
		{"n=", 0, 0, 0, true},
		{"n=-1", 0, 0, 0, true},
		{"n=0", 1, 0, 0, true},
		{"n=1.0", 0, 0, 0, true},
		{"n=1e3", 0, 0, 0, true},
		{"n=+1", 0, 0, 0, true},
		{"n=%2B1", 0, 0, 0, true},
		{"n=0x1", 0, 0, 0, true},
		{"n=%D9%A1", 0, 0, 0, true},
		{"n=1&n=1", 0, 0, 0, true},
		{"n=11", 1, 10, 0, true},
		{"n=99999999999999999999", 1, 10, 0, true},
		{"n=1;m=2", 0, 0, 0, true},
		{"x=%zz", 0, 0, 0, true},
		{"x=1&x=2&n=3", 0, 0, 3, false},
	} {
		p := query(test.raw)
		got := p.Int("n", 7, test.lowest, test.highest)
		wantBadRequest(t, test.raw, p.Err(), test.bad)
		if !test.bad && got != test.want {
			t.Errorf("%q reads as %d, want %d", test.raw, got, test.want)
		}
	}
}

// TestIntNamesItsBounds: whatever is wrong with a number, the message names both bounds.
func TestIntNamesItsBounds(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"n=1e3": "n must be an integer from 1 to 10000.", "n=10001": "n must be an integer from 1 to 10000.", "n=0": "n must be an integer from 1 to 10000.",
	} {
		p := query(raw)
		p.Int("n", 7, 1, 10_000)
		if err := p.Err(); err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%s is refused with %v, want %s", raw, err, want)
		}
	}
}

func TestBool(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct{ value, bad bool }{
		"": {true, false}, "b=true": {true, false}, "b=false": {false, false},
		"b=": {bad: true}, "b=1": {bad: true}, "b=TRUE": {bad: true}, "b=true&b=true": {bad: true},
	} {
		p := query(raw)
		got := p.Bool("b", true)
		wantBadRequest(t, raw, p.Err(), want.bad)
		if !want.bad && got != want.value {
			t.Errorf("%q reads as %v", raw, got)
		}
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for raw, want := range map[string]time.Time{
		"2026-03-02T12:00:00Z": noon, "2026-03-02t12:00:00z": noon, "2026-03-02T12:00:00": noon, "2026-03-02T14:00:00+02:00": noon,
		"2026-03-02T14:00:00 02:00": noon, "2026-03-02T07:00:00-05:00": noon, "2026-03-02T12:00:00.000001Z": noon.Add(time.Microsecond),
		"2026-03-02T12:00:00.5": noon.Add(time.Second / 2), "2026-03-02T14:00:00.5 02:00": noon.Add(time.Second / 2),
	} {
		p := query("t=" + url.QueryEscape(raw))
		got, found := p.Time("t")
		wantBadRequest(t, raw, p.Err(), false)
		if !found || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%q reads as %v, want %v", raw, got, want)
		}
	}
	for _, raw := range []string{
		"", "2026-03-02", "2026-03-02T12:00Z", "2026-03-02 12:00:00", "2026-03-02T12:00:00+0200", "2026-03-02T12:00:00+02", "2026-02-30T12:00:00Z",
		"2026-03-02T25:00:00Z", "2026-03-02T12:00:00,5Z", "2026-03-02T12:00:00 UTC", "1772452800", "now", "2026-03-02T12:00:00Z ", "2026-03-02T12:00:00+99:00",
	} {
		p := query("t=" + url.QueryEscape(raw))
		_, found := p.Time("t")
		if !found {
			t.Errorf("%q is not found", raw)
		}
		wantBadRequest(t, raw, p.Err(), true)
	}
	if _, found := query("").Time("t"); found {
		t.Error("a time was found in an empty query")
	}
}

// TestMisspelling: a misspelt parameter is refused with the right name, one that resembles no known one is ignored, and
// everything that is wrong is named at once.
func TestMisspelling(t *testing.T) {
	t.Parallel()
	read := func(raw string) error {
		p := query(raw)
		p.Int("page", 0, 0, 0)
		p.Int("perPage", 1000, 1, 10)
		p.Time("updatedSince")
		p.Bool("includeInProgress", true)
		return p.Err()
	}
	for raw, want := range map[string]string{
		"per_page=2": "perPage", "PERPAGE=2": "perPage", "per-page=2": "perPage", "perpage=2": "perPage", "perPagee=2": "perPage", "prPage=2": "perPage",
		"perPags=2": "perPage", "prePage=2": "perPage", "perPaeg=2": "perPage", "perPaga=2": "perPage", "prePgae=2": "", "per_pge=2": "perPage", "Page=1": "page", "pages=1": "page", "age=1": "page", "page_=1": "page", "page%5B%5D=1": "",
		"updated_since=x": "updatedSince", "include_in_progress=true": "includeInProgress", "perPage=2&per_page=2": "perPage",
		"sincewhen=1": "", "x=1": "", "=1": "", "p=1": "", "offset=3": "", "pagination=1": "", "_language=de": "", "utm_source=a": "", "": "",
	} {
		err := read(raw)
		wantBadRequest(t, raw, err, want != "")
		if name, _, _ := strings.Cut(raw, "="); want != "" && !strings.HasSuffix(err.Error(), "Did you mean "+want+"?") {
			t.Errorf("%s is refused with %q, which should name %s", name, err, want)
		}
	}
	err := read("page=x&perPage=0&updatedSince=y&include_in_progress=1&page=y")
	for _, part := range []string{"page is given more than once", "page must be", "perPage must be", "updatedSince must be", "Did you mean includeInProgress?"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %q", err, part)
		}
	}
}
