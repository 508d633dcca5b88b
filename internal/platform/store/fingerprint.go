package store

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"verbatim/internal/domain/response"
)

// Fingerprint identifies one answer in a participant's own words, so that equal and similar answers can be found.
type Fingerprint struct {
	Row    int
	Hash   string
	Sketch []string // hashes of which similar answers have some in common; never equal to a Hash
}

// SaveFingerprints replaces the fingerprints of a response's answers, and returns for each row in how many earlier responses
// of the study (by readable id, and 100 at most) the same answer occurs. It stores none for a response that is being
// deleted.
func (tx *Tx) SaveFingerprints(ctx context.Context, r response.Response, fingerprints []Fingerprint) (copies map[int]int, err error) {
	copies = map[int]int{}
	for _, p := range fingerprints { // read before the transaction locks the study, so that nobody waits for it
		var n int
		if err := tx.q.QueryRowContext(ctx, `select count(*)
			from (select distinct readable_id from answer_print
			where study_id = $1 and hash = $2 and readable_id < $3 limit 100) earlier`, r.StudyID, p.Hash, r.ReadableID).Scan(&n); err != nil {
			return nil, err
		}
		if n > 0 {
			copies[p.Row] = n
		}
	}
	if err := tx.lockStudyOfRead(ctx, r); err != nil {
		return nil, err
	}
	tx.allowBatch(r.StudyID)
	if err := tx.run(ctx, `delete from answer_print where response_id = $1`, r.ID); err != nil {
		return nil, err
	}
	for _, p := range fingerprints {
		for _, hash := range append([]string{p.Hash}, p.Sketch...) {
			if err := tx.run(ctx, `insert into answer_print (study_id, hash, readable_id, response_id, row_index)
				select study_id, $1, readable_id, id, $2
				from response
				where id = $3 and deleted_at is null`, hash, p.Row, r.ID); err != nil {
				return nil, err
			}
		}
	}
	return copies, nil
}

// Lookalike is an answer of an earlier response that has hashes of its sketch in common with an answer.
type Lookalike struct {
	Row        int // of the answer
	ResponseID string
	EarlierRow int
	Common     int // hashes
}

// commonAnswers is how many answers with one hash are looked at: what more answers than that have in common, many people say.
const commonAnswers = 100

// Lookalikes returns the answers of earlier responses of the study (by readable id) that have at least this many hashes of a sketch
// in common with an answer: up to two for each answer, those with the most first.
func (v *View) Lookalikes(ctx context.Context, r response.Response, fingerprints []Fingerprint, common int) (all []Lookalike, err error) {
	for _, p := range fingerprints {
		found := map[Lookalike]int{}
		for _, hash := range p.Sketch {
			rows, err := v.q.QueryContext(ctx, `select response_id, row_index
				from answer_print
				where study_id = $1 and hash = $2 and readable_id < $3
				order by readable_id, row_index
				limit $4`, r.StudyID, hash, r.ReadableID, commonAnswers)
			if err != nil {
				return nil, err
			}
			for rows.Next() {
				l := Lookalike{Row: p.Row}
				if err := rows.Scan(&l.ResponseID, &l.EarlierRow); err != nil {
					return nil, errors.Join(err, rows.Close())
				}
				found[l]++
			}
			if err := errors.Join(rows.Err(), rows.Close()); err != nil {
				return nil, err
			}
		}
		var alike []Lookalike
		for l, n := range found {
			if l.Common = n; n >= common {
				alike = append(alike, l)
			}
		}
		slices.SortFunc(alike, func(a, b Lookalike) int {
			return cmp.Or(cmp.Compare(b.Common, a.Common), cmp.Compare(a.ResponseID, b.ResponseID), cmp.Compare(a.EarlierRow, b.EarlierRow))
		})
		all = append(all, alike[:min(2, len(alike))]...)
	}
	return all, nil
}
