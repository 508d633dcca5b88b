package results

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/signing"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Errors of a caller's parameters.
var (
	ErrBadRef    = errors.New("a response is identified by its UUID or its readable id")
	ErrBadCursor = errors.New("the cursor does not belong to this search")
)

// Service reads responses.
type Service struct {
	Store *store.Store
	Links blob.Links          // sign links to recordings
	Keys  func() signing.Ring // sign cursors; the same on every node
}

// Filter selects a page of a study's responses. Hidden responses are left out.
type Filter struct {
	Page, PerPage int
	From          time.Time // updated at or after, in whole microseconds; zero: no bound
	AnalysedOnly  bool
}

// Page is one page of a study's responses, before its items are read.
type Page struct {
	Total int  // number of responses on all pages
	Last  bool // this is the last page
	Tag   string

	view  *store.View
	items *store.ItemPage
}

// List returns a page of a study's responses; study.ErrNotFound. ref is the study's id or any link id. Tag changes whenever an
// item of the page or the total does.
func (s *Service) List(ctx context.Context, caller org.Caller, ref string, f Filter) (_ *Page, err error) {
	defer operation.Wrap(&err, "results.List")
	view := s.Store.View().For(caller)
	offset := f.Page * f.PerPage
	items, err := view.ItemPage(ctx, store.ItemFilter{
		OrgID: caller.OrgID, Study: ref, From: f.From, AnalysedOnly: f.AnalysedOnly, Offset: offset, Limit: f.PerPage,
	})
	if err != nil {
		return nil, err
	}
	return &Page{
		Total: items.Total, Last: offset+f.PerPage >= items.Total, Tag: tag(items.Total, items.State),
		view: view, items: items,
	}, nil
}

func tag(total int, state []int64) string {
	b := make([]byte, 0, 8+8*len(state))
	b = binary.BigEndian.AppendUint64(b, uint64(total))
	for _, n := range state {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	sum := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Size returns the number of items on the page and the total bytes of their list documents, if that is known: it is not while
// one of them is an interview under way.
func (p *Page) Size() (items, bytes int, known bool) {
	return p.items.Count, p.items.Bytes, p.items.Running == 0
}

// chunkBytes is the number of bytes of items that are read before they are handed on, so that a slow client does not hold a database
// connection.
const chunkBytes = 256 << 10

// chunkPool holds the buffers that items are read into.
var chunkPool = sync.Pool{New: func() any { return new(chunk) }}

// largeItems bounds the memory of chunks that exceed chunkBytes because of a single item: over all pages at most maxLargeBytes
// are read and not yet written. Further readers of such pages wait.
var largeItems = semaphore.NewWeighted(maxLargeBytes)

const maxLargeBytes = 64 << 20

// weight returns how much of largeItems a chunk of the page needs.
func (p *Page) weight() int64 {
	if p.items.Largest <= chunkBytes {
		return 0
	}
	return int64(min(p.items.Largest+chunkBytes, maxLargeBytes))
}

// chunk holds some items of a page: their list documents, each followed by a comma, and where each ends.
type chunk struct {
	bytes []byte
	ends  []int
}

// shrink drops a buffer that a large item made long.
func (c *chunk) shrink() {
	if cap(c.bytes) > 2*chunkBytes {
		c.bytes = nil
	}
}

// read reads the page's next items.
func (c *chunk) read(ctx context.Context, p *Page) error {
	if c.bytes == nil {
		c.bytes = make([]byte, 0, chunkBytes+chunkBytes/8)
	}
	c.bytes, c.ends = c.bytes[:0], c.ends[:0]
	return p.view.NextItems(ctx, p.items, func(list []byte) (enough bool) {
		c.bytes = append(c.bytes, list...)
		c.ends = append(c.ends, len(c.bytes))
		c.bytes = append(c.bytes, ',')
		return len(c.bytes) >= chunkBytes
	})
}

// eachChunk calls fn with each chunk of the page. The page can be read once.
func (p *Page) eachChunk(ctx context.Context, fn func(c *chunk) error) error {
	defer p.items.Close()
	c := chunkPool.Get().(*chunk)
	defer chunkPool.Put(c)
	defer c.shrink()
	for !p.items.Done() {
		if err := p.nextChunk(ctx, c, fn); err != nil {
			return err
		}
	}
	return nil
}

// nextChunk reads a chunk and calls fn with it.
func (p *Page) nextChunk(ctx context.Context, c *chunk, fn func(c *chunk) error) error {
	if weight := p.weight(); weight > 0 {
		if err := largeItems.Acquire(ctx, weight); err != nil {
			return err
		}
		defer largeItems.Release(weight)
		defer c.shrink()
	}
	if err := c.read(ctx, p); err != nil || len(c.ends) == 0 {
		return err
	}
	return fn(c)
}

// Each calls fn with the list document of each item of the page, in order of readable id. The bytes are valid only during the
// call. An item that changed since List is returned as it is now, or left out if the page is filtered by time; a deleted item
// is left out. The page can be read once.
func (p *Page) Each(ctx context.Context, fn func(list []byte) error) (err error) {
	defer operation.Wrap(&err, "results.Page.Each")
	return p.eachChunk(ctx, func(c *chunk) error {
		start := 0
		for _, end := range c.ends {
			if err := fn(c.bytes[start:end]); err != nil {
				return err
			}
			start = end + len(",")
		}
		return nil
	})
}

// EachChunk is Each for many items at a time: their list documents separated by commas.
func (p *Page) EachChunk(ctx context.Context, fn func(lists []byte) error) (err error) {
	defer operation.Wrap(&err, "results.Page.EachChunk")
	return p.eachChunk(ctx, func(c *chunk) error { return fn(c.bytes[:len(c.bytes)-len(",")]) })
}

// Ref identifies a response within its study, by its UUID or its readable id.
type Ref struct {
	id         string
	readableID int
}

var digits = regexp.MustCompile(`^[1-9][0-9]*$`)

// ParseRef parses a response's UUID or readable id; ErrBadRef.
func ParseRef(s string) (Ref, error) {
	switch {
	case study.IsUUID(s):
		return Ref{id: strings.ToLower(s)}, nil
	case digits.MatchString(s):
		n, _ := strconv.Atoi(s) // on overflow n is the largest int, which no response has
		return Ref{readableID: n}, nil
	}
	return Ref{}, ErrBadRef
}

// Single is one response with the link id of its study.
type Single struct {
	LinkID string
	Item   store.Item // without its list document
}

// Single returns one response, hidden or not, with links to its recordings, valid for blob.Lifetime or slightly longer;
// study.ErrNotFound, response.ErrNotFound.
func (s *Service) Single(ctx context.Context, caller org.Caller, studyRef string, ref Ref) (_ Single, err error) {
	defer operation.Wrap(&err, "results.Single")
	view := s.Store.View().For(caller)
	single, err := find(ctx, view, caller, studyRef, ref)
	if err == nil && single.Item.HasMedia {
		single.Item.Single, err = s.withMedia(ctx, view, single.Item)
	}
	return single, err
}

// find reads one response as it is stored.
func find(ctx context.Context, view *store.View, caller org.Caller, studyRef string, ref Ref) (found Single, err error) {
	if ref.id == "" && ref.readableID <= 0 {
		ref.readableID = 0 // which no response has
	}
	found.LinkID, found.Item, err = view.SingleOf(ctx, caller.OrgID, studyRef, ref.id, ref.readableID)
	return found, err
}
