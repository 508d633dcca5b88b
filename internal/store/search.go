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
// are not deleted.
func (v *View) Search(ctx context.Context, orgID, name, value string, hidden bool, after SearchPlace, limit int) ([]Hit, error) {
	before := int64(math.MaxInt64)
	if !after.CreatedAt.IsZero() {
		before = after.CreatedAt.UnixMicro()
	}
	return collect(ctx, v, func(r scanner) (h Hit, err error) {
		return h, r.Scan(&h.ResponseID, &h.ReadableID, &h.StudyID, &h.LinkID, moment{&h.CreatedAt})
	}, `select u.response_id, u.readable_id, u.study_id, s.link_id, u.created_at
		from url_param u join study s on s.id = u.study_id
		where u.org_id = $1 and u.name = $2 and u.value = $3 and (u.created_at, u.response_id) < ($4, $5)
		and (not u.hidden or $6) and s.deleted_at is null
		order by u.created_at desc, u.response_id desc limit cast($7 as bigint)`, orgID, searchKey(name), searchKey(value), before, after.ResponseID, hidden, limit)
}
