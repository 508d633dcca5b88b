// Command partitions fills a PostgreSQL server of its own with many responses and measures the store's queries, the duration of VACUUM and
// the size of the tables, before and after deploy/postgres/partition.sql. It writes a table in Markdown.
//
//	go run ./test/partitions -responses 10000000 -markdown docs/benchmarks-partitions.md
//
// Ten million responses take some 20 GB of disk and an hour on two cores.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest/pgtest"
)

func main() {
	responses := flag.Int("responses", 100_000, "how many responses to make, a fifth of them in one study")
	studies := flag.Int("studies", 200, "how many other studies the rest is spread over")
	parts := flag.Int("parts", 16, "number of partitions of a table")
	script := flag.String("script", "deploy/postgres/partition.sql", "SQL script that partitions the tables")
	markdown := flag.String("markdown", "", "file to write the figures to; empty: standard output")
	flag.Parse()
	ctx := context.Background()
	text, err := run(ctx, *responses, *studies, *parts, *script)
	if err == nil && *markdown != "" {
		err = os.WriteFile(*markdown, []byte(text), 0o600)
	} else if err == nil {
		fmt.Print(text)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// trial is a filled database.
type trial struct {
	ctx     context.Context
	server  *pgtest.Server
	url     string
	store   *store.Store
	conn    *pgx.Conn
	orgs    []string
	studies []string // the first is the large one
	sizes   []int
}

func run(ctx context.Context, responses, studies, parts int, script string) (text string, err error) {
	t := &trial{ctx: ctx}
	if t.server, err = pgtest.Start(ctx); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, t.server.Close()) }()
	t.url = t.server.URL("trial")
	if err := pgtest.Create(ctx, t.server.URL("postgres"), "trial", ""); err != nil {
		return "", err
	}
	if t.store, err = store.Open(ctx, t.url, store.Options{}); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, t.store.Close()) }()
	if _, err := t.store.Migrate(ctx); err != nil {
		return "", err
	}
	if t.conn, err = pgx.Connect(ctx, t.url); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, t.conn.Close(ctx)) }()
	begun := time.Now()
	if err := t.fill(responses, studies); err != nil {
		return "", fmt.Errorf("filling the database: %w", err)
	}
	log.Printf("%d responses were made in %v", responses, time.Since(begun).Round(time.Second))
	before, err := t.measure("before")
	if err != nil {
		return "", err
	}
	begun = time.Now()
	partition := exec.CommandContext(ctx, "psql", t.url, "-q", "-v", "ON_ERROR_STOP=1", "-v", fmt.Sprintf("parts=%d", parts), "-f", script)
	if out, err := partition.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", script, err, out)
	}
	took := time.Since(begun)
	log.Printf("the tables were partitioned in %v", took.Round(time.Second))
	after, err := t.measure("after")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Partitions of the largest tables\n\nWritten by `go run ./test/partitions -responses %d -studies %d -parts %d`. One PostgreSQL server with fsync off and 64 MB of shared buffers "+
		"beside the program on the same machine; %d responses with a finished document of 300 bytes, two turns and one URL parameter each, a fifth of them in one study. "+
		"Medians of many runs at random places; read them beside each other, not as promises.\n\nPartitioning took %v.\n\n| what | before | after |\n|---|---|---|\n",
		responses, studies, parts, responses, took.Round(time.Second))
	for i, row := range before {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", row.what, row.figure, after[i].figure)
	}
	return b.String(), nil
}

// fill creates organizations, studies and responses. The server makes the rows itself: the program's way would take a day.
func (t *trial) fill(responses, others int) error {
	err := t.store.Write(t.ctx, func(tx *store.Tx) error {
		for i := range 20 {
			o, err := tx.CreateOrg(t.ctx, fmt.Sprintf("Organization %d", i))
			if err != nil {
				return err
			}
			t.orgs = append(t.orgs, o.ID)
		}
		for i := range others + 1 {
			s, err := tx.CreateStudy(t.ctx, study.Study{OrgID: t.orgs[i%len(t.orgs)], Title: "Study"}, []byte(`{}`))
			if err != nil {
				return err
			}
			t.studies = append(t.studies, s.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	large := responses / 5
	for i := range t.studies {
		size := (responses - large) / others
		if i == 0 {
			size = large
		}
		t.sizes = append(t.sizes, size)
		org := t.orgs[i%len(t.orgs)]
		from := fmt.Sprintf(`from generate_series(1, %d) n`, size)
		// Ids look as the program makes them: the time comes first, so that consecutive ids lie beside each other.
		id := fmt.Sprintf(`'%s' || lpad(to_hex(n), 8, '0')`, t.studies[i][:24]+fmt.Sprintf("%04x", i))
		at := fmt.Sprintf(`1700000000000000 + n * 1000000::bigint + %d`, i)
		for _, statement := range []string{
			fmt.Sprintf(`insert into response (id, org_id, study_id, revision, readable_id, token_hash, seed, language, url_params, progress, turn_count, created_at, updated_at, active_at, ended_at, disclosed_at, consented_at, answered)
				select %s, '%s', '%s', 1, n, md5(n::text), n, 'en', '{"pid":"p' || n || '"}', 'completed', 2, %s, %s, %s, %s, 0, 0, true %s`, id, org, t.studies[i], at, at, at, at, from),
			fmt.Sprintf(`insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, list_bytes)
				select '%s', n, %s, %s, true, false, 1, '{"id":"' || repeat(md5(n::text), 9) || '"}', '{"id":"' || md5(n::text) || '"}', 297 %s`, t.studies[i], id, at, from),
			fmt.Sprintf(`insert into url_param (org_id, name, value, created_at, response_id, hidden, study_id, readable_id) select '%s', 'pid', 'p' || n, %s, %s, false, '%s', n %s`, org, at, id, t.studies[i], from),
			fmt.Sprintf(`insert into turn (response_id, seq, step_id, kind, item_id, concept_id, body, created_at) select %s, k, 's' || k, 'answer', 'q' || k, '', '{"text":"' || md5(n::text) || '"}', %s %s, generate_series(0, 1) k`, id, at, from),
		} {
			if _, err := t.conn.Exec(t.ctx, statement); err != nil {
				return err
			}
		}
	}
	for _, size := range []int{1 << 10, 1 << 15, 1 << 20} {
		_, err := t.conn.Exec(t.ctx, fmt.Sprintf(`insert into item_tally (study_id, size, bucket, live, analysed)
			select study_id, %d, readable_id / %d, count(*), count(*) from response_item group by 1, 3`, size, size))
		if err != nil {
			return err
		}
	}
	_, err = t.conn.Exec(t.ctx, `vacuum (analyze)`)
	return err
}

// figure is a row of the table.
type figure struct{ what, figure string }

// tables are the partitioned tables.
var tables = []string{"response", "response_item", "url_param", "turn"}

func (t *trial) measure(state string) (figures []figure, err error) {
	note := func(what, format string, args ...any) {
		figures = append(figures, figure{what, fmt.Sprintf(format, args...)})
		log.Printf("%s: %s: %s", state, what, fmt.Sprintf(format, args...))
	}
	view := t.store.View()
	timed := func(what string, once func(studyAt, responseAt int) error) error {
		const runs = 300
		took := make([]time.Duration, 0, runs)
		chance := rand.New(rand.NewPCG(1, 2)) // the same rows before and after
		for range runs {
			at := chance.IntN(len(t.studies))
			begun := time.Now()
			if err := once(at, 1+chance.IntN(t.sizes[at])); err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			took = append(took, time.Since(begun))
		}
		slices.Sort(took)
		note(what, "%.2f ms (p99 %.2f)", millis(took[runs/2]), millis(took[runs*99/100]))
		return nil
	}
	page := func(f store.ItemFilter) error {
		p, err := view.ItemPage(t.ctx, f)
		read := 0
		for err == nil && !p.Done() {
			err = view.NextItems(t.ctx, p, func(item []byte) bool { read += len(item); return false })
		}
		if err == nil && read == 0 && f.From.IsZero() {
			err = errors.New("an empty page")
		}
		return err
	}
	for _, one := range []struct {
		what string
		once func(at, n int) error
	}{
		{"page of 100, anywhere in any study", func(at, n int) error {
			return page(store.ItemFilter{OrgID: t.orgs[at%len(t.orgs)], Study: t.studies[at], Limit: 100, Offset: min(n, t.sizes[at]-1)})
		}},
		{"page of 100, anywhere in the study that has a fifth of all", func(_, n int) error {
			return page(store.ItemFilter{OrgID: t.orgs[0], Study: t.studies[0], Limit: 100, Offset: n * (t.sizes[0] / t.sizes[1]) % t.sizes[0]})
		}},
		{"poll of the newest 100 updates", func(at, _ int) error {
			from := time.UnixMicro(1700000000000000 + int64(t.sizes[at]-100)*1000000)
			return page(store.ItemFilter{OrgID: t.orgs[at%len(t.orgs)], Study: t.studies[at], Limit: 100, From: from})
		}},
		{"one response", func(at, n int) error {
			_, _, err := view.SingleOf(t.ctx, t.orgs[at%len(t.orgs)], t.studies[at], "", n)
			return err
		}},
		{"search, one hit in each study of the organization", func(at, n int) error {
			_, err := view.Search(t.ctx, t.orgs[at%len(t.orgs)], "pid", fmt.Sprintf("p%d", n), false, store.SearchCursor{}, 101)
			return err
		}},
	} {
		if err := timed(one.what, one.once); err != nil {
			return nil, err
		}
	}
	// Update a tenth of a study, as an analysis of all its responses does, and then clean up.
	begun := time.Now()
	changed, err := t.conn.Exec(t.ctx, `update response_item set version = version + 1 where study_id = $1 and readable_id % 10 = 0`, t.studies[0])
	if err != nil {
		return nil, err
	}
	note("update of a tenth of the large study", "%.1f s (%d rows)", time.Since(begun).Seconds(), changed.RowsAffected())
	for _, table := range tables {
		begun := time.Now()
		if _, err := t.conn.Exec(t.ctx, `vacuum (analyze) `+table); err != nil {
			return nil, err
		}
		note("VACUUM ANALYZE of "+table, "%.1f s", time.Since(begun).Seconds())
	}
	largest := ""
	begun = time.Now()
	err = t.conn.QueryRow(t.ctx, `select coalesce(max(tableoid::regclass::text), '') from (select tableoid from response_item where study_id = $1 limit 1) x`, t.studies[0]).Scan(&largest)
	if err != nil {
		return nil, err
	}
	if _, err := t.conn.Exec(t.ctx, `vacuum (freeze) `+largest); err != nil {
		return nil, err
	}
	note("VACUUM FREEZE of what holds the large study's documents", "%.1f s", time.Since(begun).Seconds())
	for _, table := range tables {
		var mib int64
		if err := t.conn.QueryRow(t.ctx, `select sum(pg_total_relation_size(oid))::bigint / 1048576 from pg_class
			where oid = $1::text::regclass or oid in (select inhrelid from pg_inherits where inhparent = $1::text::regclass)`, table).Scan(&mib); err != nil {
			return nil, err
		}
		note("size of "+table+" with its indexes", "%d MiB", mib)
	}
	return figures, nil
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
