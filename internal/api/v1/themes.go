package v1

import (
	"errors"
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/access"
	"verbatim/internal/service/reporting"
)

type themeList struct {
	Questions []themeQuestion `json:"questions"`
}

type themeQuestion struct {
	themeFrame
	Text    string             `json:"text"`
	Changes []themeChangeEntry `json:"changes"`
}

type themeFrame struct {
	QuestionID string      `json:"questionId"`
	Version    int         `json:"version"`
	Edited     bool        `json:"edited"`
	Name       string      `json:"name"`
	Themes     []themeItem `json:"themes"`
}

type themeItem struct {
	Theme   int     `json:"theme"`
	Name    string  `json:"name"`
	Meaning string  `json:"meaning"`
	NamedBy *string `json:"namedBy"`
}

type themeChangeEntry struct {
	Version int       `json:"version"`
	At      timestamp `json:"at"`
	By      string    `json:"by"`
	Action  string    `json:"action"`
	Detail  string    `json:"detail"`
}

// listThemes lists the stored themes of a study.
func (a *API) listThemes(w http.ResponseWriter, r *http.Request) error {
	st, err := a.Reporting.Study(r.Context(), access.CallerOf(r.Context()).OrgID, r.PathValue("studyId"))
	if err != nil {
		return err
	}
	frames, err := a.Reporting.Frames(r.Context(), st)
	if err != nil {
		return err
	}
	out := themeList{Questions: []themeQuestion{}}
	for i := range frames {
		q := themeQuestion{themeFrame: frameOf(&frames[i].Frame), Text: frames[i].Question, Changes: []themeChangeEntry{}}
		for _, c := range frames[i].Changes {
			q.Changes = append(q.Changes, themeChangeEntry{c.Version, timestamp(c.At), c.By, c.Action, c.Detail})
		}
		out.Questions = append(out.Questions, q)
	}
	return httpx.WriteJSON(w, r, http.StatusOK, out)
}

func frameOf(f *codeframe.Frame) themeFrame {
	out := themeFrame{QuestionID: f.QuestionID, Version: f.Version, Edited: f.Edited, Name: f.Name, Themes: []themeItem{}}
	for _, t := range f.Live() {
		one := themeItem{Theme: t.Number, Name: t.Label, Meaning: t.Meaning}
		if t.NamedBy != "" {
			one.NamedBy = &t.NamedBy
		}
		out.Themes = append(out.Themes, one)
	}
	return out
}

// editThemes changes the themes of a question.
func (a *API) editThemes(w http.ResponseWriter, r *http.Request) error {
	body, err := httpx.ReadBody(w, r)
	if err != nil {
		return err
	}
	edit := reporting.ThemeEdit{Question: r.PathValue("questionId")}
	err = strictjson.Decode(body, func(o *strictjson.Object) {
		const limit = 1 << 30
		edit.Version = o.Int("version", strictjson.Required, 1, limit)
		action, ok := o.Discriminator("action", []string{"rename", "merge", "split", "recode", "reset"})
		if !ok {
			return
		}
		switch action {
		case "rename":
			edit.Rename = &reporting.RenameTheme{Theme: o.NonEmpty("theme", strictjson.Required), To: o.NonEmpty("name", strictjson.Required)}
		case "merge":
			edit.Merge = &reporting.MergeThemes{From: o.TextsUpTo("themes", strictjson.Required, 1, codeframe.MaxThemes, codeframe.MaxLabel), Into: o.NonEmpty("into", strictjson.Required)}
		case "split":
			edit.Split = &reporting.SplitTheme{
				Theme: o.NonEmpty("theme", strictjson.Required), To: o.NonEmpty("name", strictjson.Required),
				Phrases: o.TextsUpTo("phrases", strictjson.Required, 1, codeframe.MaxPhrases, codeframe.MaxPhrase),
			}
		case "recode":
			edit.Recode = &reporting.RecodeAnswer{
				Theme: o.NonEmpty("theme", strictjson.Required), Response: o.Int("readableResponseId", strictjson.Required, 1, limit),
				Remove: o.Bool("remove", strictjson.Optional), Concept: o.Text("conceptId", strictjson.Optional),
			}
		case "reset":
			edit.Reset = true
		}
	})
	if err != nil {
		return err
	}
	caller := access.CallerOf(r.Context())
	st, err := a.Reporting.Study(r.Context(), caller.OrgID, r.PathValue("studyId"))
	if err != nil {
		return err
	}
	f, err := a.Reporting.EditThemesFor(r.Context(), caller, st, edit)
	if wrong, is := errors.AsType[*codeframe.ChangeError](err); is {
		return httpx.BadRequest("%s", wrong)
	}
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, r, http.StatusOK, frameOf(&f))
}
