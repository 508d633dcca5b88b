package dashboard

import (
	"errors"
	"net/http"

	"verbatim/internal/api/pages"
	"verbatim/internal/api/participant"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/interview/reach"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/workingcopy"
	"verbatim/internal/service/fieldwork"
)

// The bounds of a preview's request.
const (
	maxSeed       = 1<<53 - 1 // the greatest integer of JavaScript
	maxParameters = 50
	maxLanguage   = 20
)

// previewRequest is the body of previewStudy.
type previewRequest struct {
	fieldwork.PreviewRequest
	guide   []byte // nil: the working copy
	landing bool   // no answers are given
	show    *reach.Target
}

func (p *previewRequest) read(o *strictjson.Object) {
	p.guide, _ = guideOf(o, strictjson.Optional)
	p.Language = o.TextUpTo("language", strictjson.Optional, maxLanguage)
	p.Seed = uint64(o.Int("seed", strictjson.Optional, 0, maxSeed))
	p.Params = map[string]string{}
	o.Pairs("parameters", strictjson.Optional, func(name, text string) {
		if len(p.Params) < maxParameters {
			p.Params[name] = text
		}
	})
	p.landing = !o.Has("answers")
	o.ObjectsUpTo("answers", strictjson.Optional, 0, guide.MaxSteps, func(o *strictjson.Object) { p.Answers = append(p.Answers, previewAnswer(o)) })
	o.Object("answer", strictjson.Optional, func(o *strictjson.Object) {
		given := previewAnswer(o)
		p.Answer = &given
	})
	o.Object("show", strictjson.Optional, func(o *strictjson.Object) {
		p.show = &reach.Target{
			ItemID: o.NonEmptyUpTo("itemId", strictjson.Required, guide.MaxID), ConceptID: o.NonEmptyUpTo("conceptId", strictjson.Optional, guide.MaxID),
		}
	})
}

func previewAnswer(o *strictjson.Object) fieldwork.PreviewAnswer {
	stepID, answer := participant.ReadAnswer(o)
	return fieldwork.PreviewAnswer{StepID: stepID, Answer: answer, NoFollowUps: o.Bool("noFollowUps", strictjson.Optional)}
}

func (a *API) previewStudy(c *call) error {
	var in previewRequest
	if err := c.guideBody(in.read); err != nil {
		return err
	}
	if err := a.previewedGuide(c, &in); err != nil {
		return err
	}
	brand, err := a.Authoring.Brand(c.r.Context(), c.study.OrgID)
	if err != nil {
		return err
	}
	var reachable *bool
	if in.show != nil {
		path, found := reach.Find(in.Guide, *in.show, in.Seed, in.Params)
		in.Answers, in.Answer, in.landing, reachable = nil, nil, false, &found
		if found {
			in.Seed, in.Params = path.Seed, path.Params
			for _, answer := range path.Answers {
				in.Answers = append(in.Answers, fieldwork.PreviewAnswer{StepID: answer.StepID, Answer: answer.Answer, NoFollowUps: true})
			}
		}
	}
	shown := previewJSON{Seed: in.Seed, Parameters: parameters(in.Params), Answers: []previewAnswerJSON{}, Reachable: reachable}
	if in.landing {
		return c.answerLanding(&in, shown, brand, a.Processors)
	}
	return c.answerStep(&in, shown, brand)
}

// previewedGuide decodes the guide of a preview; workingcopy.ErrProblems.
func (a *API) previewedGuide(c *call, in *previewRequest) error {
	if in.guide == nil {
		draft, err := a.Authoring.CurrentDraft(c.r.Context(), c.study.OrgID, c.study.ID)
		if err != nil {
			return err
		}
		in.guide = draft.Version.Guide
	}
	if in.Guide, _ = workingcopy.Check(in.guide); in.Guide == nil {
		return workingcopy.ErrProblems
	}
	return nil
}

type previewJSON struct {
	Bootstrap  any                 `json:"bootstrap"`
	BrandStyle string              `json:"brandStyle"`
	Seed       uint64              `json:"seed"`
	Parameters map[string]string   `json:"parameters"`
	Answers    []previewAnswerJSON `json:"answers"`
	ItemID     *string             `json:"itemId"`
	ConceptID  *string             `json:"conceptId"`
	Kind       string              `json:"kind"`
	Reachable  *bool               `json:"reachable"`
}

// previewAnswerJSON is an answer in the form in which it is sent again.
type previewAnswerJSON struct {
	StepID      string            `json:"stepId"`
	Text        string            `json:"text,omitempty"`
	Selected    []string          `json:"selected,omitempty"`
	CustomText  string            `json:"customText,omitempty"`
	Ranking     []string          `json:"ranking,omitempty"`
	Cells       map[string]string `json:"cells,omitempty"`
	Best        string            `json:"best,omitempty"`
	Worst       string            `json:"worst,omitempty"`
	Uploads     []string          `json:"uploads,omitempty"`
	NoFollowUps bool              `json:"noFollowUps,omitempty"`
}

func previewAnswerOf(p fieldwork.PreviewAnswer) previewAnswerJSON {
	a := &p.Answer
	made := previewAnswerJSON{p.StepID, a.Text, a.Selected, a.CustomText, a.Ranking, a.Cells, a.Best, a.Worst, a.Uploads, p.NoFollowUps}
	if a.Recordings != (interview.Recordings{}) && a.Text == "" {
		made.Text = "…" // what was said is not kept
	}
	return made
}

func (c *call) answerLanding(in *previewRequest, shown previewJSON, brand org.Brand, processors fieldwork.Processors) error {
	landing, language := fieldwork.PreviewLanding(in.Guide, in.Language)
	landing.LinkID, landing.Processors = c.study.LinkID, processors
	p := pages.PreviewLanding(landing, brand, language)
	shown.Bootstrap, shown.BrandStyle, shown.Kind = p.Bootstrap, p.BrandStyle, "landing"
	return c.answer(http.StatusOK, shown)
}

func (c *call) answerStep(in *previewRequest, shown previewJSON, brand org.Brand) error {
	view, fit, err := fieldwork.Preview(c.r.Context(), in.PreviewRequest)
	if refused, ok := errors.AsType[*interview.AnswerError](err); ok {
		for i := range refused.Issues {
			refused.Issues[i].Path = append([]string{"answer"}, refused.Issues[i].Path...)
		}
		return &strictjson.SchemaError{Issues: refused.Issues}
	}
	if err != nil && !errors.Is(err, interview.ErrStaleStep) && !errors.Is(err, interview.ErrNotThisStep) {
		return err
	}
	given := in.Answers
	if in.Answer != nil {
		given = append(given, *in.Answer)
	}
	p := pages.PreviewStep(view, brand)
	shown.Bootstrap, shown.BrandStyle, shown.Kind = p.Bootstrap, p.BrandStyle, string(view.Step.Kind)
	shown.Answers = list(given[:fit], previewAnswerOf)
	if view.Step.Item != nil {
		shown.ItemID = &view.Step.Item.ID
	}
	if view.Step.Concept != nil {
		shown.ConceptID = &view.Step.Concept.ID
	}
	return c.answer(http.StatusOK, shown)
}
