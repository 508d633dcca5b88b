package fieldwork

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/platform/store"
)

// Holder finds the response of a token, for whoever works on it beside the interview. Errors: response.ErrNotFound,
// response.ErrGone.
func (s *Service) ResponseByToken(ctx context.Context, token string) (response.Response, error) {
	id, hash, err := readToken(token)
	if err != nil {
		return response.Response{}, err
	}
	r, stored, err := s.Store.View().ParticipantResponse(ctx, id)
	if err == nil && !sameHash(stored, hash) {
		err = response.ErrNotFound
	}
	if err != nil {
		return response.Response{}, err
	}
	return r, nil
}

// UploadSteps finds the response of a token with the steps that an upload may be begun for: the one that the interview stands
// at, and the one that was answered last, of which something may still be on its way. It asks no moderator. Errors:
// response.ErrNotFound, response.ErrGone.
func (s *Service) UploadSteps(ctx context.Context, token string) (response.Response, guide.InterviewMode, []interview.Step, error) {
	it, err := s.read(ctx, token)
	if err != nil {
		return response.Response{}, "", nil, err
	}
	steps := []interview.Step{it.state.Next()}
	for _, turn := range slices.Backward(it.turns) {
		if !byParticipant(turn.Kind) {
			continue
		}
		step := interview.Step{ID: turn.StepID, Kind: interview.StepQuestion}
		switch turn.Kind {
		case interview.TurnContinue:
			step.Kind = interview.StepStatement
		case interview.TurnReply:
			step.Kind = interview.StepFollowUp
		}
		step.Item, _, _ = it.guide.Item(turn.ItemID)
		steps = append(steps, step)
		break
	}
	return it.response, it.guide.Config.InterviewMode, steps, nil
}

// mention is an upload that an answer names.
type mention struct {
	id   string
	kind recording.Kind
	path []string // in the answer
}

func mentions(a *interview.Answer) (all []mention) {
	for i, id := range a.Uploads {
		all = append(all, mention{id, recording.File, []string{"uploads", strconv.Itoa(i)}})
	}
	all = append(all,
		mention{a.Recordings.Audio, recording.Audio, []string{"recordings", "audio"}},
		mention{a.Recordings.Video, recording.Video, []string{"recordings", "video"}},
		mention{a.Recordings.ScreenVideo, recording.ScreenVideo, []string{"recordings", "screenVideo"}})
	return slices.DeleteFunc(all, func(m mention) bool { return m.id == "" })
}

func (m mention) unknown() strictjson.Issue {
	return strictjson.Issue{
		Path: m.path, Message: "No upload of this step has this id", Code: strictjson.Custom,
		Expected: "the id of an upload for this step", Received: "an unknown id",
	}
}

// nameFiles finds the uploads that an answer names and tells the answer what their files are called, so that no one has to
// look them up again. *interview.AnswerError when the response has no such upload for the step. What is found here may still
// be terminated: useUploads has the last word.
func (s *Service) nameFiles(ctx context.Context, responseID, stepID string, a *interview.Answer) error {
	a.FileNames = nil
	named := mentions(a)
	if len(named) == 0 {
		return nil
	}
	uploads, err := s.Store.View().Uploads(ctx, responseID)
	if err != nil {
		return err
	}
	var issues []strictjson.Issue
	for _, m := range named {
		i := slices.IndexFunc(uploads, func(u recording.Upload) bool { return u.ID == m.id && u.Kind == m.kind && u.StepID == stepID })
		switch {
		case i >= 0 && m.kind == recording.File:
			a.FileNames = append(a.FileNames, uploads[i].Name)
		case i < 0 && len(issues) < strictjson.MaxIssues:
			issues = append(issues, m.unknown())
		}
	}
	if len(issues) > 0 {
		return &interview.AnswerError{Issues: issues}
	}
	return nil
}

// useUploads marks the uploads that an answer names, so that they stay, and notes what was recorded with the answer, so that
// it is made playable. *interview.AnswerError where one has ended meanwhile. The run's state has taken the answer.
func useUploads(ctx context.Context, tx *store.Tx, it *run, turn *interview.Turn) error {
	recorded, spoken := false, it.spoken(turn)
	for _, m := range mentions(&turn.Answer) {
		err := tx.UseUpload(ctx, it.response.ID, turn.StepID, m.kind, m.id)
		if errors.Is(err, recording.ErrNotFound) {
			return &interview.AnswerError{Issues: []strictjson.Issue{m.unknown()}}
		}
		if err == nil && m.kind != recording.File {
			recorded = true
			err = tx.AddRecording(ctx, recording.Recording{
				OrgID: it.response.OrgID, ResponseID: it.response.ID, StepID: turn.StepID, Kind: m.kind, Transcribe: m.kind == spoken,
				Row: len(it.state.Exchanges()), // the last exchange is the one just answered; row 0 is the welcome
			})
		}
		if err != nil {
			return err
		}
	}
	if !recorded {
		return nil
	}
	return tx.QueueRecordings(ctx, it.response.ID)
}

// spoken is the kind of the recording that is all that was said in a turn; empty where something was typed, or nothing was to
// be said. A camera carries the microphone, unless that was recorded on its own.
func (it *run) spoken(turn *interview.Turn) recording.Kind {
	item, _, _ := it.guide.Item(turn.ItemID)
	switch of := turn.Answer.Recordings; {
	case !isBlank(turn.Answer.Text) || turn.Kind != interview.TurnReply && item.Type != guide.OpenEnded:
		return ""
	case of.Audio != "":
		return recording.Audio
	case of.Video != "":
		return recording.Video
	}
	return ""
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
