package dashboard

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/review"
)

// progressOf returns how far a response got, in the words of this API.
func progressOf(p response.Progress, abandoned bool) string {
	if p == response.InProgress && abandoned {
		return "abandoned"
	}
	return string(p)
}

// filter reads the filter of a list.
func filter(query *httpx.Params) (f review.Filter) {
	var given bool
	f.Progress, given = query.Text("progress")
	if given && !slices.Contains([]string{"complete", "in_progress", "abandoned", "screened_out"}, f.Progress) {
		query.Refuse("progress must be complete, in_progress, abandoned or screened_out.")
	}
	hidden, given := query.Text("hidden")
	if f.Hidden = response.Hidden(hidden); given && !slices.Contains([]response.Hidden{response.Shown, response.OnlyHidden, response.AnyHidden}, f.Hidden) {
		query.Refuse("hidden must be true, false or any.")
	}
	from, fromGiven := quality(query, "qualityFrom", 1)
	to, toGiven := quality(query, "qualityTo", 5)
	f.From, f.To, f.HasQuality = from, to, fromGiven || toGiven
	if f.Tag, _ = query.Text("tag"); len(f.Tag) > maxSearch {
		query.Refuse("tag is too long.")
	}
	if parameter, given := query.Text("parameter"); given {
		name, value, cut := strings.Cut(parameter, "=")
		if !cut || name == "" || name[0] == '_' || len(parameter) > maxSearch { // those of the service begin with an underscore
			query.Refuse("parameter must be name=value.")
		}
		f.Parameter, f.Value = name, value
	}
	if f.Words, _ = query.Text("q"); len(f.Words) > maxSearch {
		query.Refuse("q is too long.")
	}
	return f
}

func quality(query *httpx.Params, name string, fallback float64) (score float64, given bool) {
	text, given := query.Text(name)
	if !given {
		return fallback, false
	}
	score, err := strconv.ParseFloat(text, 64)
	if err != nil || !(score >= 1 && score <= 5) {
		query.Refuse("%s must be a number from 1 to 5.", name)
	}
	return score, true
}

type listedJSON struct {
	Number          int               `json:"number"`
	ID              string            `json:"id"`
	Progress        string            `json:"progress"`
	Hidden          bool              `json:"hidden"`
	Quality         *float64          `json:"quality"`
	Override        *float64          `json:"override"`
	DurationSeconds int64             `json:"durationSeconds"`
	Tagline         string            `json:"tagline"`
	Tags            []string          `json:"tags"`
	GivenTags       []tagJSON         `json:"givenTags"`
	Parameters      map[string]string `json:"parameters"`
	CreatedAt       timestamp         `json:"createdAt"`
	UpdatedAt       timestamp         `json:"updatedAt"`
}

// judgedScore returns the quality score of a response; nil for none, and for those who were screened out: a few screening answers say
// nothing of it. The public API has the number in any case, as its contract promises.
func judgedScore(progress response.Progress, score document.Score) *float64 {
	if progress == response.ScreenedOut {
		return nil
	}
	return scoreOf(score)
}

// scoreOf returns a quality score for JSON; nil for none.
func scoreOf(s document.Score) *float64 {
	if !s.Known() {
		return nil
	}
	return orNull(float64(s))
}

func listedOf(it review.Item) listedJSON {
	d := &it.Document
	return listedJSON{
		it.Number, it.ResponseID, progressOf(it.Progress, it.Abandoned), it.Hidden, judgedScore(it.Progress, d.QualityScore), orNull(it.Override), d.DurationSeconds,
		d.Tagline, append([]string{}, d.Tags...), list(it.Tags, tagOf), parameters(d.URLParams), timestamp(d.CreatedAt), timestamp(d.UpdatedAt),
	}
}

// parameters returns link parameters for JSON, never null.
func parameters(of map[string]string) map[string]string {
	if of == nil {
		return map[string]string{}
	}
	return of
}

func (a *API) listResponses(c *call) error {
	query := httpx.Query(c.r)
	f := filter(query)
	below := query.Int("after", 0, 1, 0)
	if err := query.Err(); err != nil {
		return err
	}
	page, err := a.Review.List(c.r.Context(), c.study, f, below)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Responses []listedJSON `json:"responses"`
		Total     int          `json:"total"`
		Newest    int          `json:"newest"`
		Next      *int         `json:"next"`
	}{list(page.Items, listedOf), page.Total, page.Newest, orNull(page.Next)})
}

func (a *API) countArrivals(c *call) error {
	query := httpx.Query(c.r)
	since := query.Int("since", -1, 0, 0)
	if since < 0 {
		query.Refuse("since is missing.")
	}
	if err := query.Err(); err != nil {
		return err
	}
	count, newest, err := a.Review.Arrivals(c.r.Context(), c.study, since)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Count  int `json:"count"`
		Newest int `json:"newest"`
	}{count, newest})
}

// numbers reads the numbers of a selection, each once.
func numbers(o *strictjson.Object) []int {
	given := o.Ints("numbers", strictjson.Required, 1, review.MaxSelected, 1, 1<<31-1)
	slices.Sort(given)
	return slices.Compact(given)
}

func (a *API) setHidden(c *call) error {
	var selected []int
	var hidden bool
	if err := c.body(func(o *strictjson.Object) {
		selected = numbers(o)
		hidden = o.Bool("hidden", strictjson.Required)
	}); err != nil {
		return err
	}
	changed, err := a.Review.SetHidden(c.r.Context(), c.study, selected, hidden)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Changed []int `json:"changed"`
	}{append([]int{}, changed...)})
}

type receiptJSON struct {
	Number      int       `json:"number"`
	ResponseID  string    `json:"responseId"`
	DeletionID  string    `json:"deletionId"`
	RequestedAt timestamp `json:"requestedAt"`
}

func (a *API) deleteResponses(c *call) error {
	var selected []int
	var meant int
	if err := c.body(func(o *strictjson.Object) {
		selected = numbers(o)
		meant = o.Int("count", strictjson.Required, 1, review.MaxSelected)
	}); err != nil {
		return err
	}
	receipts, err := a.Review.Delete(c.r.Context(), c.study, selected, meant)
	if err != nil {
		return err
	}
	return c.answer(http.StatusAccepted, struct {
		Receipts []receiptJSON `json:"receipts"`
	}{list(receipts, func(d review.Deleted) receiptJSON {
		return receiptJSON{d.Number, d.ResponseID, d.ID, timestamp(d.RequestedAt)}
	})})
}

// number returns the response that the address names; response.ErrNotFound for what is no number.
func (c *call) number() (int, error) {
	n, ok := decimal(c.r.PathValue("number"), 1<<31-1)
	if !ok || n < 1 {
		return 0, response.ErrNotFound
	}
	return n, nil
}

// decimal reads a number that is written as JSON writes it.
func decimal(text string, limit int) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= limit && strconv.Itoa(n) == text
}

type overrideJSON struct {
	Score    float64   `json:"score"`
	Reason   string    `json:"reason"`
	UserName string    `json:"userName"`
	At       timestamp `json:"at"`
}

func overrideOf(o response.QualityOverride) overrideJSON {
	return overrideJSON{o.Score, o.Reason, o.UserName, timestamp(o.At)}
}

// maxReason is the longest reason of a judgement, in characters.
const maxReason = 1000

func (a *API) overrideQuality(c *call) error {
	n, err := c.number()
	if err != nil {
		return err
	}
	var score float64
	var reason string
	if err := c.body(func(o *strictjson.Object) {
		score = o.Number("score", strictjson.Required, 1, 5)
		reason = o.NonEmptyUpTo("reason", strictjson.Required, maxReason)
	}); err != nil {
		return err
	}
	if halves := score * 2; halves != float64(int(halves)) {
		return &strictjson.SchemaError{Issues: []strictjson.Issue{{
			Path: []string{"score"}, Message: "Expected a multiple of 0.5", Code: strictjson.Custom, Expected: "a multiple of 0.5", Received: strconv.FormatFloat(score, 'g', -1, 64),
		}}}
	}
	stored, err := a.Review.Judge(c.r.Context(), c.study, n, score, reason)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, overrideOf(stored))
}

func (a *API) removeQualityOverride(c *call) error {
	n, err := c.number()
	if err == nil {
		err = a.Review.Unjudge(c.r.Context(), c.study, n)
	}
	if err != nil {
		return err
	}
	return c.done()
}
