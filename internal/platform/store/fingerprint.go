package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	if copies, err = tx.countCopies(ctx, r, fingerprints); err != nil {
		return nil, err
	}
	// Only a deletion must not come in between. It changes this row, so participants need not wait for the study.
	if err := tx.lock(ctx, `select id from response where id = $1`, r.ID); err != nil {
		return nil, err
	}
	if err := tx.run(ctx, `delete from answer_print where response_id = $1`, r.ID); err != nil {
		return nil, err
	}
	var hashes []any // each with its row
	for _, p := range fingerprints {
		for _, hash := range append([]string{p.Hash}, p.Sketch...) {
			hashes = append(hashes, hash, p.Row)
		}
	}
	for some := range slices.Chunk(hashes, 2*hashesAtOnce) {
		args := append(make([]any, 0, 1+2*hashesAtOnce), r.ID)
		for args = append(args, some...); len(args) < cap(args); {
			args = append(args, "", 0) // so that there is one statement to keep
		}
		if err := tx.run(ctx, insertHashes, args...); err != nil {
			return nil, err
		}
	}
	return copies, nil
}

// hashesAtOnce limits the hashes that one statement inserts.
const hashesAtOnce = 16

// insertHashes inserts the hashes of a response, $1, that is not being deleted, except empty ones.
var insertHashes = func() string {
	rows := make([]string, hashesAtOnce)
	for i := range rows {
		rows[i] = fmt.Sprintf(`(cast($%d as text), cast($%d as bigint))`, 2*i+2, 2*i+3)
	}
	return `with print (hash, row_index) as (values ` + strings.Join(rows, ", ") + `)
		insert into answer_print (study_id, hash, readable_id, response_id, row_index)
		select r.study_id, print.hash, r.readable_id, r.id, print.row_index
		from response r cross join print
		where r.id = $1 and r.deleted_at is null and print.hash <> ''`
}()

// countedAtOnce limits the answers whose copies one statement counts.
const countedAtOnce = 8

// selectCopies counts the earlier responses of a study, $1, that have each hash. It returns the position of a hash and its count.
var selectCopies = func() string {
	counts := make([]string, countedAtOnce)
	for i := range counts {
		counts[i] = fmt.Sprintf(`select %d, count(*)
			from (select distinct readable_id from answer_print
			where study_id = $1 and hash = $%d and readable_id < $2 limit 100) earlier`, i, i+3)
	}
	return strings.Join(counts, " union all ")
}()

// countCopies returns for each row in how many earlier responses of the study, 100 at most, the same answer occurs.
func (v *View) countCopies(ctx context.Context, r response.Response, fingerprints []Fingerprint) (copies map[int]int, err error) {
	copies = map[int]int{}
	for some := range slices.Chunk(fingerprints, countedAtOnce) {
		args := []any{r.StudyID, r.ReadableID}
		for i := range countedAtOnce {
			hash := "" // no answer has it
			if i < len(some) {
				hash = some[i].Hash
			}
			args = append(args, hash)
		}
		if _, err := collect(ctx, v, func(row scanner) (none struct{}, err error) {
			var at, n int
			if err = row.Scan(&at, &n); n > 0 {
				copies[some[at].Row] = n
			}
			return none, err
		}, selectCopies, args...); err != nil {
			return nil, err
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
		for some := range slices.Chunk(p.Sketch, sketchHashes) {
			padded := make([]string, sketchHashes)
			copy(padded, some)
			alike, err := collect(ctx, v, func(row scanner) (Lookalike, error) {
				l := Lookalike{Row: p.Row}
				return l, row.Scan(&l.ResponseID, &l.EarlierRow, &l.Common)
			}, selectLookalikes, append([]any{r.StudyID, r.ReadableID, commonAnswers, common}, anySlice(padded)...)...)
			if err != nil {
				return nil, err
			}
			all = append(all, alike...)
		}
	}
	return all, nil
}

// sketchHashes is the number of hashes of a sketch.
const sketchHashes = 8

// selectLookalikes selects the earlier answers of a study, $1, that have at least $4 hashes in common. Of each hash it reads $3 answers at
// most, in the order of the key.
var selectLookalikes = func() string {
	found := make([]string, sketchHashes)
	for i := range found {
		found[i] = fmt.Sprintf(`select * from (
				select response_id, row_index
				from answer_print
				where study_id = $1 and hash = $%d and readable_id < $2
				order by readable_id, row_index
				limit cast($3 as bigint)
			) earlier`, i+5)
	}
	return `select response_id, row_index, count(*) as common
		from (` + strings.Join(found, " union all ") + `) found
		group by response_id, row_index
		having count(*) >= $4
		order by common desc, response_id, row_index
		limit 2`
}()
