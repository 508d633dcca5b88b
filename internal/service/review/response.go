package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/results"
)

// Detail is one response with everything that is known of it.
type Detail struct {
	Response response.Response
	Item     document.Item
	Rows     []Row
	Newer    int // the next greater number under the filter; 0: none
	Older    int
	Override *response.QualityOverride // nil: nobody judged its quality
	Parts    []response.QualityPart
	// Statements are the summary, the tagline and the bullets, in this order.
	Statements []Statement
	WrittenBy  *response.Author  // of the summary; nil until there is one
	Consent    *response.Consent // that the participant gave; nil: the study asked for none
	LinksUntil time.Time         // when the links to recordings expire; zero without any
	Outdated   bool              // answers were corrected since the analysis was written
}

// Row is a row of the transcript.
type Row struct {
	document.Row
	Recordings []Recording
	Correction *store.Correction // the last one; nil: the answer was not corrected
	Spoken     bool              // the answer may be corrected: it was spoken, and transcribed
}

// Recording is a recording of a row, with its transcript.
type Recording struct {
	results.Recording
	Transcript *transcript.Transcript  // nil: none
	IsAnswer   bool                    // the transcript is the row's answer, letter for letter
	Words      []transcript.PlacedWord // of the row's answer, with the times of the transcript; nil if the answer was not made of it
}

// Statement is a statement of an analysis.
type Statement struct {
	Part     response.Part
	Text     string
	Verified bool
	Marks    []evidence.Span
}

// imported is the author of what came with an imported response.
const imported = "import"

// Response returns one response of a study, hidden or not, with its neighbours under a filter; response.ErrNotFound, ErrNoWords.
func (s *Service) Response(ctx context.Context, st Study, number int, f Filter) (d Detail, err error) {
	defer operation.Wrap(&err, "review.Response")
	filter, err := f.prepared()
	if err != nil {
		return Detail{}, err
	}
	view := s.Store.View()
	item, err := view.ItemByReadableID(ctx, st.ID, number)
	if err != nil {
		return Detail{}, err
	}
	if d.Response, err = view.Response(ctx, st.OrgID, item.ResponseID); err != nil {
		return Detail{}, err
	}
	if d.Item, err = document.DecodeItem(item.List); err != nil {
		return Detail{}, err
	}
	single, err := document.DecodeSingle(item.Single)
	if err != nil {
		return Detail{}, err
	}
	for _, row := range single.Transcript {
		d.Rows = append(d.Rows, Row{Row: row})
	}
	if d.Override, err = view.QualityOverride(ctx, item.ResponseID); err != nil {
		return Detail{}, err
	}
	if d.Consent, err = view.Consent(ctx, item.ResponseID); err != nil {
		return Detail{}, err
	}
	analysis, err := view.Analysis(ctx, item.ResponseID)
	if err != nil {
		return Detail{}, err
	}
	d.describe(analysis)
	if d.Outdated, err = d.isOutdated(ctx, view, analysis); err != nil {
		return Detail{}, err
	}
	if err := s.addRecordings(ctx, view, st, item.ResponseID, &d); err != nil {
		return Detail{}, err
	}
	if err := d.addCorrections(ctx, view); err != nil {
		return Detail{}, err
	}
	d.Newer, d.Older, err = view.ReviewNeighbours(ctx, st.OrgID, st.ID, filter, number)
	return d, err
}

// isOutdated reports whether answers got other words since the analysis was written.
func (d *Detail) isOutdated(ctx context.Context, view *store.View, analysis *response.Analysis) (bool, error) {
	if analysis == nil {
		return false, nil
	}
	corrected, err := view.TranscribedAt(ctx, d.Response.ID)
	return analysis.CompletedAt.Before(corrected), err
}

// addCorrections adds the last correction of each row.
func (d *Detail) addCorrections(ctx context.Context, view *store.View) error {
	all, err := view.Corrections(ctx, d.Response.ID)
	for i := range all {
		if at := slices.IndexFunc(d.Rows, func(r Row) bool { return r.Index == all[i].Row }); at >= 0 {
			d.Rows[at].Correction = &all[i]
		}
	}
	return err
}

// describe fills in what an analysis says; nil for a response that has none, or was imported with one.
func (d *Detail) describe(a *response.Analysis) {
	var claims []response.Claim
	switch {
	case a != nil:
		claims, d.Parts = a.Claims, a.Quality.Parts
		author := a.Authors[response.PartSummary]
		if author.Provider == "" {
			author.Provider = cmp.Or(a.Provider, "builtin")
		}
		d.WrittenBy = &author
	case d.Item.Analysed():
		d.WrittenBy = &response.Author{Provider: imported}
	default:
		return
	}
	summary, _ := d.Item.Summary()
	for _, said := range append([]Statement{{Part: response.PartSummary, Text: summary}, {Part: response.PartTagline, Text: d.Item.Tagline}}, bullets(d.Item.BulletSummary)...) {
		if said.Text != "" {
			d.Statements = append(d.Statements, proven(said, claims)...)
		}
	}
}

func bullets(texts []string) (all []Statement) {
	for _, text := range texts {
		all = append(all, Statement{Part: response.PartBullets, Text: text})
	}
	return all
}

// proven returns a statement with the evidence of its claims. A summary of several claims becomes one statement for each of them, where
// they are all of it; otherwise it stays whole, with the marks of all.
func proven(said Statement, claims []response.Claim) []Statement {
	var own []Statement
	for _, c := range claims {
		if c.Part == said.Part && (said.Part != response.PartBullets || c.Text == said.Text) {
			own = append(own, Statement{said.Part, c.Text, c.Verified, c.Spans})
		}
	}
	if len(own) == 0 {
		return []Statement{said}
	}
	joined := ""
	for i, o := range own {
		if i > 0 {
			joined += " "
		}
		joined += o.Text
	}
	if joined == said.Text {
		return own
	}
	said.Verified = true
	for _, o := range own {
		said.Verified = said.Verified && o.Verified
		said.Marks = append(said.Marks, o.Marks...)
	}
	return []Statement{said}
}

// addRecordings adds the recordings and their transcripts to the rows.
func (s *Service) addRecordings(ctx context.Context, view *store.View, st Study, responseID string, d *Detail) error {
	ref, err := results.ParseRef(strconv.Itoa(d.Response.ReadableID))
	if err != nil {
		return err
	}
	recorded, err := s.Results.Recordings(ctx, st.Caller, st.ID, ref)
	if err != nil || len(recorded) == 0 {
		return err
	}
	d.LinksUntil = s.Store.Now().Truncate(blob.LinkStep).Add(blob.Lifetime)
	transcribed, err := transcripts(ctx, view, responseID)
	if err != nil {
		return err
	}
	for _, rec := range recorded {
		at := slices.IndexFunc(d.Rows, func(r Row) bool { return r.Index == rec.Row })
		if at < 0 {
			continue
		}
		row := &d.Rows[at]
		one := Recording{Recording: rec, Transcript: transcribed[stepKind{rec.StepID, rec.Kind}]}
		if one.Transcript != nil {
			one.IsAnswer, one.Words = one.Transcript.Text == row.User, answerWords(one.Transcript, row.User)
			row.Spoken = true
		}
		row.Recordings = append(row.Recordings, one)
	}
	return nil
}

// stepKind identifies a recording of a response.
type stepKind struct {
	stepID string
	kind   recording.Kind
}

// transcripts returns the transcripts of a response; those of a recording in several sessions are joined.
func transcripts(ctx context.Context, view *store.View, responseID string) (map[stepKind]*transcript.Transcript, error) {
	all, err := view.Transcripts(ctx, responseID)
	if err != nil && !errors.Is(err, transcript.ErrNone) {
		return nil, err
	}
	joined := map[stepKind]*transcript.Transcript{}
	for _, t := range all {
		of := stepKind{t.StepID, t.Kind}
		if first := joined[of]; first != nil {
			first.Join(t.Transcript)
			continue
		}
		joined[of] = &t.Transcript
	}
	return joined, nil
}
