package dashboard

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/template"
	"verbatim/internal/domain/outline"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/service/authoring"
)

// The bounds of what people name.
const (
	maxFolders    = 8
	maxFolderName = 100
	maxOutline    = 100_000
)

// folderGiven reads a folder; nil if there is none.
func folderGiven(o *strictjson.Object) []string {
	given := o.Has("folder")
	path := o.TextsUpTo("folder", strictjson.Optional, 0, maxFolders, maxFolderName)
	if given && path == nil {
		return []string{}
	}
	return path
}

// folderAsked reads the folder of a list; nil if there is none.
func folderAsked(query *httpx.Params) (path []string) {
	text, given := query.Text("folder")
	if !given {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &path); err != nil || path == nil || len(text) > maxSearch {
		query.Refuse("folder must be a JSON array of names.")
	}
	return path
}

// The ways in which a study begins.
const (
	fromBlank    = "blank"
	fromTemplate = "template"
	fromGuide    = "guide"
	fromCopy     = "copy"
	fromOutline  = "outline"
)

// newStudy is the body of createStudy.
type newStudy struct {
	authoring.NewStudy
	from, template, copyOf, outline string
	guide                           []byte
}

func (n *newStudy) read(o *strictjson.Object) {
	n.from = o.Enum("from", strictjson.Required, []string{fromBlank, fromTemplate, fromGuide, fromCopy, fromOutline})
	needed := func(from string) strictjson.Presence {
		if n.from == from {
			return strictjson.Required
		}
		return strictjson.Optional
	}
	n.Title = o.NonEmptyUpTo("title", strictjson.Optional, guide.MaxTitle)
	n.Folder = folderGiven(o)
	n.template = o.NonEmptyUpTo("template", needed(fromTemplate), maxFolderName)
	n.guide, _ = guideOf(o, needed(fromGuide))
	n.copyOf = o.NonEmptyUpTo("copyOf", needed(fromCopy), 64)
	n.outline = o.NonEmptyUpTo("outline", needed(fromOutline), maxOutline)
}

func (a *API) createStudy(c *call) (err error) {
	var n newStudy
	if err := c.guideBody(n.read); err != nil {
		return err
	}
	switch n.from {
	case fromBlank:
		n.Body, n.Title = guide.Encode(outline.Guide("", uuid.NewString)), cmp.Or(n.Title, "Untitled study")
	case fromTemplate:
		made, found := template.Find(n.template)
		if !found {
			return errNotHere
		}
		n.Body = made.Guide
	case fromGuide:
		n.Body = n.guide
	case fromCopy:
		if n.Body, err = a.Authoring.CopyOf(c.r.Context(), c.caller, n.copyOf); err != nil {
			return err
		}
	case fromOutline:
		n.Body = guide.Encode(outline.Guide(n.outline, uuid.NewString))
	}
	created, err := a.Authoring.CreateDraft(c.r.Context(), c.caller, n.NewStudy)
	if err != nil {
		return err
	}
	opened, err := a.Review.Open(c.r.Context(), c.session.UserID, created.ID)
	if err != nil {
		return err
	}
	return c.answerStudy(http.StatusCreated, studyOf(opened.Listed, c.session.UserID))
}

func (a *API) changeStudy(c *call) error {
	var change authoring.StudyChange
	if err := c.body(func(o *strictjson.Object) {
		if title := o.NonEmptyUpTo("title", strictjson.Optional, guide.MaxTitle); title != "" {
			change.Title = &title
		}
		if linkID := o.NonEmptyUpTo("linkId", strictjson.Optional, 64); linkID != "" {
			change.LinkID = &linkID
		}
		change.Folder = folderGiven(o)
	}); err != nil {
		return err
	}
	changed, err := a.Authoring.ChangeStudy(c.r.Context(), c.caller, c.study.ID, change)
	if err != nil {
		return err
	}
	return c.answerStudy(http.StatusOK, c.changed(changed))
}

func (a *API) trashStudy(c *call) error {
	deleted, err := a.Authoring.TrashStudy(c.r.Context(), c.caller, c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		DeletedAt timestamp `json:"deletedAt"`
	}{timestamp(deleted)})
}

func (a *API) restoreStudy(c *call) error {
	restored, err := a.Authoring.UntrashStudy(c.r.Context(), c.caller, c.study.Study)
	if err != nil {
		return err
	}
	return c.answerStudy(http.StatusOK, c.changed(restored))
}

type trashedJSON struct {
	Study      studyJSON `json:"study"`
	TrashedAt  timestamp `json:"trashedAt"`
	DeletedAt  timestamp `json:"deletedAt"`
	MayRestore bool      `json:"mayRestore"`
}

func (a *API) listTrash(c *call) error {
	trashed, err := a.Authoring.Trashed(c.r.Context(), c.caller)
	if err != nil {
		return err
	}
	studies := []trashedJSON{}
	for _, t := range trashed {
		studies = append(studies, trashedJSON{
			studyOf(t.Listed, c.session.UserID), timestamp(t.TrashedAt), timestamp(t.TrashedAt.Add(study.TrashFor)), study.MayLaunch(t.Study, c.caller, t.Granted),
		})
	}
	return c.answer(http.StatusOK, struct {
		Studies []trashedJSON `json:"studies"`
	}{studies})
}

type folderJSON struct {
	Folder  []string `json:"folder"`
	Studies int      `json:"studies"`
}

func (a *API) listFolders(c *call) error {
	folders, err := a.Authoring.Folders(c.r.Context(), c.caller)
	if err != nil {
		return err
	}
	all := []folderJSON{}
	for _, f := range folders {
		all = append(all, folderJSON{f.Path, f.Studies})
	}
	return c.answer(http.StatusOK, struct {
		Folders []folderJSON `json:"folders"`
	}{all})
}

type templateJSON struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Minutes     int    `json:"minutes"`
	Questions   int    `json:"questions"`
}

func templateOf(t template.Template) templateJSON {
	return templateJSON{t.ID, t.Title, t.Description, t.Minutes, t.Questions}
}

func (a *API) listTemplates(c *call) error {
	return c.answer(http.StatusOK, struct {
		Templates []templateJSON `json:"templates"`
	}{list(template.All(), templateOf)})
}

func (a *API) getTemplate(c *call) error {
	t, found := template.Find(c.r.PathValue("templateId"))
	if !found {
		return errNotHere
	}
	return c.answer(http.StatusOK, struct {
		Template templateJSON `json:"template"`
		Guide    rawGuide     `json:"guide"`
	}{templateOf(t), t.Guide})
}

func (a *API) readOutline(c *call) error {
	var text string
	if err := c.guideBody(func(o *strictjson.Object) { text = o.NonEmptyUpTo("text", strictjson.Required, maxOutline) }); err != nil {
		return err
	}
	body := guide.Encode(outline.Guide(text, uuid.NewString))
	_, problems := workingcopy.Check(body)
	return c.answer(http.StatusOK, struct {
		Guide    rawGuide      `json:"guide"`
		Problems []problemJSON `json:"problems"`
	}{body, list(problems, problemOf)})
}
