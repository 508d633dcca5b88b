package httpx_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
)

// deadlines records the read deadlines that a connection is given.
type deadlines struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.set = append(d.set, at)
	return nil
}

// TestBodiesKeepThePace: each arriving byte extends the sender's deadline, up to the limit for the complete body, and there
// is no deadline after the end.
func TestBodiesKeepThePace(t *testing.T) {
	t.Parallel()
	before := time.Now()
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	body := "[" + strings.Repeat(" ", 64<<10) + "]"
	r := httptest.NewRequest("POST", "/", iotest.HalfReader(strings.NewReader(body)))
	if got, err := httpx.ReadSmallBody(w, r); err != nil || string(got) != body {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	after, last := time.Now(), len(w.set)-1
	if !w.set[last].IsZero() {
		t.Errorf("the deadline stays at %v when all has arrived", w.set[last])
	}
	paced := w.set[:last]
	if !slices.IsSortedFunc(paced, time.Time.Compare) {
		t.Errorf("deadlines go back: %v", paced)
	}
	for at, want := range map[int]time.Duration{0: 10 * time.Second, last - 1: 18 * time.Second} { // 64 KiB at 8 KiB a second
		if got := paced[at]; got.Before(before.Add(want)) || got.After(after.Add(want+time.Second)) {
			t.Errorf("deadline %d is %v after the start, want %v", at, got.Sub(before), want)
		}
	}
	long := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	r = httptest.NewRequest("POST", "/", strings.NewReader("["+strings.Repeat(" ", httpx.MaxBody-2)+"]"))
	if _, err := httpx.ReadBody(long, r); err != nil {
		t.Fatal(err)
	}
	if latest, limit := slices.MaxFunc(long.set, time.Time.Compare), time.Now().Add(time.Minute); latest.After(limit) {
		t.Errorf("a large body has until %v, want at most %v", latest, limit)
	}
}

func TestBodiesThatDoNotArrive(t *testing.T) {
	t.Parallel()
	for _, broken := range []error{os.ErrDeadlineExceeded, io.ErrUnexpectedEOF, errors.New("gone")} {
		r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader("{"), iotest.ErrReader(broken)))
		_, err := httpx.ReadBody(httptest.NewRecorder(), r)
		if answer, ok := errors.AsType[*httpx.Error](err); !ok || answer.Status != 400 || answer.Code != "bad_request" {
			t.Errorf("%v answers %v", broken, err)
		}
	}
}

func TestBodiesOfEverySize(t *testing.T) {
	t.Parallel()
	for _, size := range []int{2, 1023, 1024, 1025, 4096, 65536, httpx.MaxSmallBody - 1, httpx.MaxSmallBody, httpx.MaxSmallBody + 1} {
		body := "[" + strings.Repeat(" ", size-2) + "]"
		for name, from := range map[string]io.Reader{
			"known": strings.NewReader(body), "chunked": io.MultiReader(strings.NewReader(body)), "in bits": iotest.HalfReader(strings.NewReader(body)),
			"with its end": iotest.DataErrReader(strings.NewReader(body)),
		} {
			got, err := httpx.ReadSmallBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", from))
			if size <= httpx.MaxSmallBody {
				if err != nil || string(got) != body {
					t.Errorf("%d bytes, %s: %d bytes, %v", size, name, len(got), err)
				}
				continue
			}
			if answer, ok := errors.AsType[*httpx.Error](err); !ok || answer.Status != 413 || !strings.Contains(answer.Message, "262144 bytes") {
				t.Errorf("%d bytes, %s: %v", size, name, err)
			}
		}
	}
	if body, err := httpx.ReadBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil)); err != nil || len(body) > 0 {
		t.Errorf("no body reads as %q, %v", body, err)
	}
}

func TestReadForm(t *testing.T) {
	t.Parallel()
	read := func(body string) (url.Values, error) {
		return httpx.ReadForm(httptest.NewRecorder(), httptest.NewRequest("POST", "/?x=query", strings.NewReader(body)))
	}
	got, err := read("a=1&a=2&b=%ff%00&%fe=x&%00=y&empty=&ü=ü")
	want := url.Values{"a": {"1", "2"}, "b": {"\uFFFD\uFFFD"}, "\uFFFD": {"x", "y"}, "empty": {""}, "ü": {"ü"}}
	slices.Sort(got["\uFFFD"]) // in whatever order
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := read("a=%zz"); err == nil {
		t.Error("a form that is badly escaped is read")
	}
	if _, err := read(strings.Repeat("a&", httpx.MaxSmallValues-1)); err != nil {
		t.Errorf("as many fields as there may be: %v", err)
	}
	if _, err := read(strings.Repeat("a&", httpx.MaxSmallValues)); err == nil {
		t.Error("a form of too many fields is read")
	}
}

// TestTooManyValues: a body with too many values is 413, and the message names the limit.
func TestTooManyValues(t *testing.T) {
	t.Parallel()
	_, err := httpx.ReadSmallBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", strings.NewReader("["+strings.Repeat("0,", httpx.MaxSmallValues)+"0]")))
	answer, known := httpx.Table{}.Translate(err)
	if _, ok := errors.AsType[*strictjson.LimitError](err); !ok || !known || answer.Status != 413 || answer.Code != "payload_too_large" ||
		!strings.Contains(answer.Message, "10000 values") {
		t.Errorf("%v is answered %v", err, answer)
	}
}

func TestCleanPaths(t *testing.T) {
	t.Parallel()
	var path, escaped, id string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /s/{id}", func(w http.ResponseWriter, r *http.Request) {
		path, escaped, id = r.URL.Path, r.URL.EscapedPath(), r.PathValue("id")
	})
	h := httpx.WithCleanPath(mux)
	for at, want := range map[string][3]string{
		"/s/abc":          {"/s/abc", "/s/abc", "abc"},
		"/s/a%2Fb":        {"/s/a/b", "/s/a%2Fb", "a/b"},
		"/s/%C3%BC":       {"/s/ü", "/s/%C3%BC", "ü"},
		"/s/%00":          {"/s/\uFFFD", "/s/%EF%BF%BD", "\uFFFD"},
		"/s/a%ffb":        {"/s/a\uFFFDb", "/s/a%EF%BF%BDb", "a\uFFFDb"},
		"/s/a%2Fb%00%252": {"/s/a/b\uFFFD%2", "/s/a%2Fb%EF%BF%BD%252", "a/b\uFFFD%2"},
		"/s/\xff":         {"/s/\uFFFD", "/s/%EF%BF%BD", "\uFFFD"},
	} {
		path, escaped, id = "", "", ""
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", at, nil))
		if got := [3]string{path, escaped, id}; got != want {
			t.Errorf("%q arrives as %q, want %q", at, got, want)
		}
	}
}

func TestQueriesAreCleaned(t *testing.T) {
	t.Parallel()
	p := query("value=%ff%00\xfe&%00=x")
	if got, _ := p.Text("value"); got != "\uFFFD\uFFFD\uFFFD" || p.Err() != nil {
		t.Errorf("value %q, %v", got, p.Err())
	}
	if got, _ := p.Text("\uFFFD"); got != "x" {
		t.Errorf("a name that was no text: %q", got)
	}
}

func TestMethodName(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]string{"GET": "GET", "PATCH": "PATCH", "get": "OTHER", "THEIR-NAME-IS-ADA": "OTHER", strings.Repeat("A", 60_000): "OTHER"} {
		if got := httpx.MethodName(&http.Request{Method: method}); got != want {
			t.Errorf("%.20s is logged as %s", method, got)
		}
	}
}
