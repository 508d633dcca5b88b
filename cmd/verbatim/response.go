package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/domain/evidence"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/textanalysis"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/analysis"
)

type responseCommands struct {
	List   responseList   `cmd:"" help:"List the responses of a study."`
	Show   responseShow   `cmd:"" help:"Show one response: its transcript, its analysis with the evidence of each claim, and its quality score with the reasons."`
	Delete responseDelete `cmd:"" help:"Permanently delete one response and its recordings, as a participant may request."`
}

type responseShow struct {
	Link       string `arg:"" help:"The study's link id, or its id."`
	ReadableID string `arg:"" help:"The response's number within the study." placeholder:"NUMBER"`
}

// shownResponse is a response with its analysis and evidence, as the command prints it.
type shownResponse struct {
	ID         string         `json:"id"`
	ReadableID int            `json:"readableId"`
	Progress   string         `json:"progress"`
	Language   string         `json:"language"`
	Seconds    int            `json:"responseDurationSeconds"`
	Transcript []shownRow     `json:"transcript"`
	Analysis   *shownAnalysis `json:"analysis"` // null until it is done
}

type shownRow struct {
	Row       int             `json:"row"`
	Moderator string          `json:"moderator"`
	User      string          `json:"user"`
	FollowUp  bool            `json:"isFollowUp"`
	Seconds   int             `json:"seconds"` // from the previous turn to the reply; 0: not known
	Telemetry *shownTelemetry `json:"telemetry"`
}

type shownTelemetry struct {
	Pasted  int `json:"pasted"`
	Typed   int `json:"typed"`
	Seconds int `json:"seconds"`
	Blurs   int `json:"blurs"`
}

type shownAnalysis struct {
	Provider    string       `json:"provider"`
	Fallback    string       `json:"fallback"` // why the built-in analyst wrote it instead of the model
	CompletedAt time.Time    `json:"completedAt"`
	Summary     string       `json:"summary"`
	Tagline     string       `json:"tagline"`
	Bullets     []string     `json:"bulletSummary"`
	Tags        []string     `json:"tags"`
	Claims      []shownClaim `json:"claims"`
	Score       float64      `json:"qualityScore"`
	Quality     []shownPart  `json:"quality"`
}

type shownClaim struct {
	Part     string      `json:"part"`
	Text     string      `json:"text"`
	Verified bool        `json:"verified"`
	Spans    []shownSpan `json:"spans"`
	Provider string      `json:"provider"`
	Model    string      `json:"model"`
	Prompt   string      `json:"prompt"`
}

type shownSpan struct {
	Row   int    `json:"row"`
	Start int    `json:"start"` // bytes of the participant's words in that row
	End   int    `json:"end"`
	Words string `json:"words"`
}

type shownPart struct {
	Name   string  `json:"name"`
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
	Rows   []int   `json:"rows"`
}

// Run prints the response.
func (cmd *responseShow) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		shown, err := cmd.read(ctx, s)
		if err != nil {
			return err
		}
		if c.JSON {
			return c.stdout.printJSON(shown)
		}
		shown.print(c.stdout)
		return nil
	})
}

func (cmd *responseShow) read(ctx context.Context, s *store.Store) (shownResponse, error) {
	view := s.View()
	number, err := strconv.Atoi(cmd.ReadableID)
	if err != nil {
		return shownResponse{}, usageError(fmt.Sprintf("%q is no response's number; give the number within the study, from: verbatim response list %s", cmd.ReadableID, cmd.Link))
	}
	study, err := findStudy(ctx, s, cmd.Link)
	if err != nil {
		return shownResponse{}, err
	}
	item, err := view.ItemByReadableID(ctx, study.ID, number)
	if errors.Is(err, response.ErrNotFound) {
		return shownResponse{}, noSuchResponse(study, number)
	}
	if err != nil {
		return shownResponse{}, err
	}
	r, err := view.AnyResponse(ctx, item.ResponseID)
	if err != nil {
		return shownResponse{}, err
	}
	if r.TurnCount == 0 && !r.EndedAt.IsZero() {
		return shownResponse{}, fmt.Errorf("response %d was imported: it has no transcript or analysis beyond what the API returns", r.ReadableID)
	}
	in, err := analysis.Read(ctx, view, r)
	if err != nil {
		return shownResponse{}, err
	}
	written, err := view.Analysis(ctx, r.ID)
	if err != nil {
		return shownResponse{}, err
	}
	return shownOf(in, written), nil
}

func shownOf(in textanalysis.Input, a *response.Analysis) shownResponse {
	r := in.Response
	shown := shownResponse{ID: r.ID, ReadableID: r.ReadableID, Progress: string(r.Progress), Language: r.Language, Seconds: int(r.Duration.Seconds() + 0.5), Transcript: []shownRow{}}
	for i, e := range in.Exchanges {
		shown.Transcript = append(shown.Transcript, shownRow{
			Row: textanalysis.Row(i), Moderator: e.Moderator, User: e.User, FollowUp: e.FollowUp, Seconds: int(e.Took.Seconds() + 0.5),
			Telemetry: (*shownTelemetry)(e.Telemetry),
		})
	}
	if a == nil {
		return shown
	}
	spoken := evidence.Read(textanalysis.Turns(in.Exchanges))
	shown.Analysis = &shownAnalysis{Provider: a.Provider, Fallback: a.Fallback, CompletedAt: a.CompletedAt, Summary: a.Summary, Tagline: a.Tagline, Bullets: a.Bullets, Tags: a.Tags, Claims: []shownClaim{}, Score: a.Quality.Score, Quality: []shownPart{}}
	for _, claim := range a.Claims {
		by := a.Authors[claim.Part]
		c := shownClaim{Part: string(claim.Part), Text: claim.Text, Verified: claim.Verified, Spans: []shownSpan{}, Provider: by.Provider, Model: by.Model, Prompt: by.Prompt}
		for _, span := range claim.Spans {
			c.Spans = append(c.Spans, shownSpan{span.Row, span.Start, span.End, spoken.Text(span)})
		}
		shown.Analysis.Claims = append(shown.Analysis.Claims, c)
	}
	for _, p := range a.Quality.Parts {
		shown.Analysis.Quality = append(shown.Analysis.Quality, shownPart{p.Name, p.Score, p.Reason, append([]int{}, p.Rows...)})
	}
	return shown
}

// print prints the response as text.
func (r *shownResponse) print(to *terminal) {
	to.printf("Response %d, %s, language %s, %s\n", r.ReadableID, strings.ReplaceAll(r.Progress, "_", " "), cmp.Or(r.Language, "-"), time.Duration(r.Seconds)*time.Second)
	to.printf("\nTRANSCRIPT\n")
	for _, row := range r.Transcript {
		to.printf("%3d  %s\n", row.Row, indented(row.Moderator, "     "))
		if row.User != "" {
			to.printf("     > %s\n", indented(row.User, "       "))
		}
	}
	a := r.Analysis
	if a == nil {
		to.printf("\nNot analysed yet.\n")
		return
	}
	to.printf("\nANALYSIS by %s, %s\n", a.Provider, cell(a.CompletedAt))
	if a.Fallback != "" {
		to.printf("The built-in analyst wrote it instead of the model: %s.\n", a.Fallback)
	}
	if len(a.Claims) == 0 {
		to.printf("It was written before evidence was stored with claims.\n\n  %s\n", indented(a.Summary, "  "))
	}
	part := ""
	for _, claim := range a.Claims {
		if claim.Part != part {
			part = claim.Part
			to.printf("\n%s (%s)\n", label(part), strings.Join(filled(claim.Provider, claim.Model, claim.Prompt), ", "))
		}
		mark := ""
		if !claim.Verified {
			mark = " [not verified]"
		}
		to.printf("  - %s%s\n", indented(claim.Text, "    "), mark)
		for _, span := range claim.Spans {
			to.printf("      row %d: %s\n", span.Row, indented(span.Words, "        "))
		}
	}
	to.printf("\nQUALITY %.1f of 5\n", a.Score)
	for _, p := range a.Quality {
		to.printf("  %-14s %.1f  %s", p.Name, p.Score, p.Reason)
		if len(p.Rows) > 0 {
			to.printf(" Rows %s.", strings.Trim(fmt.Sprint(p.Rows), "[]"))
		}
		to.printf("\n")
	}
}

func filled(texts ...string) (some []string) {
	for _, text := range texts {
		if text != "" {
			some = append(some, text)
		}
	}
	return some
}
