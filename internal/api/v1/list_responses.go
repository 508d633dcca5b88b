package v1

import (
	"net/http"
	"strconv"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/org"
	"verbatim/internal/service/access"
	"verbatim/internal/service/results"
)

// maxPerPage is the maximum number of responses on a page.
const maxPerPage = 10_000

func (a *API) listResponses(w http.ResponseWriter, r *http.Request) error {
	query := httpx.Query(r)
	since, _ := query.Time("updatedSince")
	filter := results.Filter{
		Page:         query.Int("page", 0, 0, 0),
		PerPage:      query.Int("perPage", 1000, 1, maxPerPage),
		From:         atOrAfter(since),
		AnalysedOnly: !query.Bool("includeInProgress", true),
	}
	if err := query.Err(); err != nil {
		return err
	}
	page, err := access.Read(r.Context(), func(caller org.Caller) (*results.Page, error) {
		return a.Results.List(r.Context(), caller, r.PathValue("linkId"), filter)
	})
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("X-Total-Count", strconv.Itoa(page.Total))
	if !page.Last {
		header.Set("Link", httpx.NextPage(a.BaseURL, r, "page", filter.Page+1))
	}
	if httpx.NotModified(w, r, page.Tag) {
		return nil
	}
	if httpx.ArrayHead(w, r, length(page)) {
		return nil
	}
	return httpx.CopyArray(w, length(page), func(items func([]byte) error) error { return page.EachChunk(r.Context(), items) })
}

// atOrAfter returns t rounded up to full microseconds.
func atOrAfter(t time.Time) time.Time {
	rounded := t.Truncate(time.Microsecond)
	if rounded.Before(t) {
		rounded = rounded.Add(time.Microsecond)
	}
	return rounded
}

// length returns the length of the page's array in bytes, or -1 where it is not known beforehand.
func length(page *results.Page) int {
	items, bytes, known := page.Size()
	if !known {
		return -1
	}
	return httpx.ArrayLength(items, bytes)
}
