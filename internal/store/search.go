package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"time"
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

// searchPage is one range of the index, of responses in whatever studies.
func (v *View) searchPage(ctx context.Context, orgID, name, value string, hidden bool, after SearchPlace, limit int) ([]Hit, error) {
	before := int64(math.MaxInt64)
	if !after.CreatedAt.IsZero() {
		before = after.CreatedAt.UnixMicro()
	}
	return collect(ctx, v, func(r scanner) (h Hit, err error) {
		return h, r.Scan(&h.ResponseID, &h.ReadableID, &h.StudyID, moment{&h.CreatedAt})
	}, `select response_id, readable_id, study_id, created_at from url_param
		where org_id = $1 and name = $2 and value = $3 and (created_at, response_id) < ($4, $5) and (not hidden or $6)
		order by created_at desc, response_id desc limit cast($7 as bigint)`,
		orgID, searchKey(name), searchKey(value), before, after.ResponseID, hidden, limit)
}

// currentLink is a study's link id, or empty when the study was deleted.
func (v *View) currentLink(ctx context.Context, orgID, studyID string) (link string, err error) {
	err = v.q.QueryRowContext(ctx, `select link_id from study where id = $1 and org_id = $2 and deleted_at is null`, studyID, orgID).Scan(&link)
	return link, orElse(err, nil)
}
