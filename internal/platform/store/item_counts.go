package store

import (
	"context"
	"database/sql"
	"errors"
)

// Sizes of the buckets of readable ids that items are counted in. Each contains at most 32 buckets of the next smaller size,
// so that finding any place in a study of a million items reads fewer than 100 short rows.
const (
	smallBucket  = 1 << 10
	middleBucket = 1 << 15
	largeBucket  = 1 << 20
)

// itemCounts are counts of items that are not hidden, and of those of them that are analysed, or changes of these counts.
type itemCounts struct{ live, analysed int }

// countsOf returns what an item in a state counts for.
func countsOf(hidden, analysed bool) (t itemCounts) {
	if hidden {
		return t
	}
	t.live = 1
	if analysed {
		t.analysed = 1
	}
	return t
}

func (t itemCounts) minus(other itemCounts) itemCounts {
	return itemCounts{t.live - other.live, t.analysed - other.analysed}
}

// addItemCounts adds to the counts of the buckets that an item is in.
func (tx *Tx) addItemCounts(ctx context.Context, studyID string, readableID int, t itemCounts) error {
	if t == (itemCounts{}) {
		return nil
	}
	return tx.run(ctx, `insert into item_tally (study_id, size, bucket, live, analysed)
		values ($1, 1048576, $2, $5, $6), ($1, 32768, $3, $5, $6), ($1, 1024, $4, $5, $6)
		on conflict (study_id, size, bucket) do update set live = item_tally.live + excluded.live,
			analysed = item_tally.analysed + excluded.analysed`,
		studyID, readableID/largeBucket, readableID/middleBucket, readableID/smallBucket, t.live, t.analysed)
}

// hideItem changes whether an item is hidden; nothing if the response has none.
func (tx *Tx) hideItem(ctx context.Context, responseID string, hidden bool) error {
	var studyID string
	var readableID int
	var analysed bool
	err := tx.q.QueryRowContext(ctx, `update response_item
		set hidden = $1
		where response_id = $2 and hidden <> $1
		returning study_id, readable_id, analysed`, hidden, responseID).Scan(&studyID, &readableID, &analysed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return tx.addItemCounts(ctx, studyID, readableID, countsOf(hidden, analysed).minus(countsOf(!hidden, analysed)))
}

// dropItem removes the documents of a response; nothing if it has none.
func (tx *Tx) dropItem(ctx context.Context, responseID string) error {
	var studyID string
	var readableID int
	var hidden, analysed bool
	err := tx.q.QueryRowContext(ctx, `delete from response_item
		where response_id = $1
		returning study_id, readable_id, hidden, analysed`,
		responseID).Scan(&studyID, &readableID, &hidden, &analysed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return tx.addItemCounts(ctx, studyID, readableID, itemCounts{}.minus(countsOf(hidden, analysed)))
}

// MiscountedRuns returns how many counts of a study's items differ from the items themselves: none, unless the database was
// changed by something else.
func (v *View) MiscountedRuns(ctx context.Context, studyID string) (n int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*) from (
			select size, bucket, sum(live) as live, sum(analysed) as analysed from (
				select size, bucket, live, analysed from item_tally where study_id = $1
				union all `+countBuckets+`
			) sums
			group by size, bucket
		) runs
		where live <> 0 or analysed <> 0`, studyID).Scan(&n)
	return n, err
}

// countBuckets counts a study's items in buckets, with the sign reversed.
const countBuckets = `select size, readable_id / size as bucket, -count(*) as live, -count(*) filter (where analysed) as analysed
	from response_item, (select 1024 as size union all select 32768 union all select 1048576) sizes
	where study_id = $1 and not hidden
	group by size, readable_id / size`

// RecountItems counts a study's items again.
func (tx *Tx) RecountItems(ctx context.Context, studyID string) error {
	if _, err := tx.exec(ctx, `delete from item_tally where study_id = $1`, studyID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `insert into item_tally (study_id, size, bucket, live, analysed)
		select $1, size, bucket, -live, -analysed from (`+countBuckets+`) runs`, studyID)
	return err
}
