package v1

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/service/access"
	"verbatim/internal/service/results"
)

func (a *API) searchResponses(w http.ResponseWriter, r *http.Request) error {
	query := httpx.Query(r)
	q := results.Query{Limit: query.Int("limit", 100, 1, 1000), IncludeHidden: query.Bool("includeHidden", false)}
	var valued, continued bool
	q.Parameter, _ = query.Text("parameter")
	q.Value, valued = query.Text("value")
	q.Cursor, continued = query.Text("cursor")
	if q.Parameter == "" {
		query.Refuse("parameter is missing or empty: name the URL parameter to search by.")
	}
	if !valued {
		query.Refuse("value is missing: give the exact value to search for. It may be empty.")
	}
	if continued && q.Cursor == "" {
		query.Refuse("cursor is empty: leave it out for the first page.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	found, err := access.Read(r.Context(), func(caller org.Caller) (results.SearchPage, error) {
		return a.Results.Search(r.Context(), caller, q)
	})
	if err != nil {
		return err
	}
	kept := searchBodies.Get().(*[]byte)
	defer searchBodies.Put(kept)
	*kept = a.searchResults((*kept)[:0], found)
	return httpx.WriteBody(w, r, http.StatusOK, *kept)
}

// searchBodies are used again: most are so long that the runtime would clear each one first.
var searchBodies = sync.Pool{New: func() any { return new([]byte) }}

// searchResults appends what was found to b. Most of a hit depends on its study only, and is encoded once for each study.
func (a *API) searchResults(b []byte, found results.SearchPage) []byte {
	const perHit = 400 // approximate bytes
	b = append(slices.Grow(b, 64+perHit*len(found.Hits)), `{"results":[`...)
	ofStudy := map[string][]byte{}
	for i, hit := range found.Hits {
		if i > 0 {
			b = append(b, ',')
		}
		shared, known := ofStudy[hit.StudyID]
		if !known {
			shared = a.encodeHitStudy(hit)
			ofStudy[hit.StudyID] = shared
		}
		b = append(append(b, `{"responseId":"`...), hit.ResponseID...)
		b = strconv.AppendInt(append(b, `","readableResponseId":`...), int64(hit.ReadableID), 10)
		b = strconv.AppendInt(append(b, shared...), int64(hit.ReadableID), 10)
		b = append(b, `"}`...)
	}
	b = append(b, `],"nextCursor":`...)
	b = append(b, httpx.Encode(orNull(found.Next))...)
	b[len(b)-1] = '}' // replaces the newline that Encode adds
	return append(b, '\n')
}

// encodeHitStudy returns the part that all hits of a study share: from after the readable id to before its repetition at the
// end of the response's URL.
func (a *API) encodeHitStudy(hit response.Hit) []byte {
	studyURL := a.studyURL(hit.LinkID)
	shared := httpx.Encode(struct {
		StudyID     string `json:"studyId"`
		LinkID      string `json:"linkId"`
		StudyURL    string `json:"studyUrl"`
		ResponseURL string `json:"responseUrl"`
	}{hit.StudyID, hit.LinkID, studyURL, studyURL + "/responses/"})
	shared[0] = ','
	return bytes.TrimSuffix(shared, []byte("\"}\n"))
}
