package dashboard

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/transcript"
	"verbatim/internal/service/review"
)

type responseJSON struct {
	Number          int               `json:"number"`
	ID              string            `json:"id"`
	Progress        string            `json:"progress"`
	Hidden          bool              `json:"hidden"`
	Language        string            `json:"language"`
	DurationSeconds int64             `json:"durationSeconds"`
	CreatedAt       timestamp         `json:"createdAt"`
	UpdatedAt       timestamp         `json:"updatedAt"`
	Parameters      map[string]string `json:"parameters"`
	Newer           *int              `json:"newer"`
	Older           *int              `json:"older"`
	MayChange       bool              `json:"mayChange"`
	Quality         qualityJSON       `json:"quality"`
	Statements      []statementJSON   `json:"statements"`
	Tags            []string          `json:"tags"`
	WrittenBy       *authorJSON       `json:"writtenBy"`
	LinksExpireAt   *timestamp        `json:"linksExpireAt"`
	Outdated        bool              `json:"outdated"`
	Rows            []rowJSON         `json:"rows"`
	Consent         *consentJSON      `json:"consent"`
}

type consentJSON struct {
	Version  int       `json:"version"`
	Language string    `json:"language"`
	Text     string    `json:"text"`
	Hash     string    `json:"hash"`
	GivenAt  timestamp `json:"givenAt"`
}

type qualityJSON struct {
	Score    *float64      `json:"score"`
	Parts    []partJSON    `json:"parts"`
	Override *overrideJSON `json:"override"`
}

type partJSON struct {
	Name   string  `json:"name"`
	Score  float64 `json:"score"`
	Reason string  `json:"reason"`
	Rows   []int   `json:"rows"`
}

type statementJSON struct {
	Part     response.Part `json:"part"`
	Text     string        `json:"text"`
	Verified bool          `json:"verified"`
	Marks    []markJSON    `json:"marks"`
}

type markJSON struct {
	Row  int `json:"row"`
	From int `json:"from"`
	To   int `json:"to"`
}

type authorJSON struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Prompt   string `json:"prompt"`
}

type rowJSON struct {
	Index      int             `json:"index"`
	Question   string          `json:"question"`
	Answer     string          `json:"answer"`
	QuestionID *string         `json:"questionId"`
	ConceptID  *string         `json:"conceptId"`
	FollowUp   bool            `json:"followUp"`
	Statement  bool            `json:"statement"`
	Spoken     bool            `json:"spoken"`
	Correction *correctionJSON `json:"correction"`
	Recordings []recordingJSON `json:"recordings"`
}

type correctionJSON struct {
	Before   string    `json:"before"`
	UserName string    `json:"userName"`
	At       timestamp `json:"at"`
}

type recordingJSON struct {
	Kind            recording.Kind  `json:"kind"`
	State           string          `json:"state"`
	Failure         string          `json:"failure"`
	DurationSeconds *float64        `json:"durationSeconds"`
	MediaType       string          `json:"mediaType"`
	URL             *string         `json:"url"`
	Stream          *string         `json:"stream"`
	Poster          *string         `json:"poster"`
	Waveform        *string         `json:"waveform"`
	Transcript      *transcriptJSON `json:"transcript"`
}

type transcriptJSON struct {
	Text        string       `json:"text"`
	IsAnswer    bool         `json:"isAnswer"`
	Words       [][5]float64 `json:"words"`
	AnswerWords [][5]float64 `json:"answerWords"`
}

func (a *API) getResponse(c *call) error {
	query := httpx.Query(c.r)
	f := filter(query)
	if err := query.Err(); err != nil {
		return err
	}
	n, err := c.number()
	if err != nil {
		return err
	}
	d, err := a.Review.Response(c.r.Context(), c.study, n, f)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, responseOf(&d, c.study.MayChange))
}

func responseOf(d *review.Detail, mayChange bool) responseJSON {
	r := responseJSON{
		Number: d.Response.ReadableID, ID: d.Response.ID, Progress: progressOf(d.Response.Progress, d.Response.Abandoned), Hidden: d.Response.Hidden,
		Language: d.Response.Language, DurationSeconds: d.Item.DurationSeconds, CreatedAt: timestamp(d.Item.CreatedAt), UpdatedAt: timestamp(d.Item.UpdatedAt),
		Parameters: parameters(d.Item.URLParams), Newer: orNull(d.Newer), Older: orNull(d.Older), MayChange: mayChange,
		Quality:    qualityJSON{Score: judgedScore(d.Response.Progress, d.Item.QualityScore), Parts: list(d.Parts, partOf)},
		Statements: list(d.Statements, func(s review.Statement) statementJSON { return statementOf(s, d.Rows) }),
		Tags:       append([]string{}, d.Item.Tags...), LinksExpireAt: optional(d.LinksUntil), Outdated: d.Outdated, Rows: list(d.Rows, rowOf),
	}
	if d.Response.Progress == response.ScreenedOut {
		r.Quality.Parts = []partJSON{}
	}
	if d.Override != nil {
		r.Quality.Override = orNull(overrideOf(*d.Override))
	}
	if c := d.Consent; c != nil {
		r.Consent = &consentJSON{c.Version, c.Language, c.Text, c.Hash, timestamp(c.GivenAt)}
	}
	if d.WrittenBy != nil {
		r.WrittenBy = &authorJSON{d.WrittenBy.Provider, d.WrittenBy.Model, d.WrittenBy.Prompt}
	}
	return r
}

func partOf(p response.QualityPart) partJSON {
	return partJSON{p.Name, p.Score, p.Reason, append([]int{}, p.Rows...)}
}

// statementOf encodes a statement. The marks of rows that do not exist are left out.
func statementOf(s review.Statement, rows []review.Row) statementJSON {
	made := statementJSON{s.Part, s.Text, s.Verified, []markJSON{}}
	for _, mark := range s.Marks {
		for i := range rows {
			if rows[i].Index == mark.Row {
				from, to := mark.UTF16(rows[i].User)
				made.Marks = append(made.Marks, markJSON{mark.Row, from, to})
				break
			}
		}
	}
	return made
}

func rowOf(r review.Row) rowJSON {
	made := rowJSON{r.Index, r.Moderator, r.User, orNull(r.QuestionID), orNull(r.ConceptID), r.FollowUp, r.AnswerID == "", r.Spoken, nil, list(r.Recordings, recordingOf)}
	if c := r.Correction; c != nil {
		made.Correction = &correctionJSON{c.Before, c.UserName, timestamp(c.At)}
	}
	return made
}

func recordingOf(r review.Recording) recordingJSON {
	state := "waiting"
	if r.Stage == recording.Ready || r.Stage == recording.Failed {
		state = string(r.Stage)
	}
	made := recordingJSON{
		r.Kind, state, r.Failure, orNull(r.Duration.Seconds()), r.MediaType, orNull(r.Object), orNull(r.Stream), orNull(r.Poster), orNull(r.Waveform), nil,
	}
	if r.Transcript != nil {
		made.Transcript = &transcriptJSON{r.Transcript.Text, r.IsAnswer, list(r.Transcript.Place(), wordOf), [][5]float64{}}
		if !r.IsAnswer {
			made.Transcript.AnswerWords = list(r.Words, wordOf)
		}
	}
	return made
}

func wordOf(w transcript.PlacedWord) [5]float64 {
	return [5]float64{w.Start.Seconds(), w.End.Seconds(), float64(w.From), float64(w.To), w.Confidence}
}
