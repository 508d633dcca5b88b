package server

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/study"
)

// researcherPage is the answer to programs at studyUrl and responseUrl, and to browsers where no dashboard is built into the program. It says
// how to read the study and the response by the API. It is the same for every address of the right form, so that it does not reveal which studies
// exist.
type researcherPage struct {
	Message string `json:"message"`
	Ways    []way  `json:"ways"`
}

// way is a request of the API that reads something.
type way struct {
	What string `json:"what"`
	Path string `json:"path"`
}

const researcherMessage = "This address identifies a study for its researchers. Programs read it by the API."

//go:embed researcher.html
var researcherText string

var researcherTemplate = template.Must(template.New("researcher").Parse(researcherText))

func (s *Server) registerResearcherPages(mux *http.ServeMux) {
	handler := httpx.Table{}.Handle(s.Log, s.describeAddress)
	mux.Handle("GET /p/{linkId}", handler)
	mux.Handle("GET /p/{linkId}/responses/{readableId}", handler)
	if s.hasDashboardPages() {
		mux.HandleFunc("GET /p/{linkId}/{rest...}", s.Dashboard.ServePage)
	}
}

func (s *Server) hasDashboardPages() bool { return s.Dashboard != nil && s.Dashboard.HasPages() }

func (s *Server) describeAddress(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Vary", "Accept")
	linkID, readableID := r.PathValue("linkId"), r.PathValue("readableId")
	if !study.ValidLinkID(linkID) && !study.IsUUID(linkID) || readableID != "" && !isReadableID(readableID) {
		return httpx.Errorf(http.StatusNotFound, "not_found", "There is nothing at this path.")
	}
	if wantsPage := strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/html"); wantsPage && s.hasDashboardPages() {
		s.Dashboard.ServePage(w, r)
		return nil
	}
	const api = "/api/public/v1"
	page := researcherPage{Message: researcherMessage}
	if readableID != "" {
		page.Ways = append(page.Ways, way{"The response", api + "/responses/" + linkID + "/" + readableID})
	}
	page.Ways = append(page.Ways, way{"All responses of the study", api + "/responses/" + linkID}, way{"The study's questions", api + "/studies/" + linkID + "/questions"})
	if !strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/html") {
		return httpx.WriteJSON(w, r, http.StatusOK, page)
	}
	var body bytes.Buffer
	if err := researcherTemplate.Execute(&body, page); err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", pagePolicy(body.Bytes()))
	w.Header().Set("Referrer-Policy", "no-referrer")
	writeFile(w, r, "text/html; charset=utf-8", body.Bytes())
	return nil
}

func isReadableID(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n > 0 && strconv.Itoa(n) == s
}
