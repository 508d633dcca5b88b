package v1

import (
	"net/http"
	"strconv"

	"verbatim/internal/access"
	"verbatim/internal/httpio"
	"verbatim/internal/results"
)

type searchResults struct {
	Results    []searchResult `json:"results"`
	NextCursor *string        `json:"nextCursor"`
}

type searchResult struct {
	ResponseID         string `json:"responseId"`
	ReadableResponseID int    `json:"readableResponseId"`
	StudyID            string `json:"studyId"`
	LinkID             string `json:"linkId"`
	StudyURL           string `json:"studyUrl"`
	ResponseURL        string `json:"responseUrl"`
}

func (d *Door) searchResponses(w http.ResponseWriter, r *http.Request) error {
	query := httpio.Query(r)
	q := results.Query{Limit: query.Int("limit", 100, 1, 1000), IncludeHidden: query.Bool("includeHidden", false)}
	var valued, continued bool
	q.Parameter, _ = query.Text("parameter")
	q.Value, valued = query.Text("value")
	q.Cursor, continued = query.Text("cursor")
	switch err := query.Err(); {
	case err != nil:
		return err
	case q.Parameter == "":
		return httpio.BadRequest("parameter is missing or empty: name the URL parameter to search by.")
	case !valued:
		return httpio.BadRequest("value is missing: give the exact value to search for. It may be empty.")
	case continued && q.Cursor == "":
		return results.ErrBadCursor
	}
	found, err := d.Results.Search(r.Context(), access.CallerOf(r.Context()), q)
	if err != nil {
		return err
	}
	answer := searchResults{Results: make([]searchResult, 0, len(found.Hits)), NextCursor: orNull(found.Next)}
	for _, hit := range found.Hits {
		studyURL := d.studyURL(hit.LinkID)
		answer.Results = append(answer.Results, searchResult{
			hit.ResponseID, hit.ReadableID, hit.StudyID, hit.LinkID, studyURL, studyURL + "/responses/" + strconv.Itoa(hit.ReadableID),
		})
	}
	return httpio.WriteJSON(w, r, http.StatusOK, answer)
}
