package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/response"
)

// analysisBody is the stored form of an analysis.
type analysisBody struct {
	Summary                string                            `json:"summary"`
	Tagline                string                            `json:"tagline"`
	Bullets                []string                          `json:"bullets"`
	Tags                   []string                          `json:"tags"`
	ShortTranscript        string                            `json:"shortTranscript"`
	ShortAssistantMessages []string                          `json:"shortAssistantMessages"`
	OtherRemarks           string                            `json:"otherRemarks"`
	Personas               string                            `json:"personas"`
	Score                  float64                           `json:"score"`
	Parts                  []response.QualityPart            `json:"parts"`
	Claims                 []claimBody                       `json:"claims,omitempty"`
	Authors                map[response.Part]response.Author `json:"authors,omitempty"`
	Fallback               string                            `json:"fallback,omitempty"`
}

// claimBody is the stored form of a claim. A span is its row, its start and its end.
type claimBody struct {
	Part     response.Part `json:"part"`
	Text     string        `json:"text"`
	Spans    [][3]int      `json:"spans,omitempty"`
	Verified bool          `json:"verified"`
}

func storedClaims(claims []response.Claim) (stored []claimBody) {
	for _, c := range claims {
		body := claimBody{Part: c.Part, Text: c.Text, Verified: c.Verified}
		for _, s := range c.Spans {
			body.Spans = append(body.Spans, [3]int{s.Row, s.Start, s.End})
		}
		stored = append(stored, body)
	}
	return stored
}

func claimsOf(stored []claimBody) (claims []response.Claim) {
	for _, body := range stored {
		c := response.Claim{Part: body.Part, Text: body.Text, Verified: body.Verified}
		for _, s := range body.Spans {
			c.Spans = append(c.Spans, evidence.Span{Row: s[0], Start: s[1], End: s[2]})
		}
		claims = append(claims, c)
	}
	return claims
}

// SaveAnalysis stores the analysis of a response in place of an earlier one; response.ErrGone once it is deleted. An analysis
// without CompletedAt gets the last update time of its study, which SaveInterview gives to the response as well.
func (tx *Tx) SaveAnalysis(ctx context.Context, responseID string, a response.Analysis) error {
	body, err := json.Marshal(analysisBody{
		Summary: a.Summary, Tagline: a.Tagline, Bullets: a.Bullets, Tags: a.Tags, ShortTranscript: a.ShortTranscript,
		ShortAssistantMessages: a.ShortAssistantMessages, OtherRemarks: a.OtherRemarks, Personas: a.Personas,
		Score: a.Quality.Score, Parts: a.Quality.Parts, Claims: storedClaims(a.Claims), Authors: a.Authors, Fallback: a.Fallback,
	})
	if err != nil {
		return err
	}
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	stored, err := tx.expect(ctx, `insert into analysis (response_id, provider, body, completed_at)
		select r.id, $2, $3, coalesce(cast($4 as bigint), s.item_clock)
		from response r
		join study s on s.id = r.study_id
		where r.id = $1 and not exists (select 1 from deletion where response_id = $1)
		on conflict (response_id) do update set provider = excluded.provider, body = excluded.body,
			completed_at = excluded.completed_at`,
		responseID, a.Provider, string(body), micros(a.CompletedAt))
	if err == nil && !stored {
		return response.ErrGone
	}
	return err
}

// Analysis reads the analysis of a response; nil when it was not analysed yet.
func (v *View) Analysis(ctx context.Context, responseID string) (*response.Analysis, error) {
	var a response.Analysis
	var raw []byte
	err := v.q.QueryRowContext(ctx, `select provider, body, completed_at from analysis where response_id = $1`, responseID).
		Scan(&a.Provider, &raw, nullTime{&a.CompletedAt})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var b analysisBody
	if err := json.Unmarshal(raw, &b); err != nil {
		return nil, err
	}
	a.Summary, a.Tagline, a.Bullets, a.Tags, a.ShortTranscript = b.Summary, b.Tagline, b.Bullets, b.Tags, b.ShortTranscript
	a.ShortAssistantMessages, a.OtherRemarks, a.Personas = b.ShortAssistantMessages, b.OtherRemarks, b.Personas
	a.Quality = response.Quality{Score: b.Score, Parts: b.Parts}
	a.Claims, a.Authors, a.Fallback = claimsOf(b.Claims), b.Authors, b.Fallback
	return &a, nil
}

// CountAnalyses returns how many of a study's ended responses are analysed, and how many are not yet. Imported responses are
// not counted: they came with all that is known of them.
func (v *View) CountAnalyses(ctx context.Context, studyID string) (analysed, pending int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(a.response_id), count(*) - count(a.response_id)
		from response r
		left join analysis a on a.response_id = r.id
		where r.study_id = $1 and r.ended_at is not null and r.deleted_at is null
			and not exists (select 1 from imported_item i where i.response_id = r.id)`, studyID).Scan(&analysed, &pending)
	return analysed, pending, err
}
