package store

import (
	"context"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/response"
)

// PlaceState is the kind of a row of quota_place.
type PlaceState string

// The states. TurnedAway takes no place: the cell was full.
const (
	PlaceInProgress PlaceState = "in_progress"
	PlaceComplete   PlaceState = "complete"
	PlaceTurnedAway PlaceState = "turned_away"
)

// TakePlaces gives a running interview a place in each of the cells, in place of those that it has. If one of them is full, it takes
// none and returns that cell; the caller then rolls back, or calls TurnAway. It locks the study first, so that a cell never has more places
// than its limit, on all servers together. On PostgreSQL a full cell may show only at the end of the transaction; then Write runs its
// function again.
func (tx *Tx) TakePlaces(ctx context.Context, r response.Response, cells []guide.Cell, hadSome bool) (full *guide.Cell, err error) {
	if err := tx.lockStudyOfRead(ctx, r); err != nil {
		return nil, err
	}
	if hadSome {
		if err := tx.ReleasePlaces(ctx, r.ID); err != nil {
			return nil, err
		}
	}
	for i := range cells {
		c := &cells[i]
		taken, err := tx.expect(ctx, `insert into quota_place (response_id, quota_id, cell_id, study_id, state, hidden, created_at)
			select $1, $2, $3, $4, 'in_progress', $5, $6
			where (select count(*)
				from quota_place
				where study_id = $4 and quota_id = $2 and cell_id = $3 and state in ('in_progress', 'complete') and not hidden) < $7`,
			r.ID, c.Quota, c.Cell, r.StudyID, r.Hidden, micros(tx.at), c.Limit)
		if err != nil {
			return nil, err
		}
		if !taken {
			return c, tx.ReleasePlaces(ctx, r.ID)
		}
	}
	return nil, nil
}

// ReleasePlaces removes the places of an interview that has not been completed.
func (tx *Tx) ReleasePlaces(ctx context.Context, responseID string) error {
	return tx.run(ctx, `delete from quota_place where response_id = $1 and state = 'in_progress'`, responseID)
}

// CompletePlaces makes the places of a completed interview permanent.
func (tx *Tx) CompletePlaces(ctx context.Context, responseID string) error {
	return tx.run(ctx, `update quota_place set state = 'complete' where response_id = $1 and state = 'in_progress'`, responseID)
}

// TurnAway notes that an interview ended because a cell was full.
func (tx *Tx) TurnAway(ctx context.Context, r response.Response, cell guide.CellRef) error {
	return tx.run(ctx, `insert into quota_place (response_id, quota_id, cell_id, study_id, state, hidden, created_at)
		values ($1, $2, $3, $4, 'turned_away', $5, $6)
		on conflict (response_id, quota_id, cell_id) do nothing`, r.ID, cell.Quota, cell.Cell, r.StudyID, r.Hidden, micros(tx.at))
}

// PlaceCount counts the rows of one cell. Hidden responses do not count.
type PlaceCount struct {
	InProgress int
	Complete   int
	TurnedAway int
}

// Taken returns how many places of the cell are taken.
func (c PlaceCount) Taken() int { return c.InProgress + c.Complete }

// PlaceCounts counts the places of a study, by cell. Cells without any are left out.
func (v *View) PlaceCounts(ctx context.Context, studyID string) (map[guide.CellRef]PlaceCount, error) {
	counts := map[guide.CellRef]PlaceCount{}
	_, err := collect(ctx, v, func(r scanner) (ref guide.CellRef, err error) {
		var c PlaceCount
		err = r.Scan(&ref.Quota, &ref.Cell, &c.InProgress, &c.Complete, &c.TurnedAway)
		counts[ref] = c
		return ref, err
	}, `select quota_id, cell_id, count(*) filter (where state = 'in_progress'), count(*) filter (where state = 'complete'),
			count(*) filter (where state = 'turned_away')
		from quota_place
		where study_id = $1 and not hidden
		group by quota_id, cell_id`, studyID)
	return counts, err
}

// PlaceCount counts the places of one cell.
func (v *View) PlaceCount(ctx context.Context, studyID string, cell guide.CellRef) (c PlaceCount, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*) filter (where state = 'in_progress'), count(*) filter (where state = 'complete')
		from quota_place
		where study_id = $1 and quota_id = $2 and cell_id = $3 and not hidden`, studyID, cell.Quota, cell.Cell).Scan(&c.InProgress, &c.Complete)
	return c, err
}
