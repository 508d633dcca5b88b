package dashboard

import (
	"net/http"

	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/translation"
	"verbatim/internal/service/translator"
)

// The bounds of what a person changes at once.
const (
	maxTexts = 20_000
	maxKey   = 2000
)

type progressJSON struct {
	Language     string `json:"language"`
	Texts        int    `json:"texts"`
	Untranslated int    `json:"untranslated"`
	Draft        int    `json:"draft"`
	Edited       int    `json:"edited"`
	Approved     int    `json:"approved"`
	Offered      bool   `json:"offered"`
	Automatic    bool   `json:"automatic"`
	Waiting      bool   `json:"waiting"`
}

func translationProgress(p translator.Progress) progressJSON {
	return progressJSON{
		p.Language, p.Texts, p.Count[translation.Untranslated], p.Count[translation.Draft], p.Count[translation.Edited], p.Count[translation.Approved],
		p.Offered, p.Auto, p.Waiting,
	}
}

func (a *API) listTranslations(c *call) error {
	o, err := a.Translator.Overview(c.r.Context(), c.study.Study)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		From      string         `json:"from"`
		Revision  int            `json:"revision"`
		Published bool           `json:"published"`
		Machine   bool           `json:"machine"`
		Languages []progressJSON `json:"languages"`
	}{o.From, o.Revision, o.Revision == c.study.PublishedRevision, o.Machine, list(o.Languages, translationProgress)})
}

type translatedTextJSON struct {
	Key    string           `json:"key"`
	Kind   translation.Kind `json:"kind"`
	Source string           `json:"source"`
	Of     string           `json:"of"`
	Text   string           `json:"text"`
	State  string           `json:"state"`
	Model  string           `json:"model"`
	Note   string           `json:"note"`
}

func (a *API) getTranslation(c *call) error {
	translated, p, err := a.Translator.Texts(c.r.Context(), c.study.Study, c.r.PathValue("language"))
	if err != nil {
		return err
	}
	texts := []translatedTextJSON{}
	for i := range translated.Entries {
		e := &translated.Entries[i]
		state := string(e.State)
		if state == "" {
			state = "untranslated"
		}
		texts = append(texts, translatedTextJSON{e.Key, e.Kind, e.Source, e.Of, e.Text, state, e.Model, translated.Note(i)})
	}
	return c.answer(http.StatusOK, struct {
		Progress progressJSON         `json:"progress"`
		Texts    []translatedTextJSON `json:"texts"`
	}{translationProgress(p), texts})
}

type refusalJSON struct {
	Key     string `json:"key"`
	Message string `json:"message"`
}

func (c *call) answerReview(p translator.Progress, refused []translation.Refusal) error {
	return c.answer(http.StatusOK, struct {
		Progress progressJSON  `json:"progress"`
		Refused  []refusalJSON `json:"refused"`
	}{translationProgress(p), list(refused, func(r translation.Refusal) refusalJSON { return refusalJSON{r.Key, r.Text} })})
}

func (a *API) editTranslation(c *call) error {
	var texts map[string]string
	if err := c.guideBody(func(o *strictjson.Object) { texts = o.TextMap("texts", strictjson.Required) }); err != nil {
		return err
	}
	p, refused, err := a.Translator.Edit(c.r.Context(), c.study.Study, c.r.PathValue("language"), texts)
	if err != nil {
		return err
	}
	return c.answerReview(p, refused)
}

func (a *API) approveTranslation(c *call) error {
	var keys []string
	if err := c.guideBody(func(o *strictjson.Object) { keys = o.TextsUpTo("keys", strictjson.Optional, 0, maxTexts, maxKey) }); err != nil {
		return err
	}
	p, refused, err := a.Translator.Approve(c.r.Context(), c.caller, c.study.Study, c.r.PathValue("language"), keys)
	if err != nil {
		return err
	}
	return c.answerReview(p, refused)
}

func (a *API) askTranslation(c *call) error {
	p, err := a.Translator.Ask(c.r.Context(), c.caller, c.study.Study, c.r.PathValue("language"))
	if err != nil {
		return err
	}
	return c.answer(http.StatusAccepted, translationProgress(p))
}
