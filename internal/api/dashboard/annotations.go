package dashboard

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/annotation"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/review"
)

type tagJSON struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Colour     string `json:"colour"`
	Everywhere bool   `json:"everywhere"`
	Uses       int    `json:"uses"`
}

func tagOf(t annotation.Tag) tagJSON { return tagJSON{t.ID, t.Name, t.Colour, t.StudyID == "", t.Uses} }

func (a *API) listTags(c *call) error {
	all, err := a.Review.Tags(c.r.Context(), c.study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Tags []tagJSON `json:"tags"`
	}{list(all, tagOf)})
}

func (a *API) createTag(c *call) error {
	var name, colour string
	var everywhere bool
	if err := c.body(func(o *strictjson.Object) {
		name = o.NonEmptyUpTo("name", strictjson.Required, annotation.MaxName)
		colour = o.Enum("colour", strictjson.Required, annotation.Colours)
		everywhere = o.Bool("everywhere", strictjson.Optional)
	}); err != nil {
		return err
	}
	t, err := a.Review.CreateTag(c.r.Context(), c.study, name, colour, everywhere)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, tagOf(t))
}

func (a *API) changeTag(c *call) error {
	var name, colour string
	if err := c.body(func(o *strictjson.Object) {
		name = o.NonEmptyUpTo("name", strictjson.Optional, annotation.MaxName)
		colour = o.Enum("colour", strictjson.Optional, annotation.Colours)
	}); err != nil {
		return err
	}
	id, err := c.id("tagId", annotation.ErrNoTag)
	if err != nil {
		return err
	}
	t, err := a.Review.ChangeTag(c.r.Context(), c.study, id, name, colour)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, tagOf(t))
}

func (a *API) removeTag(c *call) error {
	id, err := c.id("tagId", annotation.ErrNoTag)
	if err == nil {
		err = a.Review.RemoveTag(c.r.Context(), c.study, id)
	}
	if err != nil {
		return err
	}
	return c.done()
}

// id returns a UUID of the address; absent for what is none.
func (c *call) id(name string, absent error) (string, error) {
	if id := c.r.PathValue(name); study.IsUUID(id) {
		return id, nil
	}
	return "", absent
}

type annotationJSON struct {
	ID        string    `json:"id"`
	Number    int       `json:"number"`
	Row       *int      `json:"row"`
	From      *int      `json:"from"`
	To        *int      `json:"to"`
	Words     string    `json:"words"`
	Begins    *float64  `json:"begins"`
	Ends      *float64  `json:"ends"`
	Note      string    `json:"note"`
	Tags      []string  `json:"tags"`
	UserName  string    `json:"userName"`
	Mine      bool      `json:"mine"`
	CreatedAt timestamp `json:"createdAt"`
	UpdatedAt timestamp `json:"updatedAt"`
}

func (c *call) annotationOf(a review.ShownAnnotation) annotationJSON {
	made := annotationJSON{
		ID: a.ID, Number: a.Number, Words: a.Words, Note: a.Note, Tags: append([]string{}, a.Tags...), UserName: a.UserName, Mine: a.UserID == c.caller.UserID,
		CreatedAt: timestamp(a.CreatedAt), UpdatedAt: timestamp(a.UpdatedAt),
	}
	if a.IsHighlight() {
		made.Row = &a.Row
		if !a.Lost {
			made.From, made.To = &a.From, &a.To
		}
	}
	if a.Ends > 0 {
		begins, ends := a.Begins.Seconds(), a.Ends.Seconds()
		made.Begins, made.Ends = &begins, &ends
	}
	return made
}

func (a *API) listAnnotations(c *call) error {
	n, err := c.number()
	if err != nil {
		return err
	}
	all, err := a.Review.Annotations(c.r.Context(), c.study, n)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Annotations []annotationJSON `json:"annotations"`
	}{list(all, c.annotationOf)})
}

// Bounds of what one request may hold.
const (
	maxRow       = 1_000_000
	maxOffset    = 1 << 30
	maxSelection = 40_000 // characters
	uuidLength   = 36
)

func (a *API) annotate(c *call) error {
	var at *review.Highlighted
	var note string
	var tags []string
	if err := c.body(func(o *strictjson.Object) {
		if o.Has("row") || o.Has("words") {
			at = &review.Highlighted{
				Row: o.Int("row", strictjson.Required, 0, maxRow), From: o.Int("from", strictjson.Required, 0, maxOffset),
				To: o.Int("to", strictjson.Required, 0, maxOffset), Words: o.NonEmptyUpTo("words", strictjson.Required, maxSelection),
			}
		}
		note = o.TextUpTo("note", strictjson.Optional, annotation.MaxNote)
		tags = o.TextsUpTo("tags", strictjson.Optional, 0, annotation.MaxTags, uuidLength)
	}); err != nil {
		return err
	}
	n, err := c.number()
	if err != nil {
		return err
	}
	made, err := a.Review.Annotate(c.r.Context(), c.study, n, at, note, tags)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, c.annotationOf(made))
}

func (a *API) changeAnnotation(c *call) error {
	var note *string
	var tags *[]string
	if err := c.body(func(o *strictjson.Object) {
		if o.Has("note") {
			text := o.TextUpTo("note", strictjson.Optional, annotation.MaxNote)
			note = &text
		}
		if o.Has("tags") {
			ids := o.TextsUpTo("tags", strictjson.Optional, 0, annotation.MaxTags, uuidLength)
			tags = &ids
		}
	}); err != nil {
		return err
	}
	n, id, err := c.annotationID()
	if err != nil {
		return err
	}
	changed, err := a.Review.ChangeAnnotation(c.r.Context(), c.study, n, id, note, tags)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, c.annotationOf(changed))
}

// annotationID returns the response and the annotation that the address names.
func (c *call) annotationID() (number int, id string, err error) {
	if number, err = c.number(); err != nil {
		return 0, "", err
	}
	id, err = c.id("annotationId", annotation.ErrNotFound)
	return number, id, err
}

func (a *API) removeAnnotation(c *call) error {
	n, id, err := c.annotationID()
	if err == nil {
		err = a.Review.RemoveAnnotation(c.r.Context(), c.study, n, id)
	}
	if err != nil {
		return err
	}
	return c.done()
}

type quoteJSON struct {
	annotationJSON
	URL       *string `json:"url"`
	MediaType string  `json:"mediaType"`
}

type annotatorJSON struct {
	UserID   string `json:"userId"`
	UserName string `json:"userName"`
}

func (a *API) listQuotes(c *call) error {
	query := httpx.Query(c.r)
	f := review.QuoteFilter{Number: query.Int("number", 0, 1, 0)}
	f.TagID = c.queryID(query, "tag")
	f.UserID = c.queryID(query, "by")
	after := c.queryID(query, "after")
	if err := query.Err(); err != nil {
		return err
	}
	page, err := a.Review.Quotes(c.r.Context(), c.study, f, after)
	if err != nil {
		return err
	}
	answer := struct {
		Quotes []quoteJSON     `json:"quotes"`
		People []annotatorJSON `json:"people"`
		Next   *string         `json:"next"`
	}{list(page.List, c.quoteOf), []annotatorJSON{}, orNull(page.Next)}
	for _, p := range page.People {
		answer.People = append(answer.People, annotatorJSON{p.UserID, p.UserName})
	}
	return c.answer(http.StatusOK, answer)
}

func (c *call) quoteOf(q review.Quote) quoteJSON {
	made := quoteJSON{annotationJSON: c.annotationOf(q.ShownAnnotation)}
	if q.Recording != nil {
		made.URL, made.MediaType = orNull(q.Recording.Object), q.Recording.MediaType
	}
	return made
}

// queryID reads a UUID of the query; empty if it is left out.
func (c *call) queryID(query *httpx.Params, name string) string {
	id, given := query.Text(name)
	if given && !study.IsUUID(id) {
		query.Refuse("%s must be a UUID.", name)
	}
	return id
}

func (a *API) correctAnswer(c *call) error {
	var before, words string
	if err := c.body(func(o *strictjson.Object) {
		before = o.TextUpTo("before", strictjson.Required, maxSelection)
		words = o.NonEmptyUpTo("words", strictjson.Required, maxCorrected)
	}); err != nil {
		return err
	}
	n, row, err := c.rowNumber()
	if err == nil {
		err = a.Review.Correct(c.r.Context(), c.study, n, row, before, words)
	}
	if err != nil {
		return err
	}
	return c.done()
}

// maxCorrected is the length of an answer, in characters.
const maxCorrected = 20_000

// rowNumber returns the response and the row that the address names.
func (c *call) rowNumber() (number, row int, err error) {
	if number, err = c.number(); err != nil {
		return 0, 0, err
	}
	row, ok := decimal(c.r.PathValue("row"), maxRow)
	if !ok {
		return 0, 0, response.ErrNotFound
	}
	return number, row, nil
}

func (a *API) undoCorrection(c *call) error {
	n, row, err := c.rowNumber()
	if err == nil {
		err = a.Review.UndoCorrection(c.r.Context(), c.study, n, row)
	}
	if err != nil {
		return err
	}
	return c.done()
}

func (a *API) reanalyse(c *call) error {
	n, err := c.number()
	if err == nil {
		err = a.Review.Reanalyse(c.r.Context(), c.study, n)
	}
	if err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusAccepted)
	return nil
}
