package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob/blobtest"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
)

// installation holds the addresses of an installation's data, and what a client needs to use it.
type installation struct {
	database, blobs, secretFile string
	key, link, study            string
}

// at returns the installation with another database.
func (in installation) at(database string) installation {
	in.database = database
	return in
}

func (in installation) flags() []string {
	return []string{"--database=" + in.database, "--blobs=" + in.blobs, "--secret-file=" + in.secretFile}
}

// engines returns for each of the two engines a function that creates an empty database and returns its address, and the PostgreSQL
// server.
func engines(t *testing.T) (map[string]func(t *testing.T) string, *pgtest.Server) {
	t.Helper()
	storetest.OnceOnSQLite(t, "it starts a PostgreSQL of its own, and meets both engines")
	server := pgtest.StartFor(t)
	n := 0
	return map[string]func(t *testing.T) string{
		"sqlite": func(t *testing.T) string {
			t.Helper()
			return "sqlite:" + filepath.Join(t.TempDir(), "verbatim.db")
		},
		"postgres": func(t *testing.T) string {
			t.Helper()
			n++
			name := fmt.Sprint("own", n)
			if err := pgtest.Create(t.Context(), server.URL("postgres"), name, ""); err != nil {
				t.Fatal(err)
			}
			return server.URL(name)
		},
	}, server
}

// install creates an installation with a study and simulated participants, each with a recording.
func install(t *testing.T, database string) installation {
	t.Helper()
	in := installation{database: database, blobs: "file:" + filepath.Join(t.TempDir(), "blobs"), secretFile: writeSecret(t, strings.Repeat("s", 40))}
	out, _ := command(t, 0, append([]string{"demo", "--listen=127.0.0.1:0", "--participants=8", "--exit"}, in.flags()...)...)
	find := func(pattern string) string {
		t.Helper()
		found := regexp.MustCompile(pattern).FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("no %s in:\n%s", pattern, out)
		}
		return found[1]
	}
	in.key, in.link, in.study = find(`x-api-key: ([^']+)'`), find(`/s/(\w+)`), find(`studyId=([-\w]+)`)
	for _, r := range in.responses(t) {
		blobtest.Put(t, blobtest.Open(t, in.blobs), response.Objects+r.ID+"/recordings/a/b.webm", "recorded by "+r.ID)
	}
	return in
}

// serve runs a server on the installation while do runs, and returns its log.
func (in installation) serve(t *testing.T, do func(base string)) string {
	t.Helper()
	p := startServer(t, append([]string{"--rate-limit=0", "--base-url=https://interviews.example.org"}, in.flags()...)...)
	do(p.url)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-p.ended
	if err := p.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, p.logged())
	}
	return p.logged()
}

type listedResponse struct {
	ID         string
	ReadableID int
}

// responses lists the responses of the study.
func (in installation) responses(t *testing.T) (all []listedResponse) {
	t.Helper()
	in.serve(t, func(base string) { all = in.listed(t, base) })
	return all
}

func (in installation) listed(t *testing.T, base string) []listedResponse {
	t.Helper()
	status, body := get(t, base+"/api/public/v1/responses/"+in.link+"?perPage=100", "X-Api-Key", in.key)
	var page []listedResponse
	if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK || len(page) == 0 {
		t.Fatalf("the list: %d %v %s", status, err, body)
	}
	return page
}

// answers returns the responses of all read endpoints, by path.
func (in installation) answers(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	in.serve(t, func(base string) {
		v1, legacy := "/api/public/v1", "/api/public"
		paths := []string{
			v1 + "/studies", v1 + "/studies/" + in.study + "/questions", v1 + "/wallets", v1 + "/responses/" + in.link, v1 + "/responses/" + in.link + "?perPage=2&page=1",
			legacy + "/list_surveys", legacy + "/responses/" + in.link, legacy + "/studies/" + in.link + "/questions", "/s/" + in.link,
		}
		listed := in.listed(t, base)
		for _, r := range listed {
			paths = append(paths, fmt.Sprintf("%s/responses/%s/%d", v1, in.link, r.ReadableID), fmt.Sprintf("%s/responses/%s/%s", legacy, in.link, r.ID))
		}
		for _, path := range paths {
			status, body := get(t, base+path, "X-Api-Key", in.key, "Accept", "application/json")
			if status != http.StatusOK {
				t.Errorf("%s: %d %s", path, status, body)
			}
			all[path] = body
		}
	})
	return all
}

func send(t *testing.T, method, address string, headers ...string) (status int, body string) {
	t.Helper()
	return request(t, method, address, "{}", append(headers, "Content-Type", "application/json")...)
}

// wrong returns the checks of doctor that find something wrong, except for free disk space.
func (in installation) wrong(t *testing.T) (checks []string) {
	t.Helper()
	var out strings.Builder
	run(t.Context(), append([]string{"doctor", "--all", "--json"}, in.flags()...), &out, io.Discard)
	var findings []struct{ Check, State, Fault string }
	if err := json.Unmarshal([]byte(out.String()), &findings); err != nil {
		t.Fatalf("doctor: %v %s", err, out.String())
	}
	for _, f := range findings {
		if f.State == "wrong" && f.Check != "disk" {
			checks = append(checks, f.Check+": "+f.Fault)
		}
	}
	return checks
}
