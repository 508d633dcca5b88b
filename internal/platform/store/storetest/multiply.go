//go:build unix

package storetest

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ProcessorTime returns how long this process has computed, on all processors together.
func ProcessorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Multiply copies the responses of an SQLite file, for benchmarks, with their turns and documents, under new ids and numbers.
func Multiply(tb testing.TB, path string, each, times int) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(statement string) {
		if _, err := db.Exec(statement); err != nil {
			tb.Fatalf("%s: %v", statement, err)
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
			tb.Fatal(err)
		}
		var columns string
		if !rows.Next() || rows.Scan(&columns) != nil || rows.Close() != nil {
			tb.Fatal("no columns of " + t.name)
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
