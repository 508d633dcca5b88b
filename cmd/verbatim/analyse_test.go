package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/sample"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestAnalyse reports on one study in every output format.
func TestAnalyse(t *testing.T) {
	t.Parallel()
	link, place := simulated(t, 30)
	analyse := func(want int, args ...string) (string, string) {
		return command(t, want, slices.Concat([]string{"study", "analyse", link}, args, place)...)
	}
	text, _ := analyse(0)
	for _, part := range []string{"## Fieldwork", "Logit utilities and shares of preference", "Keyword groups", "## Method"} {
		if !strings.Contains(text, part) {
			t.Errorf("the report has no %q:\n%s", part, text)
		}
	}
	for flag, words := range map[string][2]string{
		"--scale":   {"Q1:sideways", `"sideways" is no direction`},
		"--weights": {"missing.csv", "name a CSV file with the columns"},
		"--csv":     {filepath.Join(os.DevNull, "tables"), "the folder cannot be made"},
	} {
		if _, errs := analyse(exitUsage, flag, words[0]); !strings.Contains(errs, words[1]) || strings.Contains(errs, "mkdir ") || strings.Contains(errs, "stat ") {
			t.Errorf("%s %s: %s", flag, words[0], errs)
		}
	}
	folder, file := filepath.Join(t.TempDir(), "new", "tables"), filepath.Join(t.TempDir(), "report.md")
	printed, _ := analyse(0, "--csv", folder, "--markdown", file, "--json", "--by", "param:source")
	var report struct {
		By       string
		Sections []struct {
			Tables []struct{ Rows []map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(printed), &report); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	tables := 0
	for _, s := range report.Sections {
		tables += len(s.Tables)
	}
	written, err := os.ReadDir(folder)
	if err != nil || len(written) != tables || tables < 30 || !strings.Contains(report.By, "source") {
		t.Errorf("%d files for %d tables by %q (%v)", len(written), tables, report.By, err)
	}
	if saved, err := os.ReadFile(file); err != nil || !strings.Contains(string(saved), "## Fieldwork") {
		t.Errorf("%v: %.80s", err, saved)
	}
	if _, stderr := analyse(exitUsage, "--by", "nothing"); !strings.Contains(stderr, "no such question") {
		t.Errorf("stderr %q", stderr)
	}
}

// TestAnalyseWithAModel checks that the configured model finds the themes of open answers and that its use is recorded, and that
// --no-model calls no model.
func TestAnalyseWithAModel(t *testing.T) {
	t.Parallel()
	link, place := simulated(t, 20)
	server := llmtest.New()
	with := func(more ...string) []string {
		return slices.Concat([]string{"study", "analyse", link, "--llm-url", server.Serve(t), "--llm-model", "tiny"}, more, place)
	}
	if text, _ := command(t, 0, with("--no-model")...); strings.Contains(text, "tiny") || len(server.Asked()) > 0 {
		t.Errorf("%d calls without a model:\n%s", len(server.Asked()), text)
	}
	text, _ := command(t, 0, with()...)
	if !strings.Contains(text, "By 127.0.0.1, model tiny, version themes-1+assign-1.") || strings.Contains(text, "Keyword groups stand in their place") {
		t.Errorf("the themes are not the model's:\n%s", text)
	}
	if spent := object(t, append([]string{"llm", "usage", "--study", link}, place...)...); spent["calls"] != float64(len(server.Asked())) || len(server.Asked()) < 2 {
		t.Errorf("recorded use %v for %d calls", spent, len(server.Asked()))
	}
	if text, _ := command(t, 0, with("--llm-max-study", "tokens=1")...); !strings.Contains(text, "Keyword groups stand in their place") {
		t.Errorf("past the ceiling:\n%s", text)
	}
	if _, stderr := command(t, exitUsage, with("--llm-max-study", "much")...); !strings.Contains(stderr, "--llm-max-study") {
		t.Errorf("stderr %q", stderr)
	}
}

// simulated creates a study on the sample guide with simulated participants. It returns its link and the flags of its database.
func simulated(t *testing.T, people int) (link string, place []string) {
	t.Helper()
	address := storetest.Address(t)
	s := storetest.Open(t, address, store.Options{})
	g, err := guide.Decode(sample.Payload, guide.Options{NewID: store.NewID})
	if err != nil {
		t.Fatal(err)
	}
	o := storetest.Org(t, s)
	balance := storetest.Wallet(t, s, o.ID, 100*wallet.Credit)
	storetest.Write(t, s, func(tx *store.Tx) error {
		st, err := tx.CreateStudy(t.Context(), study.Study{OrgID: o.ID, Title: g.Title}, guide.Encode(g))
		link = st.LinkID
		return errors.Join(err, tx.Publish(t.Context(), st, balance.ID))
	})
	place = []string{"--data=" + t.TempDir(), "--database=" + address}
	object(t, append([]string{"study", "simulate", link, "--participants", strconv.Itoa(people)}, place...)...)
	return link, place
}
