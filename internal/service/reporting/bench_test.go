//go:build unix

package reporting_test

import (
	"database/sql"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/reporting"
)

// BenchmarkAnalyse reports on 2,000 responses to the sample guide, or on as many thousands as VERBATIM_REPORT_RESPONSES says: 2,000 different
// interviews, copied. It prints
// the time of the processors and the largest heap seen. For 100,000:
//
//	VERBATIM_REPORT_RESPONSES=100000 go test -run '^$' -bench Analyse -benchtime 1x ./internal/service/reporting
func BenchmarkAnalyse(b *testing.B) {
	const different = 2000
	people := different
	if asked := os.Getenv("VERBATIM_REPORT_RESPONSES"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil {
			b.Fatal(err)
		}
		people = max(n, different)
	}
	address := storetest.SQLiteAddress(b)
	w := newWorldAt(b, sampleGuide(b), address)
	w.fill(b, different, phrase)
	w.taken = nil
	copies(b, strings.TrimPrefix(address, "sqlite:"), different, people/different)
	peak, calls := uint64(0), 0
	options := reporting.Options{By: "param:source", Progress: func(step reporting.Step, _, _ int) {
		if calls++; calls%100 == 0 || step == reporting.Estimating {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse+m.StackInuse)
		}
	}}
	before := processorTime(b)
	for b.Loop() {
		if _, err := (&reporting.Service{Store: w.store, Now: time.Now}).Analyse(b.Context(), w.study, options); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((processorTime(b)-before).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(peak)/(1<<20), "MB-heap")
	b.ReportMetric(float64(people), "responses")
}

// processorTime returns how long this process has computed, on all processors together.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// copies multiplies the responses of a database and their turns.
func copies(b *testing.B, path string, each, times int) {
	b.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	columns := func(table string, changed map[string]string) (names, values string) {
		rows, err := db.Query("select name from pragma_table_info('" + table + "')")
		if err != nil {
			b.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				b.Fatal(err)
			}
			value := name
			if v, ok := changed[name]; ok {
				value = v
			}
			names, values = names+","+name, values+","+value
		}
		return names[1:], values[1:]
	}
	db.SetMaxOpenConns(1)
	exec := func(statement string) {
		if _, err := db.Exec(statement); err != nil {
			b.Fatal(statement, ": ", err)
		}
	}
	exec("pragma synchronous = off")
	for _, table := range []string{"response", "turn"} {
		exec("create temp table first_" + table + " as select * from " + table)
	}
	exec("begin")
	for i := 1; i < times; i++ {
		for table, changed := range map[string]map[string]string{
			"response": {"id": fmt.Sprintf("id || '-%d'", i), "readable_id": fmt.Sprintf("readable_id + %d", i*each), "token_hash": fmt.Sprintf("token_hash || '-%d'", i), "updated_at": fmt.Sprintf("updated_at + %d", i*1_000_000_000_000)},
			"turn":     {"response_id": fmt.Sprintf("response_id || '-%d'", i)},
		} {
			names, values := columns(table, changed)
			exec("insert into " + table + " (" + names + ") select " + values + " from first_" + table)
		}
	}
	exec("commit")
}
