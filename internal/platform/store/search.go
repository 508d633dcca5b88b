package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
)

// SearchCursor is where a search continues: after this response. The zero value is the start.
type SearchCursor struct {
	CreatedAt  time.Time
	ResponseID string
}

// searchKey returns the form of a text in the index: the text, or its hash if it is too long for an entry of PostgreSQL's
// B-trees, which hold 2,700 bytes.
func searchKey(text string) string {
	text = strictjson.CleanText(text) // before the hash
	if len(text) <= 1000 {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Search finds responses of the organization whose link parameter has exactly this value, newest first, in studies that
// are not deleted; org.ErrUnverified.
func (v *View) Search(ctx context.Context, orgID, name, value string, hidden bool, after SearchCursor, limit int) ([]response.Hit, error) {
	var hits []response.Hit
	for {
		missing := limit - len(hits)
		found, last, err := v.searchPage(ctx, orgID, name, value, hidden, after, missing)
		if err != nil {
			return nil, err
		}
		if hits == nil {
			hits = found
		} else {
			hits = append(hits, found...)
		}
		if len(hits) == limit || last == (SearchCursor{}) {
			return hits, nil
		}
		after = last
	}
}

// searchPage returns one range of the index, without the hits in deleted studies, and where the range ended; the zero place
// if nothing follows. The range comes as one text: the driver's work for a row costs several times what finding it does.
// The studies, few among many hits, are looked up once each, not joined to every row.
func (v *View) searchPage(ctx context.Context, orgID, name, value string, hidden bool, after SearchCursor, limit int) (hits []response.Hit, last SearchCursor, err error) {
	before := int64(math.MaxInt64)
	if !after.CreatedAt.IsZero() {
		before = after.CreatedAt.UnixMicro()
	}
	var valid bool
	var page, studies string
	err = v.queryRow(ctx, []any{&valid, &page, &studies}, `with page as (
			select response_id, readable_id, study_id, created_at
			from url_param
			where org_id = $2 and name = $1 and value = $5 and (created_at, response_id) < ($6, $7) and (not hidden or $8)
			order by created_at desc, response_id desc
			limit cast($9 as bigint)
		)
		select `+keyValid+`,
			(select coalesce(string_agg(response_id || ' ' || readable_id || ' ' || study_id || ' ' || created_at, ','), '') from page),
			(select coalesce(string_agg(id || ' ' || link_id, ','), '')
				from study
				where id in (select study_id from page) and org_id = $2 and deleted_at is null)`,
		searchKey(name), orgID, v.unproven, micros(v.now()), searchKey(value), before, after.ResponseID, hidden, limit)
	if err == nil && !valid {
		err = org.ErrUnverified
	}
	if err != nil || page == "" {
		return nil, SearchCursor{}, err
	}
	links := map[string]string{} // by study id
	for study := range strings.SplitSeq(studies, ",") {
		id, link, _ := strings.Cut(study, " ")
		links[id] = link
	}
	rows := strings.Count(page, ",") + 1
	hits = make([]response.Hit, 0, rows)
	for row := range strings.SplitSeq(page, ",") {
		hit, err := readHit(row)
		if err != nil {
			return nil, SearchCursor{}, err
		}
		hits = append(hits, hit)
	}
	// The engine may choose the order of an aggregate's input, though all of them keep it as it comes.
	slices.SortFunc(hits, func(a, b response.Hit) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ResponseID, a.ResponseID))
	})
	if rows == limit {
		last = SearchCursor{CreatedAt: hits[rows-1].CreatedAt, ResponseID: hits[rows-1].ResponseID}
	}
	listed := hits[:0]
	for _, hit := range hits {
		if hit.LinkID = links[hit.StudyID]; hit.LinkID != "" {
			listed = append(listed, hit)
		}
	}
	return listed, last, nil
}

// readHit parses a row of searchPage. Its ids contain no blanks.
func readHit(row string) (h response.Hit, err error) {
	var number, created string
	h.ResponseID, row, _ = strings.Cut(row, " ")
	number, row, _ = strings.Cut(row, " ")
	h.StudyID, created, _ = strings.Cut(row, " ")
	at, err := strconv.ParseInt(created, 10, 64)
	if err != nil {
		return response.Hit{}, fmt.Errorf("reading a page of a search: %w", err)
	}
	h.CreatedAt = time.UnixMicro(at).UTC()
	h.ReadableID, err = strconv.Atoi(number)
	return h, err
}
