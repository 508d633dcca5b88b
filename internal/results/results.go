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

	"verbatim/internal/org"
	"verbatim/internal/response"
	"verbatim/internal/store"
	"verbatim/internal/study"
)

// Errors of what callers ask for.
var (
	ErrBadRef    = errors.New("a response is named by its UUID or its readable id")
	ErrBadCursor = errors.New("the cursor is not one of this search")
)

// Service reads responses back.
type Service struct {
	Store *store.Store

	mu     sync.Mutex
	secret []byte // signs cursors; read from the store at the first use
}

// Filter selects a page of a study's responses. Hidden ones are left out.
type Filter struct {
	Page, PerPage int
	From          time.Time // updated at or after, in whole microseconds; zero: no bound
	AnalysedOnly  bool
}

// Page is one page of a study's responses, before its items are read.
type Page struct {
	Study study.Study
	Total int  // what the filter leaves, over all pages
	Last  bool // no page follows
	Tag   string

	view   *store.View
	filter store.ItemFilter
	marks  []store.ItemMark
}

// List finds a page of a study's responses; study.ErrNotFound. The study is named by its id or any link id. Tag changes
// whenever an item of the page or the total does.
func (s *Service) List(ctx context.Context, caller org.Caller, ref string, f Filter) (*Page, error) {
	view := s.Store.View()
	found, err := view.StudyByRef(ctx, caller.OrgID, ref)
	if err != nil {
		return nil, err
	}
	p := &Page{Study: found, view: view, filter: store.ItemFilter{
		StudyID: found.ID, From: f.From, AnalysedOnly: f.AnalysedOnly, Offset: f.Page * f.PerPage, Limit: f.PerPage,
	}}
	if p.Total, err = view.CountItems(ctx, p.filter); err != nil {
		return nil, err
	}
	if p.filter.Offset < p.Total {
		if p.marks, err = view.ItemMarks(ctx, p.filter); err != nil {
			return nil, err
		}
	}
	p.Last = p.filter.Offset+f.PerPage >= p.Total
	p.Tag = tag(p.Total, p.marks)
	return p, nil
}

func tag(total int, marks []store.ItemMark) string {
	state := make([]byte, 0, 8+24*len(marks))
	state = binary.BigEndian.AppendUint64(state, uint64(total))
	for _, m := range marks {
		state = binary.BigEndian.AppendUint64(state, uint64(m.ReadableID))
		state = binary.BigEndian.AppendUint64(state, uint64(m.UpdatedAt))
		state = binary.BigEndian.AppendUint64(state, uint64(m.Version))
	}
	sum := sha256.Sum256(state)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// batch is how many bytes of items are read before they are handed on, so that no client, however slow, holds a
// connection of the database.
const batch = 256 << 10

var errFull = errors.New("batch is full")

// Each calls fn with the list document of each item of the page, in order of readable id. The bytes are valid only
// during the call. An item that changed since List comes as it is now, one that was deleted does not come.
func (p *Page) Each(ctx context.Context, fn func(list []byte) error) error {
	if len(p.marks) == 0 {
		return nil
	}
	next, last, left := p.marks[0].ReadableID, p.marks[len(p.marks)-1].ReadableID, len(p.marks)
	var items []byte
	var ends []int
	for next <= last && left > 0 {
		items, ends = items[:0], ends[:0]
		err := p.view.ItemsBetween(ctx, p.filter, next, last, func(readableID int, list []byte) error {
			items = append(items, list...)
			ends = append(ends, len(items))
			next = readableID + 1
			if left--; left == 0 || len(items) >= batch {
				return errFull
			}
			return nil
		})
		if err == nil {
			next = last + 1
		} else if !errors.Is(err, errFull) {
			return err
		}
		start := 0
		for _, end := range ends {
			if err := fn(items[start:end]); err != nil {
				return err
			}
			start = end
		}
	}
	return nil
}

// Ref names a response within its study: by its UUID, or by its readable id.
type Ref struct {
	id         string
	readableID int
}

var digits = regexp.MustCompile(`^[1-9][0-9]*$`)

// ParseRef reads a name of a response; ErrBadRef.
func ParseRef(s string) (Ref, error) {
	switch {
	case study.IsUUID(s):
		return Ref{id: strings.ToLower(s)}, nil
	case digits.MatchString(s):
		n, _ := strconv.Atoi(s) // a number too large to be one is the largest, which no response has
		return Ref{readableID: n}, nil
	}
	return Ref{}, ErrBadRef
}

// Single is one response with the study it belongs to.
type Single struct {
	Study study.Study
	Item  store.Item
}

// Single finds one response, hidden or not; study.ErrNotFound, response.ErrNotFound.
func (s *Service) Single(ctx context.Context, caller org.Caller, studyRef string, ref Ref) (Single, error) {
	view := s.Store.View()
	found, err := view.StudyByRef(ctx, caller.OrgID, studyRef)
	if err != nil {
		return Single{}, err
	}
	var item store.Item
	switch {
	case ref.id != "":
		item, err = view.ItemByResponse(ctx, found.ID, ref.id)
	case ref.readableID > 0:
		item, err = view.ItemByReadableID(ctx, found.ID, ref.readableID)
	default:
		err = response.ErrNotFound
	}
	return Single{Study: found, Item: item}, err
}
