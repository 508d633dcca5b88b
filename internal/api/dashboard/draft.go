package dashboard

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/service/authoring"
)

// guideBody reads a JSON object that may hold a guide.
func (c *call) guideBody(read func(*strictjson.Object)) error {
	body, err := httpx.ReadBody(c.w, c.r)
	if err != nil {
		return err
	}
	return strictjson.Decode(body, read)
}

// guideOf reads a guide as it is typed, and fills in missing ids; nil if there is none.
func guideOf(o *strictjson.Object, presence strictjson.Presence) (body []byte, filled bool) {
	o.Any("guide", presence, strictjson.Map.String(), func(v *strictjson.Value) *strictjson.Issue {
		if why := workingcopy.Issue(v); why != "" {
			return &strictjson.Issue{Message: why, Code: strictjson.Custom, Expected: "a guide", Received: v.Kind.String()}
		}
		body, filled = workingcopy.Encode(v, uuid.NewString)
		return nil
	})
	return body, filled
}

// rawGuide is a guide in an answer, as it is stored.
type rawGuide []byte

// MarshalJSON implements json.Marshaler.
func (g rawGuide) MarshalJSON() ([]byte, error) {
	if g == nil {
		return []byte("null"), nil
	}
	return g, nil
}

type problemJSON struct {
	Severity  workingcopy.Severity `json:"severity"`
	Code      string               `json:"code"`
	Message   string               `json:"message"`
	Pointer   string               `json:"pointer"`
	BlockID   *string              `json:"blockId"`
	ItemID    *string              `json:"itemId"`
	ConceptID *string              `json:"conceptId"`
}

func problemOf(p workingcopy.Problem) problemJSON {
	return problemJSON{p.Severity, p.Code, p.Message, p.Pointer, orNull(p.BlockID), orNull(p.ItemID), orNull(p.ConceptID)}
}

type draftJSON struct {
	Version     int           `json:"version"`
	Guide       rawGuide      `json:"guide"`
	Valid       bool          `json:"valid"`
	Unpublished bool          `json:"unpublished"`
	Problems    []problemJSON `json:"problems"`
	UpdatedAt   timestamp     `json:"updatedAt"`
	UpdatedBy   string        `json:"updatedBy"`
}

// maxProblems limits the problems in an answer.
const maxProblems = 1000

func draftOf(d authoring.Draft) draftJSON {
	return draftJSON{
		d.Number, d.Guide, d.Valid, d.Unpublished, list(d.Problems[:min(len(d.Problems), maxProblems)], problemOf), timestamp(d.At), d.UserName,
	}
}

// tag sets the ETag of a version of a working copy.
func (c *call) tag(version int) { c.w.Header().Set("ETag", `"`+strconv.Itoa(version)+`"`) }

func (c *call) answerDraft(status int, d authoring.Draft) error {
	c.tag(d.Number)
	return c.answer(status, draftOf(d))
}

// ifMatch returns the version that an edit is based on.
func (c *call) ifMatch() (int, error) {
	given := strings.Trim(strings.TrimPrefix(c.r.Header.Get("If-Match"), "W/"), `"`)
	version, err := strconv.Atoi(given)
	if err != nil || version < 1 || version > 1<<31-1 {
		return 0, httpx.Errorf(http.StatusPreconditionRequired, "if_match_needed", "Say with If-Match which version was edited.")
	}
	return version, nil
}

// version returns the version that the address names; workingcopy.ErrNoVersion for what is no number.
func (c *call) version() (int, error) { return versionOf(c.r.PathValue("version")) }

func versionOf(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1<<31-1 || strconv.Itoa(n) != text {
		return 0, workingcopy.ErrNoVersion
	}
	return n, nil
}

func (a *API) getDraft(c *call) error {
	d, err := a.Authoring.CurrentDraft(c.r.Context(), c.study.OrgID, c.study.ID)
	if err != nil {
		return err
	}
	return c.answerDraft(http.StatusOK, d)
}

func (a *API) saveDraft(c *call) error {
	base, err := c.ifMatch()
	if err != nil {
		return err
	}
	var body []byte
	var filled bool
	if err := c.guideBody(func(o *strictjson.Object) { body, filled = guideOf(o, strictjson.Required) }); err != nil {
		return err
	}
	d, err := a.Authoring.SaveDraft(c.r.Context(), c.caller, c.study.ID, base, body)
	if err != nil {
		return c.conflict(err)
	}
	c.tag(d.Number)
	saved := struct {
		Version     int           `json:"version"`
		Valid       bool          `json:"valid"`
		Unpublished bool          `json:"unpublished"`
		Problems    []problemJSON `json:"problems"`
		UpdatedAt   timestamp     `json:"updatedAt"`
		Guide       rawGuide      `json:"guide"`
	}{d.Number, d.Valid, d.Unpublished, list(d.Problems[:min(len(d.Problems), maxProblems)], problemOf), timestamp(d.At), nil}
	if filled {
		saved.Guide = body
	}
	return c.answer(http.StatusOK, saved)
}

// conflict answers an edit of an older version with the newest one; other errors are returned.
func (c *call) conflict(err error) error {
	conflict, ok := errors.AsType[*authoring.VersionError](err)
	if !ok {
		return err
	}
	c.tag(conflict.Newest.Number)
	return c.answer(http.StatusPreconditionFailed, struct {
		Error string    `json:"error"`
		Code  string    `json:"code"`
		Draft draftJSON `json:"draft"`
	}{"Somebody else has saved this guide meanwhile. Merge, and save again.", "version_conflict", draftOf(conflict.Newest)})
}

func (a *API) restoreVersion(c *call) error {
	base, err := c.ifMatch()
	if err != nil {
		return err
	}
	number, err := c.version()
	if err != nil {
		return err
	}
	d, err := a.Authoring.RestoreDraft(c.r.Context(), c.caller, c.study.Study, base, number)
	if err != nil {
		return c.conflict(err)
	}
	return c.answerDraft(http.StatusOK, d)
}
