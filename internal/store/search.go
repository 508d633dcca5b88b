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

	"verbatim/internal/strictjson"
)

// Hit is one response found by a parameter of its study link.
type Hit struct {
	ResponseID string
	ReadableID int
	StudyID    string
	LinkID     string
	CreatedAt  time.Time
}

// SearchPlace is where a search goes on: behind this response. The zero value is the start.
type SearchPlace struct {
	CreatedAt  time.Time
	ResponseID string
}

// searchKey is what stands in the index for a text: the text, or its hash where it is too long for an entry of PostgreSQL's
// trees, which take 2,700 bytes.
func searchKey(text string) string {
	text = strictjson.CleanText(text) // before the hash
	if len(text) <= 1000 {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Search finds responses of the organization whose link parameter has exactly this value, newest first, in studies that
// are not deleted. The studies, few among many hits, are looked up once each, not joined to every row.
func (v *View) Search(ctx context.Context, orgID, name, value string, hidden bool, after SearchPlace, limit int) ([]Hit, error) {
	links := map[string]string{} // by study id; empty: deleted
	var hits []Hit
	for {
		missing := limit - len(hits)
		found, err := v.searchPage(ctx, orgID, name, value, hidden, after, missing)
		if err != nil {
			return nil, err
		}
		for _, h := range found {
			link, known := links[h.StudyID]
			if !known {
				if link, err = v.currentLink(ctx, orgID, h.StudyID); err != nil {
					return nil, err
				}
				links[h.StudyID] = link
			}
			if link != "" {
				h.LinkID = link
				hits = append(hits, h)
			}
		}
		if len(hits) == limit || len(found) < missing {
			return hits, nil
		}
		last := found[len(found)-1]
		after = SearchPlace{CreatedAt: last.CreatedAt, ResponseID: last.ResponseID}
	}
}

// searchPage is one range of the index, of responses in whatever studies. It comes as one text: what an engine's driver does
// for a row of its own costs several times what finding it does.
func (v *View) searchPage(ctx context.Context, orgID, name, value string, hidden bool, after SearchPlace, limit int) ([]Hit, error) {
	before := int64(math.MaxInt64)
	if !after.CreatedAt.IsZero() {
		before = after.CreatedAt.UnixMicro()
	}
	var page string
	err := v.q.QueryRowContext(ctx, `select coalesce(string_agg(response_id || ' ' || readable_id || ' ' || study_id || ' ' || created_at, ','), '')
		from (select response_id, readable_id, study_id, created_at from url_param
		where org_id = $1 and name = $2 and value = $3 and (created_at, response_id) < ($4, $5) and (not hidden or $6)
		order by created_at desc, response_id desc limit cast($7 as bigint)) as page`,
		orgID, searchKey(name), searchKey(value), before, after.ResponseID, hidden, limit).Scan(&page)
	if err != nil || page == "" {
		return nil, err
	}
	hits := make([]Hit, 0, strings.Count(page, ",")+1)
	for row := range strings.SplitSeq(page, ",") {
		hit, err := readHit(row)
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit)
	}
	// The order of an aggregate's input is the engine's to choose, though all take it as it comes.
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ResponseID, a.ResponseID))
	})
	return hits, nil
}

// readHit takes a row of searchPage apart. Its ids hold no blanks.
func readHit(row string) (h Hit, err error) {
	var number, created string
	h.ResponseID, row, _ = strings.Cut(row, " ")
	number, row, _ = strings.Cut(row, " ")
	h.StudyID, created, _ = strings.Cut(row, " ")
	at, err := strconv.ParseInt(created, 10, 64)
	if err != nil {
		return Hit{}, fmt.Errorf("reading a page of a search: %w", err)
	}
	h.CreatedAt = time.UnixMicro(at).UTC()
	h.ReadableID, err = strconv.Atoi(number)
	return h, err
}

// currentLink is a study's link id, or empty when the study was deleted.
func (v *View) currentLink(ctx context.Context, orgID, studyID string) (link string, err error) {
	err = v.q.QueryRowContext(ctx, `select link_id from study where id = $1 and org_id = $2 and deleted_at is null`, studyID, orgID).Scan(&link)
	return link, orElse(err, nil)
}
