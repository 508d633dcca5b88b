package dashboard

import (
	"net/http"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/service/retention"
)

type retentionJSON struct {
	RecordingDays *int       `json:"recordingDays"`
	ResponseDays  *int       `json:"responseDays"`
	Transcripts   string     `json:"transcripts"`
	LegalHold     bool       `json:"legalHold"`
	EffectiveAt   timestamp  `json:"effectiveAt"`
	ChangedAt     timestamp  `json:"changedAt"`
	RanAt         *timestamp `json:"ranAt"`
}

// Whether transcripts go with the recordings.
const (
	transcriptsKept    = "keep"
	transcriptsDropped = "delete"
)

func retentionOf(r org.RetentionRule) retentionJSON {
	made := retentionJSON{orNull(r.RecordingDays), orNull(r.ResponseDays), transcriptsKept, r.LegalHold, timestamp(r.EffectiveAt), timestamp(r.ChangedAt), optional(r.RanAt)}
	if r.DropTranscripts {
		made.Transcripts = transcriptsDropped
	}
	return made
}

type studyRetentionJSON struct {
	LinkID string        `json:"linkId"`
	Title  string        `json:"title"`
	Rule   retentionJSON `json:"rule"`
}

type receiptOfRetentionJSON struct {
	ID          string    `json:"id"`
	LinkID      string    `json:"linkId"`
	Title       string    `json:"title"`
	At          timestamp `json:"at"`
	Recordings  int       `json:"recordings"`
	Transcripts int       `json:"transcripts"`
	Responses   int       `json:"responses"`
}

func (a *API) getRetention(c *call) error {
	rules, err := a.Retention.Rules(c.r.Context(), c.caller.OrgID)
	if err != nil {
		return err
	}
	made := struct {
		Rule     *retentionJSON           `json:"rule"`
		Studies  []studyRetentionJSON     `json:"studies"`
		Receipts []receiptOfRetentionJSON `json:"receipts"`
	}{nil, list(rules.Studies, func(r retention.StudyRule) studyRetentionJSON {
		return studyRetentionJSON{r.LinkID, r.Title, retentionOf(r.RetentionRule)}
	}), list(rules.Receipts, func(r retention.Receipt) receiptOfRetentionJSON {
		return receiptOfRetentionJSON{r.ID, r.LinkID, r.Title, timestamp(r.CreatedAt), r.Recordings, r.Transcripts, r.Responses}
	})}
	if !rules.Organization.ChangedAt.IsZero() {
		made.Rule = new(retentionOf(rules.Organization))
	}
	return c.answer(http.StatusOK, made)
}

// maxRef is the longest name of a study, in characters.
const maxRef = 100

// retentionBody reads a rule, and the study that it is of.
func (c *call) retentionBody() (studyRef string, wanted org.Retention, err error) {
	err = c.body(func(o *strictjson.Object) {
		studyRef = o.NonEmptyUpTo("study", strictjson.Optional, maxRef)
		wanted.RecordingDays = o.Int("recordingDays", strictjson.Optional, 1, org.MaxRetentionDays)
		wanted.ResponseDays = o.Int("responseDays", strictjson.Optional, 1, org.MaxRetentionDays)
		wanted.DropTranscripts = o.Enum("transcripts", strictjson.Optional, []string{transcriptsKept, transcriptsDropped}) == transcriptsDropped
		wanted.LegalHold = o.Bool("legalHold", strictjson.Optional)
	})
	return studyRef, wanted, err
}

func (a *API) setRetention(c *call) error {
	studyRef, wanted, err := c.retentionBody()
	if err != nil {
		return err
	}
	rule, err := a.Retention.Set(c.r.Context(), c.caller, studyRef, wanted)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, retentionOf(rule))
}

func (a *API) removeRetention(c *call) error {
	if err := a.Retention.Remove(c.r.Context(), c.caller, c.r.PathValue("ruleStudy")); err != nil {
		return err
	}
	return c.done()
}

type amountJSON struct {
	Responses  int `json:"responses"`
	Recordings int `json:"recordings"`
}

type studyPreviewJSON struct {
	LinkID string     `json:"linkId"`
	Title  string     `json:"title"`
	Held   bool       `json:"held"`
	Own    bool       `json:"ownRule"`
	First  amountJSON `json:"first"`
	Week   amountJSON `json:"week"`
	Month  amountJSON `json:"month"`
}

func (a *API) previewRetention(c *call) error {
	studyRef, wanted, err := c.retentionBody()
	if err != nil {
		return err
	}
	p, err := a.Retention.Preview(c.r.Context(), c.caller.OrgID, studyRef, &wanted)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, struct {
		EffectiveAt timestamp          `json:"effectiveAt"`
		Studies     []studyPreviewJSON `json:"studies"`
	}{timestamp(p.EffectiveAt), list(p.Studies, func(s retention.StudyPreview) studyPreviewJSON {
		return studyPreviewJSON{s.LinkID, s.Title, s.Held, s.Own, amountJSON(s.First), amountJSON(s.Week), amountJSON(s.Month)}
	})})
}
