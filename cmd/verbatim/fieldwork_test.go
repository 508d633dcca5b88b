package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestFieldworkGuide: the complete guide of docs/fieldwork.md is accepted, and simulated people fill its quotas: exports say who met a full one,
// and the doctor finds the secret that it lacks.
func TestFieldworkGuide(t *testing.T) {
	t.Parallel()
	storetest.OnceOnSQLite(t, ownFolder)
	ctx, dir := t.Context(), t.TempDir()
	data := "--data=" + dir
	object(t, "org", "create", "Org", data)
	s := storetest.Open(t, "sqlite:"+filepath.Join(dir, "verbatim.db"), store.Options{})
	o := storetest.Org(t, s)
	balance := storetest.Wallet(t, s, o.ID, 100*wallet.Credit)
	found := regexp.MustCompile("(?s)## A complete guide\n.*?```json\n(.*?)```").FindStringSubmatch(repository(t, "docs/fieldwork.md"))
	if found == nil {
		t.Fatal("docs/fieldwork.md has no complete guide")
	}
	payload := found[1]
	g, err := guide.Decode([]byte(payload), guide.Options{NewID: store.NewID})
	if err != nil {
		t.Fatal(err)
	}
	var live study.Study
	storetest.Write(t, s, func(tx *store.Tx) (err error) {
		if live, err = tx.CreateStudy(ctx, study.Study{OrgID: o.ID, Title: g.Title}, guide.Encode(g)); err == nil {
			err = tx.Publish(ctx, live, balance.ID)
		}
		return err
	})
	done := object(t, "study", "simulate", live.LinkID, "--participants", "40", data)
	if done["complete"] == 0.0 || done["quotaFull"] == 0.0 || done["tookPartBefore"] != 0.0 {
		t.Errorf("simulated: %v", done)
	}
	if again := object(t, "study", "simulate", live.LinkID, "--participants", "5", data); again["tookPartBefore"] == 0.0 {
		t.Errorf("the same people again: %v", again)
	}
	file := filepath.Join(dir, "all.csv")
	command(t, 0, "study", "export", live.LinkID, "--format", "csv", "-o", file, data)
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(written), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	reasons := map[string]int{}
	for _, row := range rows[1:] {
		status, reason := row[column["status"]], row[column["end_reason"]]
		reasons[reason]++
		if (status == "screened_out") != (reason != "") || status == "screened_out" && row[column["quality"]] != "" {
			t.Errorf("status %s, reason %q, quality %q", status, reason, row[column["quality"]])
		}
	}
	if reasons["quota_full"] == 0 || reasons["screening"] == 0 {
		t.Errorf("reasons: %v", reasons)
	}
	var out, errs strings.Builder
	if run(ctx, []string{"doctor", data}, &out, &errs); !strings.Contains(out.String(), "has no secret for postback") {
		t.Errorf("the doctor says\n%s%s", out.String(), errs.String())
	}
}
