package dashboard

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/exporting"
)

type exportJSON struct {
	ID           string           `json:"id"`
	Format       exporting.Format `json:"format"`
	Layout       exporting.Layout `json:"layout"`
	Labels       bool             `json:"labels"`
	Codebook     bool             `json:"codebook"`
	Filter       string           `json:"filter"`
	Status       exporting.Status `json:"status"`
	Done         int              `json:"done"`
	Total        int              `json:"total"`
	Size         *int64           `json:"size"`
	FileName     string           `json:"fileName"`
	Unreadable   int              `json:"unreadable"`
	TextsCut     int              `json:"textsCut"`
	FilesMissing int              `json:"filesMissing"`
	Problem      string           `json:"problem"`
	UserName     string           `json:"userName"`
	RequestedAt  timestamp        `json:"requestedAt"`
	CompletedAt  *timestamp       `json:"completedAt"`
	ExpiresAt    *timestamp       `json:"expiresAt"`
}

func (c *call) exportOf(f exporting.File) exportJSON {
	r := f.Request
	return exportJSON{
		f.ID, r.Format, r.Layout, r.Labels, r.Codebook, r.Query, f.Status, f.Done, f.Total, orNull(f.Size), f.Name(c.study.LinkID), f.Unreadable, f.Cut, f.Missing,
		f.Problem, f.UserName, timestamp(f.RequestedAt), optional(f.CompletedAt), optional(f.ExpiresAt),
	}
}

func (a *API) listExports(c *call) error {
	all, err := a.Exports.List(c.r.Context(), c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Exports []exportJSON `json:"exports"`
	}{list(all, c.exportOf)})
}

// words returns values of a closed set as texts.
func words[T ~string](all ...T) (texts []string) {
	for _, one := range all {
		texts = append(texts, string(one))
	}
	return texts
}

func (a *API) createExport(c *call) error {
	query := httpx.Query(c.r)
	r := exporting.Request{Filter: filter(query), Query: filterQuery(c.r.URL.Query())}
	if err := query.Err(); err != nil {
		return err
	}
	if err := c.body(func(o *strictjson.Object) {
		r.Format = exporting.Format(o.Enum("format", strictjson.Required, words(exporting.Formats...)))
		r.Layout = exporting.Layout(o.Enum("layout", strictjson.Optional, words(exporting.Wide, exporting.Long)))
		r.Labels = o.Bool("labels", strictjson.Optional)
		r.Codebook = o.Bool("codebook", strictjson.Optional)
	}); err != nil {
		return err
	}
	if r.Layout == "" {
		r.Layout = exporting.Wide
	}
	made, err := a.Exports.Ask(c.r.Context(), c.caller, c.study.Study, r)
	if err != nil {
		return err
	}
	return c.answer(http.StatusAccepted, c.exportOf(made))
}

// filterQuery returns the parts of a filter as an address has them, in the order of their names.
func filterQuery(values url.Values) string {
	kept := url.Values{}
	for _, name := range filterNames {
		if value := values.Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	return kept.Encode()
}

// exportID returns the export that the address names; exporting.ErrNoExport for what is no id.
func (c *call) exportID() (string, error) {
	id := strings.ToLower(c.r.PathValue("exportId"))
	if !study.IsUUID(id) {
		return "", exporting.ErrNoExport
	}
	return id, nil
}

func (a *API) removeExport(c *call) error {
	id, err := c.exportID()
	if err == nil {
		err = a.Exports.Remove(c.r.Context(), c.caller, c.study.Study, id)
	}
	if err != nil {
		return err
	}
	return c.done()
}

// getExportFile serves the file, complete or in ranges.
func (a *API) getExportFile(c *call) error {
	id, err := c.exportID()
	if err != nil {
		return err
	}
	asked := c.r.Header.Get("Range")
	content, err := a.Exports.Open(c.r.Context(), c.caller, c.study.Study, id, asked == "" || strings.HasPrefix(asked, "bytes=0-"))
	if err != nil {
		return err
	}
	defer content.Close()
	header := c.w.Header()
	header.Set("Content-Type", content.Request.Format.ContentType())
	header.Set("Content-Disposition", "attachment; filename="+strconv.Quote(content.Name(c.study.LinkID)))
	header.Set("ETag", strconv.Quote(content.ID+"-"+strconv.FormatInt(content.Size, 10)))
	http.ServeContent(c.w, c.r, "", time.Time{}, httpx.Chunks(c.w, content))
	return nil
}
