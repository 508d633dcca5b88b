package store

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Passage is the participant's words in one row of a transcript, as the index has them.
type Passage struct {
	Row   int
	Terms []string // each once
}

// PassageSource is a response whose passages are to be indexed, as its documents were when they were read.
type PassageSource struct {
	OrgID, StudyID, ResponseID string
	ReadableID                 int
	Revision                   int
	Language                   string
	UpdatedAt                  time.Time
	Single                     []byte
}

// passageSearch is how an engine searches the index of passages: the tables, the condition on the query ($1), the order with
// the best first, and the operators of a query.
type passageSearch struct {
	from, matches, order, either, both string
	term                               func(term string) string
}

// StudiesToIndex lists studies of all organizations that changed since all their responses were in the index, with their
// clocks. Where orgID is set, only its studies are listed.
func (v *View) StudiesToIndex(ctx context.Context, orgID string) (clocks map[string]int64, err error) {
	clocks = map[string]int64{}
	_, err = collect(ctx, v, func(r scanner) (none struct{}, err error) {
		var id string
		var clock int64
		if err = r.Scan(&id, &clock); err == nil {
			clocks[id] = clock
		}
		return none, err
	}, `select s.id, s.item_clock
		from study s left join passage_study p on p.study_id = s.id
		where s.deleted_at is null and s.last_readable_id > 0 and coalesce(p.item_clock, -1) <> s.item_clock and ($1 = '' or s.org_id = $1)`, orgID)
	return clocks, err
}

// ToIndex lists responses of a study, in the order of their readable ids and after one of them, that have ended and whose
// passages are not those of their documents.
func (v *View) ToIndex(ctx context.Context, studyID string, after, limit int) ([]PassageSource, error) {
	return collect(ctx, v, func(r scanner) (s PassageSource, err error) {
		return s, r.Scan(&s.OrgID, &s.StudyID, &s.ResponseID, &s.ReadableID, &s.Revision, &s.Language, nullTime{&s.UpdatedAt}, &s.Single)
	}, `select r.org_id, r.study_id, r.id, r.readable_id, r.revision, r.language, i.updated_at, `+v.d.document("i.single_item")+`
		from response_item i
		join response r on r.id = i.response_id
		left join passage_source p on p.response_id = i.response_id
		where i.study_id = $1 and i.readable_id > $2 and coalesce(p.updated_at, -1) <> i.updated_at
			and r.progress <> 'in_progress' and r.deleted_at is null
		order by i.readable_id
		limit cast($3 as bigint)`, studyID, after, limit)
}

// IndexPassages replaces the passages of responses. One whose documents changed since they were read, or that was deleted, is
// left out: the clock of its study has moved, so it is listed again, or no more.
func (tx *Tx) IndexPassages(ctx context.Context, sources []PassageSource, passages map[string][]Passage) error {
	if len(sources) == 0 {
		return nil
	}
	ids := make([]string, len(sources))
	for i, s := range sources {
		ids[i] = s.ResponseID
	}
	slices.Sort(ids)
	in := tx.d.placeholders(1, len(ids))
	// Deletions and answers change this row, so neither comes in between.
	if err := tx.lock(ctx, `select id from response where id in `+in+` and deleted_at is null order by id`, anySlice(ids)...); err != nil {
		return err
	}
	type state struct {
		id string
		at time.Time
	}
	states, err := collect(ctx, &tx.View, func(r scanner) (s state, err error) { return s, r.Scan(&s.id, nullTime{&s.at}) },
		`select i.response_id, i.updated_at
		from response_item i
		join response r on r.id = i.response_id
		where i.response_id in `+in+` and r.deleted_at is null`, anySlice(ids)...)
	if err != nil {
		return err
	}
	now := map[string]time.Time{}
	for _, s := range states {
		now[s.id] = s.at
	}
	fresh := slices.DeleteFunc(slices.Clone(sources), func(s PassageSource) bool { return !now[s.ResponseID].Equal(s.UpdatedAt) })
	if len(fresh) == 0 {
		return nil
	}
	return tx.replacePassages(ctx, fresh, passages)
}

// replacePassages removes what the index has of responses, and adds what it should have.
func (tx *Tx) replacePassages(ctx context.Context, sources []PassageSource, passages map[string][]Passage) error {
	ids := make([]string, len(sources))
	var rows, states [][]any
	id := tx.firstPassageID()
	for i, s := range sources {
		ids[i] = s.ResponseID
		states = append(states, []any{s.ResponseID, s.StudyID, micros(s.UpdatedAt)})
		for _, p := range passages[s.ResponseID] {
			rows = append(rows, []any{id, s.OrgID, s.StudyID, s.ResponseID, p.Row, passageTerms(s.OrgID, s.StudyID, p.Terms)})
			id++
		}
	}
	in := tx.d.placeholders(1, len(ids))
	for _, table := range []string{"passage", "passage_source"} {
		if _, err := tx.exec(ctx, `delete from `+table+` where response_id in `+in, anySlice(ids)...); err != nil {
			return err
		}
	}
	if err := tx.insert(ctx, `passage (id, org_id, study_id, response_id, row_number, terms)`, rows); err != nil {
		return err
	}
	return tx.insert(ctx, `passage_source (response_id, study_id, updated_at)`, states)
}

// firstPassageID returns the first of a transaction's ids of passages. Ids rise with time, as the index of SQLite likes it,
// and those of two servers hardly ever meet; where they do, the transaction fails and its work is done again.
func (tx *Tx) firstPassageID() int64 {
	const chanceBits = 21
	return tx.at.UnixMilli()<<chanceBits | rand.Int64N(1<<(chanceBits-1))
}

// scope returns the term that all passages of an organization, or of a study, have: no word contains its first character.
func scope(kind, id string) string { return "§" + kind + strings.ReplaceAll(id, "-", "") }

// passageTerms returns the stored form of a passage's terms, with those of its scope.
func passageTerms(orgID, studyID string, terms []string) string {
	all := append(make([]string, 0, len(terms)+2), scope("o", orgID), scope("s", studyID))
	for _, t := range terms {
		if isTerm(t) {
			all = append(all, t)
		}
	}
	return strings.Join(all, " ")
}

// maxTerm is the longest term that is indexed, in bytes.
const maxTerm = 200

// isTerm reports whether both engines can hold a term as it is: neither splits it, and no query can end in it.
func isTerm(term string) bool {
	return term != "" && len(term) <= maxTerm && !strings.ContainsFunc(term, func(r rune) bool {
		return r < 0x80 && !('a' <= r && r <= 'z' || '0' <= r && r <= '9') || unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar || r == '§'
	})
}

// StudyIndexed notes that all ended responses of a study were in the index when its clock was at this time.
func (tx *Tx) StudyIndexed(ctx context.Context, studyID string, clock int64) error {
	_, err := tx.exec(ctx, `insert into passage_study (study_id, item_clock)
		values ($1, $2)
		on conflict (study_id) do update set item_clock = excluded.item_clock`, studyID, clock)
	return err
}

// PassageQuery selects passages of an organization. Of each word one of its forms must be in a passage for the word to match.
type PassageQuery struct {
	OrgID   string
	StudyID string // empty: all studies of the organization
	Words   [][]string
}

// PassageHit is a passage that was found.
type PassageHit struct {
	StudyID, LinkID, ResponseID string
	ReadableID, Row             int
	Terms                       []string
}

// text returns a query in an engine's language; empty where there is no word to search for.
func (q PassageQuery) text(e passageSearch) string {
	var forms []string
	for _, word := range q.Words {
		for _, form := range word {
			if isTerm(form) {
				forms = append(forms, e.term(form))
			}
		}
	}
	if len(forms) == 0 {
		return ""
	}
	scoped := e.term(scope("o", q.OrgID))
	if q.StudyID != "" {
		scoped = e.term(scope("s", q.StudyID))
	}
	return scoped + e.both + "(" + strings.Join(forms, e.either) + ")"
}

// foundPassages is the part of every search after its columns: only what is of the organization, and neither hidden nor
// deleted, whatever the index says.
func (e passageSearch) foundPassages() string {
	return ` from ` + e.from + `
		join response_item i on i.response_id = p.response_id and not i.hidden
		join study s on s.id = p.study_id and s.org_id = $2 and s.deleted_at is null
		where ` + e.matches + ` and p.org_id = $2 and ($3 = '' or p.study_id = $3)`
}

// SearchPassages finds the passages that match any of the words best.
func (v *View) SearchPassages(ctx context.Context, q PassageQuery, limit int) ([]PassageHit, error) {
	e := v.d.passageSearch()
	text := q.text(e)
	if text == "" {
		return nil, nil
	}
	return collect(ctx, v, func(r scanner) (h PassageHit, err error) {
		var terms string
		err = r.Scan(&h.StudyID, &h.LinkID, &h.ResponseID, &h.ReadableID, &h.Row, &terms)
		h.Terms = slices.DeleteFunc(strings.Fields(terms), func(t string) bool { return strings.HasPrefix(t, "§") })
		return h, err
	}, `select p.study_id, s.link_id, p.response_id, i.readable_id, p.row_number, p.terms`+e.foundPassages()+`
		order by `+e.order+`, p.id
		limit cast($4 as bigint)`, text, q.OrgID, q.StudyID, limit)
}

// CountMatching counts the responses of which some passage matches any of the words.
func (v *View) CountMatching(ctx context.Context, q PassageQuery) (n int, err error) {
	e := v.d.passageSearch()
	text := q.text(e)
	if text == "" {
		return 0, nil
	}
	err = v.q.QueryRowContext(ctx, `select count(distinct p.response_id)`+e.foundPassages(), text, q.OrgID, q.StudyID).Scan(&n)
	return n, err
}

// CountIndexed counts the responses that have ended and are not hidden, and those of them that are in the index as they are
// now. Where studyID is empty, those of all studies of the organization are counted.
func (v *View) CountIndexed(ctx context.Context, orgID, studyID string) (ended, indexed int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*), count(p.response_id)
		from study s
		join response_item i on i.study_id = s.id and not i.hidden
		join response r on r.id = i.response_id and r.progress <> 'in_progress' and r.deleted_at is null
		left join passage_source p on p.response_id = i.response_id and p.updated_at = i.updated_at
		where s.org_id = $1 and s.deleted_at is null and ($2 = '' or s.id = $2)`, orgID, studyID).Scan(&ended, &indexed)
	return ended, indexed, err
}

// PassageDocument has the words of passages: the single document of their response, and all parameters of its link.
type PassageDocument struct {
	ResponseID string
	Single     []byte
	URLParams  map[string]string
}

// PassageDocuments returns the documents of responses of the organization, without hidden ones.
func (v *View) PassageDocuments(ctx context.Context, orgID string, ids []string) ([]PassageDocument, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return collect(ctx, v, func(r scanner) (d PassageDocument, err error) {
		var params []byte
		if err := r.Scan(&d.ResponseID, &d.Single, &params); err != nil {
			return d, err
		}
		return d, json.Unmarshal(params, &d.URLParams)
	}, `select i.response_id, `+v.d.document("i.single_item")+`, r.url_params
		from response_item i
		join response r on r.id = i.response_id
		where not i.hidden and r.deleted_at is null and r.org_id = $1 and i.response_id in `+v.d.placeholders(2, len(ids)),
		append([]any{orgID}, anySlice(ids)...)...)
}
