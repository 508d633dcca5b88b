package dashboard

import (
	"net/http"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/reporting"
)

type themeQuestionJSON struct {
	frameJSON
	Question string            `json:"question"`
	Number   *int              `json:"number"`
	Changes  []themeChangeJSON `json:"changes"`
}

type frameJSON struct {
	QuestionID string      `json:"questionId"`
	Version    int         `json:"version"`
	Edited     bool        `json:"edited"`
	Themes     []themeJSON `json:"themes"`
}

type themeJSON struct {
	Theme   int     `json:"theme"`
	Name    string  `json:"name"`
	Meaning string  `json:"meaning"`
	NamedBy *string `json:"namedBy"`
}

type themeChangeJSON struct {
	At     timestamp `json:"at"`
	By     string    `json:"by"`
	Action string    `json:"action"`
	Detail string    `json:"detail"`
}

func frameOf(f *codeframe.Frame) frameJSON {
	return frameJSON{f.QuestionID, f.Version, f.Edited, list(f.Live(), func(t codeframe.Theme) themeJSON {
		return themeJSON{t.Number, t.Label, t.Meaning, orNull(t.NamedBy)}
	})}
}

func (a *API) listThemes(c *call) error {
	frames, err := a.Reports.Frames(c.r.Context(), c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Questions []themeQuestionJSON `json:"questions"`
	}{list(frames, func(f reporting.Frames) themeQuestionJSON {
		q := themeQuestionJSON{frameOf(&f.Frame), f.Question, orNull(f.Number), []themeChangeJSON{}}
		for _, c := range f.Changes {
			q.Changes = append(q.Changes, themeChangeJSON{timestamp(c.At), c.By, c.Action, c.Detail})
		}
		return q
	})})
}

func (a *API) editThemes(c *call) error {
	edit := reporting.ThemeEdit{Question: c.r.PathValue("questionId")}
	if err := c.body(func(o *strictjson.Object) { readEdit(o, &edit) }); err != nil {
		return err
	}
	f, err := a.Reports.EditThemesFor(c.r.Context(), c.caller, c.study.Study, edit)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, frameOf(&f))
}

func readEdit(o *strictjson.Object, edit *reporting.ThemeEdit) {
	const limit = 1 << 30
	edit.Version = o.Int("version", strictjson.Required, 1, limit)
	action, _ := o.Discriminator("action", []string{"rename", "merge", "split", "recode", "reset"})
	theme := func(key string) string { return o.NonEmptyUpTo(key, strictjson.Required, codeframe.MaxLabel) }
	switch action {
	case "rename":
		edit.Rename = &reporting.RenameTheme{Theme: theme("theme"), To: theme("name")}
	case "merge":
		edit.Merge = &reporting.MergeThemes{From: o.TextsUpTo("themes", strictjson.Required, 1, codeframe.MaxThemes, codeframe.MaxLabel), Into: theme("into")}
	case "split":
		edit.Split = &reporting.SplitTheme{
			Theme: theme("theme"), To: theme("name"),
			Phrases: o.TextsUpTo("phrases", strictjson.Required, 1, codeframe.MaxPhrases, codeframe.MaxPhrase),
		}
	case "recode":
		edit.Recode = &reporting.RecodeAnswer{
			Theme: theme("theme"), Response: o.Int("number", strictjson.Required, 1, limit),
			Remove: o.Bool("remove", strictjson.Optional), Concept: o.Text("conceptId", strictjson.Optional),
		}
		if from := o.NonEmptyUpTo("from", strictjson.Optional, codeframe.MaxLabel); from != "" {
			edit.Recode.From = from
		}
	case "reset":
		edit.Reset = true
	}
}
