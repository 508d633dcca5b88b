package faults

import (
	"flag"
	"testing"
	"time"
)

var (
	long      = flag.Bool("long", false, "run the long form: more load, faults that last, and marks on time")
	markdown  = flag.String("markdown", "", "page to keep the table in, as Markdown")
	caddy     = flag.String("caddy", "caddy", "the Caddy in front of the nodes")
	beginOnce = flag.Bool("begin-once", true, "fail where a start that was tried again gave a person two responses")
)

// fault is one thing that breaks.
type fault struct {
	name string
	mark string // when the service passes, in words
	run  func(w *world, t *testing.T) *stage
}

// faults are all faults in order. The last one leaves another PostgreSQL server behind.
var faults = []fault{
	{"kill -9 of nodes behind Caddy", "6 kills, fewer than 5 of 8,000 requests fail, none later than 1 s after a kill", killNodes},
	{"a node frozen", "30 s; at the other nodes nobody waits longer than 2 s", freezeNode},
	{"a third of the connections wanted", "503 with Retry-After and no other refusal, no deadlock", fewConnections},
	{"S3 down", "60 s; no text request fails, /readyz stays 200, a node starts, uploads are refused by 503 with Retry-After and arrive afterwards", objectsDown},
	{"PostgreSQL killed", "5 s; refusals are clear, answers within 2 s of its return", databaseKilled},
	{"PostgreSQL frozen", "15 s; refusals are clear, answers within 2 s of its return", databaseFrozen},
	{"one clock 25 hours ahead", "no request fails, no interview is abandoned, the node warns", clockAhead},
	{"disk full, SQLite", "refusals are clear, /readyz says so, fewer than 50 log lines a second, works again without a restart", diskFullSQLite},
	{"disk full, PostgreSQL", "the same", diskFullPostgres},
	{"file handles short on one node", "no request fails at the others, fewer than 50 log lines a second, the node serves again without a restart", filesShort},
	{"a standby promoted", "answers within 2 s of the promotion", promoted},
}

// pick returns the value of the short form or of the long form.
func pick[T any](short, more T) T {
	if *long {
		return more
	}
	return short
}

// TestFaults brings about one fault after the other and prints the table.
func TestFaults(t *testing.T) {
	w := newWorld(t)
	var rows []row
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			begun := time.Now()
			s := f.run(w, t)
			s.row.name, s.row.mark, s.row.took = f.name, f.mark, time.Since(begun)
			rows = append(rows, s.row)
			t.Logf("\n%s", table([]row{s.row}))
			for _, violation := range s.row.violations {
				t.Error(violation)
			}
		})
	}
	if len(rows) == 0 {
		return
	}
	t.Logf("%s form\n%s", form(), table(rows))
	if *markdown != "" {
		if err := write(*markdown, beginFaults, endFaults, rows); err != nil {
			t.Error(err)
		}
	}
}
