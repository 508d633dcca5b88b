package legacy

import (
	"net/http"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/document"
	"verbatim/internal/service/access"
	"verbatim/internal/service/results"
)

type singleResponse struct {
	ID         string `json:"id"`
	Survey     string `json:"survey"`
	Transcript []row  `json:"transcript"`
}

type row struct {
	Moderator    string  `json:"moderator"`
	User         string  `json:"user"`
	GuideID      string  `json:"discussion_guide_question_id"` // empty where the row belongs to no question
	ConceptID    *string `json:"concept_id"`
	AnswerID     *string `json:"answer_id"`
	Index        int     `json:"response_index"`
	IsFollowUp   bool    `json:"is_followup"`
	Audio        *string `json:"audio"`
	Video        *stream `json:"video"`
	QuestionUUID string  `json:"question_uuid"` // deprecated: the same as discussion_guide_question_id
}

type stream struct {
	StreamURL *string `json:"stream_url"`
	MP4URL    *string `json:"mp4_url"`
}

func (a *API) getResponse(w http.ResponseWriter, r *http.Request) error {
	ref, err := results.ParseRef(r.PathValue("response_id"))
	if err != nil {
		return err
	}
	found, err := a.Results.Single(r.Context(), access.CallerOf(r.Context()), r.PathValue("link_id"), ref)
	if err != nil {
		return err
	}
	detail, err := document.DecodeSingle(found.Item.Single)
	if err != nil {
		return err
	}
	single := singleResponse{ID: found.Item.ResponseID, Survey: found.LinkID, Transcript: make([]row, 0, len(detail.Transcript))}
	for _, t := range detail.Transcript {
		single.Transcript = append(single.Transcript, row{
			t.Moderator, t.User, t.QuestionID, orNull(t.ConceptID), orNull(t.AnswerID), t.Index, t.FollowUp, orNull(t.Audio), streamOf(t.Video), t.QuestionID,
		})
	}
	return httpx.WriteJSON(w, r, http.StatusOK, single)
}

func streamOf(s *document.Stream) *stream {
	if s == nil {
		return nil
	}
	return &stream{StreamURL: orNull(s.StreamURL), MP4URL: orNull(s.MP4URL)}
}
