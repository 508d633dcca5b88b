//go:build unix

package exporting_test

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

	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/exporting"
)

// BenchmarkExport exports 1,000 responses to the sample guide, or as many thousands as VERBATIM_EXPORT_RESPONSES says: 1,000 different
// interviews, copied. It prints the time of the processors, the largest heap seen, and the size of the file. For 100,000:
//
//	VERBATIM_EXPORT_RESPONSES=100000 go test -run '^$' -bench Export -benchtime 1x -timeout 60m ./internal/service/exporting
func BenchmarkExport(b *testing.B) {
	const different = 1000
	people := different
	if asked := os.Getenv("VERBATIM_EXPORT_RESPONSES"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil {
			b.Fatal(err)
		}
		people = max(n, different)
	}
	address := storetest.SQLiteAddress(b)
	w := newWorld(b, storetest.Open(b, address, store.Options{}), sampleGuide(b))
	w.fill(b, different)
	multiply(b, strings.TrimPrefix(address, "sqlite:"), different, people/different)
	for _, format := range exporting.Formats {
		b.Run(string(format), func(b *testing.B) {
			peak, before, size := uint64(0), processorTime(b), &counter{}
			options := exporting.Options{Format: format, Progress: func(done, total int) {
				if done%200 == 0 || done == total {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					peak = max(peak, m.HeapInuse+m.StackInuse)
				}
			}}
			for b.Loop() {
				sum, err := w.exports.Write(b.Context(), w.study, options, size)
				if err != nil || sum.Responses != people/different*different {
					b.Fatal(sum, err)
				}
			}
			b.ReportMetric((processorTime(b)-before).Seconds()/float64(b.N), "cpu-s/op")
			b.ReportMetric(float64(peak)/(1<<20), "MB-heap")
			b.ReportMetric(float64(size.n)/float64(b.N)/1e6, "MB-file")
			b.ReportMetric(float64(people), "responses")
		})
	}
}

// counter counts what is written.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
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

// multiply copies the responses of a database, with their turns and documents, under new ids and numbers.
func multiply(b *testing.B, path string, each, times int) {
	b.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(statement string) {
		if _, err := db.Exec(statement); err != nil {
			b.Fatalf("%s: %v", statement, err)
		}
	}
	run("pragma synchronous = off")
	run("begin")
	for _, t := range []struct {
		name    string
		changed map[string]string // columns that differ in each copy
	}{
		{"response", map[string]string{"id": "id || '-COPY'", "readable_id": "readable_id + OFFSET", "token_hash": "token_hash || '-COPY'", "updated_at": "updated_at + COPY000000000000"}},
		{"turn", map[string]string{"response_id": "response_id || '-COPY'"}},
		{"response_item", map[string]string{"response_id": "response_id || '-COPY'", "readable_id": "readable_id + OFFSET", "updated_at": "updated_at + COPY000000000000"}},
	} {
		rows, err := db.Query("select group_concat(name, ',') from pragma_table_info('" + t.name + "')")
		if err != nil {
			b.Fatal(err)
		}
		var columns string
		if !rows.Next() || rows.Scan(&columns) != nil || rows.Close() != nil {
			b.Fatal("no columns of " + t.name)
		}
		run("create temp table first_" + t.name + " as select * from " + t.name)
		for i := 1; i < times; i++ {
			values := strings.Split(columns, ",")
			for at, name := range values {
				if changed := t.changed[name]; changed != "" {
					values[at] = strings.NewReplacer("COPY", strconv.Itoa(i), "OFFSET", strconv.Itoa(i*each)).Replace(changed)
				}
			}
			run("insert into " + t.name + " (" + columns + ") select " + strings.Join(values, ",") + " from first_" + t.name)
		}
	}
	run(fmt.Sprintf("update study set last_readable_id = %d", each*times))
	run("commit")
}
