package dashboard

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/service/review"
)

// filterNames are the parts of a filter.
var filterNames = []string{"progress", "hidden", "qualityFrom", "qualityTo", "tag", "parameter", "q"}

// ParseFilter reads a filter as the address of the page of responses has it after its question mark.
func ParseFilter(query string) (review.Filter, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return review.Filter{}, httpx.Errorf(http.StatusBadRequest, "bad_request", "%q is not NAME=VALUE, joined by &.", query)
	}
	for name := range values {
		if !slices.Contains(filterNames, name) {
			return review.Filter{}, httpx.Errorf(http.StatusBadRequest, "bad_request", "there is no %q to filter by: take %s.", name, strings.Join(filterNames, ", "))
		}
	}
	given := httpx.Query(&http.Request{URL: &url.URL{RawQuery: query}})
	f := filter(given)
	return f, given.Err()
}
