package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/platform/store"
)

// loadPostgres creates the studies in a new database, and copies into the tables only what reads need of responses.
func loadPostgres(ctx context.Context, address string, o options) (d dataset, err error) {
	s, err := migrated(ctx, address)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	orgID, err := d.begin(ctx, s)
	if err != nil {
		return d, err
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	for i, size := range append([]int{o.responses}, o.growth...) {
		body := o.body
		if i > 0 {
			body = min(body, postgresGrowthBody)
		}
		one, err := copyStudy(ctx, s, conn, orgID, size, body)
		if err != nil {
			return d, err
		}
		d.Studies = append(d.Studies, one)
	}
	_, err = conn.Exec(ctx, `vacuum (analyze)`)
	return d, err
}

// copyStudy creates a study of so many responses. To readers they look like those of loadStudy.
func copyStudy(ctx context.Context, s *store.Store, conn *pgx.Conn, orgID string, size, body int) (loaded, error) {
	st, err := addStudy(ctx, s, orgID, guide.FollowUpNone)
	if err != nil {
		return loaded{}, err
	}
	random := rand.New(rand.NewPCG(1, uint64(size)))
	texts := make([]string, 500) // texts repeat, since no server looks for equal items
	for i := range texts {
		texts[i] = words(random, body)
	}
	base := time.Now().Truncate(time.Microsecond)
	l := loaded{ID: st.ID, Link: st.LinkID, Size: size, Poll: base.Add(time.Duration(size) * time.Microsecond)}
	every := size / polled
	ids := make([]string, size)
	for n := range ids {
		ids[n] = store.NewID()
	}
	items := pgx.CopyFromSlice(size, func(n int) ([]any, error) {
		at := base.Add(time.Duration(n) * time.Microsecond)
		if n%every == 0 && n/every < polled {
			at = l.Poll.Add(time.Duration(1+n) * time.Microsecond)
		}
		list, single := documents(ids[n], n+1, texts[random.IntN(len(texts))])
		return []any{st.ID, n + 1, ids[n], at.UnixMicro(), true, false, document.Version, string(list), string(single), len(list)}, nil
	})
	columns := []string{"study_id", "readable_id", "response_id", "updated_at", "analysed", "hidden", "version", "list_item", "single_item", "list_bytes"}
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{"response_item"}, columns, items); err != nil {
		return l, err
	}
	params := pgx.CopyFromSlice(2*size, func(i int) ([]any, error) {
		n := i / 2
		name, value := "one", fmt.Sprint(size, "-", n)
		if i%2 == 1 {
			name, value = "hundred", fmt.Sprint(size, "-", n/100)
		}
		return []any{orgID, name, value, base.UnixMicro() + int64(n), ids[n], false, st.ID, n + 1}, nil
	})
	columns = []string{"org_id", "name", "value", "created_at", "response_id", "hidden", "study_id", "readable_id"}
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{"url_param"}, columns, params); err != nil {
		return l, err
	}
	if _, err := conn.Exec(ctx, `update study set last_readable_id = $2, item_clock = (select max(updated_at) from response_item where study_id = $1) where id = $1`, st.ID, size); err != nil {
		return l, err
	}
	return l, s.Write(ctx, func(tx *store.Tx) error { return tx.RecountItems(ctx, st.ID) })
}
