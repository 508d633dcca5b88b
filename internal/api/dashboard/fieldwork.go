package dashboard

import (
	"cmp"
	"errors"
	"net/http"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/panels"
)

type cellJSON struct {
	Quota      *string `json:"quota"` // null: the target
	Cell       string  `json:"cell"`
	Title      string  `json:"title"`
	Limit      int     `json:"limit"`
	InProgress int     `json:"inProgress"`
	Complete   int     `json:"complete"`
	TurnedAway int     `json:"turnedAway"`
}

func cellOf(c fieldwork.FilledCell) cellJSON {
	return cellJSON{orNull(c.Quota), c.Cell.Cell, c.Title, c.Limit, c.InProgress, c.Complete, c.TurnedAway}
}

type gridJSON struct {
	ID         string          `json:"id"`
	Title      string          `json:"title"`
	Dimensions []dimensionJSON `json:"dimensions"`
}

type dimensionJSON struct {
	Title  string      `json:"title"`
	Groups []groupJSON `json:"groups"`
}

type groupJSON struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func gridOf(g *guide.Guide, q *guide.Quota) gridJSON {
	grid := gridJSON{ID: q.ID, Title: cmp.Or(q.Title, q.ID), Dimensions: []dimensionJSON{}}
	for i := range q.Dimensions {
		d := &q.Dimensions[i]
		title := d.Parameter
		if item, _, found := g.Item(d.QuestionID); found {
			title = item.Text
		}
		grid.Dimensions = append(grid.Dimensions, dimensionJSON{title, list(d.Groups, func(one guide.Group) groupJSON {
			return groupJSON{one.ID, cmp.Or(one.Title, one.ID)}
		})})
	}
	return grid
}

// linkStates are the words for what a link says to everybody.
var linkStates = []struct {
	err   error
	state string
}{
	{study.ErrNotLaunched, "draft"},
	{study.ErrClosed, "closed"},
	{study.ErrPaused, "paused"},
	{fieldwork.ErrNotStarted, "not_started"},
	{fieldwork.ErrEnded, "ended"},
	{fieldwork.ErrTargetReached, "target_reached"},
	{fieldwork.ErrNoPlace, "no_place"},
}

func linkState(refusal error) string {
	for _, one := range linkStates {
		if errors.Is(refusal, one.err) {
			return one.state
		}
	}
	return "open"
}

type panelStateJSON struct {
	Parameter   string            `json:"parameter"`
	SignedLinks bool              `json:"signedLinks"`
	Secrets     []panelSecretJSON `json:"secrets"`
	Messages    messagesJSON      `json:"messages"`
}

type panelSecretJSON struct {
	Purpose string `json:"purpose"`
	Needed  bool   `json:"needed"`
	Set     bool   `json:"set"`
}

type messagesJSON struct {
	Waiting   int `json:"waiting"`
	Delivered int `json:"delivered"`
	Failed    int `json:"failed"`
}

func (a *API) getFieldwork(c *call) error {
	ctx := c.r.Context()
	standing, err := a.Fieldwork.Standing(ctx, c.study.Study)
	if err != nil {
		return err
	}
	settings := standing.Guide.Config.Panel
	secrets, err := a.Panels.Secrets(ctx, c.study.Study, settings)
	if err != nil {
		return err
	}
	counts, err := a.Panels.DeliveryCounts(ctx, c.study.Study)
	if err != nil {
		return err
	}
	var panel *panelStateJSON
	if settings != nil {
		panel = &panelStateJSON{settings.Participant.Parameter, settings.SignedLinks, list(secrets, func(s panels.SecretState) panelSecretJSON {
			return panelSecretJSON{string(s.Purpose), s.Needed, s.Set}
		}), messagesJSON{counts["waiting"], counts["delivered"], counts["failed"]}}
	}
	grids := []gridJSON{}
	for i := range standing.Guide.Config.Quotas {
		grids = append(grids, gridOf(standing.Guide, &standing.Guide.Config.Quotas[i]))
	}
	return c.answer(http.StatusOK, struct {
		State    study.Status    `json:"state"`
		Link     string          `json:"link"`
		StartsAt *timestamp      `json:"startsAt"`
		EndsAt   *timestamp      `json:"endsAt"`
		Cells    []cellJSON      `json:"cells"`
		Grids    []gridJSON      `json:"grids"`
		Panel    *panelStateJSON `json:"panel"`
	}{
		c.study.Status, linkState(standing.Refusal), optional(standing.Guide.Config.Fieldwork.StartsAt), optional(standing.Guide.Config.Fieldwork.EndsAt),
		list(standing.Cells, cellOf), grids, panel,
	})
}

func (a *API) pauseStudy(c *call) error {
	paused, err := a.Authoring.PauseStudy(c.r.Context(), c.caller, c.study.Study)
	if err != nil {
		return err
	}
	return c.answerStudy(http.StatusOK, c.changed(paused))
}

func (a *API) reopenStudy(c *call) error {
	live, err := a.Authoring.ReopenStudy(c.r.Context(), c.caller, c.study.Study)
	if err != nil {
		return err
	}
	return c.answerStudy(http.StatusOK, c.changed(live))
}

func (a *API) makePreviewLink(c *call) error {
	days := 0
	if err := c.body(func(o *strictjson.Object) { days = o.Int("days", strictjson.Required, 1, fieldwork.MaxPreviewDays) }); err != nil {
		return err
	}
	link, until, err := a.Fieldwork.MakePreviewLink(c.r.Context(), c.caller, c.study.Study, a.BaseURL, days)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		Link      string    `json:"link"`
		ExpiresAt timestamp `json:"expiresAt"`
	}{link, timestamp(until)})
}
