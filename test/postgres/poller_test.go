package postgres

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/platform/store/storetest/pgtest"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/moderator"
)

// TestPollersMissNoAnswer takes interviews on three nodes whose clocks differ by an hour, each step on another node, while a poller asks
// for changes since the last one that it saw: in the end it has seen the last document of each interview, and each was found under the time
// in it.
func TestPollersMissNoAnswer(t *testing.T) {
	t.Parallel()
	server := pgtest.StartFor(t)
	address, ctx := server.URL("postgres"), t.Context()
	var nodes []*fieldwork.Service
	for n := range 3 {
		clock := func() time.Time { return time.Now().Add(time.Duration(n-1) * time.Hour) }
		nodes = append(nodes, &fieldwork.Service{Store: storetest.Open(t, address, store.Options{Now: clock}), Moderator: moderator.BuiltIn{}, Synchronous: true})
	}
	sc := storetest.NewScene(t, nodes[0].Store)
	st := questionnaire(t, sc, 4, guide.FollowUpMedium)

	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			for n := range 4 {
				token, at, err := nodes[i%3].Start(ctx, st.LinkID, "pid=1", "")
				for step := 1; err == nil && !at.Step.Ended(); step++ {
					at, err = nodes[(i+n+step)%3].Answer(ctx, token, at.Step.ID, interview.Answer{Text: "They keep."})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	written := make(chan struct{})
	go func() { all.Wait(); close(written) }()

	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	seen := map[int]string{} // readable id to the document seen last
	var last int64
	read := func(query string, into map[int]string) {
		rows, err := conn.Query(ctx, query, st.ID, last)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id int
			var doc string
			if err := rows.Scan(&id, &doc, &last); err != nil {
				t.Fatal(err)
			}
			into[id] = doc
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	const items = `select readable_id, list_item, updated_at from response_item where study_id = $1 and updated_at > $2 order by updated_at`
	for done := false; !done; {
		select {
		case <-written:
			done = true
		default:
		}
		read(items, seen)
	}
	final := map[int]string{}
	last = 0
	read(items, final)
	if len(final) != 48 || len(seen) != 48 {
		t.Errorf("there are %d documents and the poller saw %d, want 48", len(final), len(seen))
	}
	for id, doc := range final {
		if seen[id] != doc {
			t.Errorf("of response %d the poller saw last\n%s\nand not\n%s", id, seen[id], doc)
		}
	}
	var differ int
	if err := conn.QueryRow(ctx, `select count(*) from response_item i join response r on r.id = i.response_id
		where r.updated_at <> i.updated_at or list_bytes <> octet_length(list_item) or (list_item::json->>'readableId')::int <> i.readable_id
			or list_item::json->>'updatedAt' <> to_char(timestamp '1970-01-01' + i.updated_at * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`).
		Scan(&differ); err != nil || differ > 0 {
		t.Errorf("%d documents differ from their rows in time, number or length, %v", differ, err)
	}
	if n, err := nodes[0].Store.View().MiscountedRuns(ctx, st.ID); err != nil || n > 0 {
		t.Errorf("%d runs are miscounted, %v", n, err)
	}
	if violations, err := nodes[0].Store.View().AuditLedger(ctx); err != nil || len(violations) > 0 {
		t.Errorf("the ledger: %v, %v", violations, err)
	}
	var deadlocks int
	if err := conn.QueryRow(ctx, `select deadlocks from pg_stat_database where datname = current_database()`).Scan(&deadlocks); err != nil || deadlocks > 0 {
		t.Errorf("%d deadlocks, %v, want none", deadlocks, err)
	}
}
