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
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
)

// ResponseByToken returns the response of a token, for services that work beside the interview. Errors: response.ErrNotFound,
// response.ErrGone.
func (s *Service) ResponseByToken(ctx context.Context, token string) (_ response.Response, err error) {
	defer operation.Wrap(&err, "fieldwork.ResponseByToken")
	id, hash, err := parseToken(token)
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

// UploadSteps returns the response of a token and the steps for which an upload may be created: the current step, and the one
// answered last, whose uploads may still be arriving. It never asks the moderator. Errors: response.ErrNotFound,
// response.ErrGone.
func (s *Service) UploadSteps(ctx context.Context, token string) (_ response.Response, _ guide.InterviewMode, _ []interview.Step, err error) {
	defer operation.Wrap(&err, "fieldwork.UploadSteps")
	sess, err := s.read(ctx, token)
	if err != nil {
		return response.Response{}, "", nil, err
	}
	steps := []interview.Step{sess.State.Next()}
	for _, turn := range slices.Backward(sess.Turns) {
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
		step.Item, _, _ = sess.Guide.Item(turn.ItemID)
		steps = append(steps, step)
		break
	}
	return sess.Response, sess.Guide.Config.InterviewMode, steps, nil
}

// uploadRef is an upload that an answer names.
type uploadRef struct {
	id   string
	kind recording.Kind
	path []string // of the field in the answer
}

func uploadRefs(a *interview.Answer) (all []uploadRef) {
	for i, id := range a.Uploads {
		all = append(all, uploadRef{id, recording.File, []string{"uploads", strconv.Itoa(i)}})
	}
	all = append(all,
		uploadRef{a.Recordings.Audio, recording.Audio, []string{"recordings", "audio"}},
		uploadRef{a.Recordings.Video, recording.Video, []string{"recordings", "video"}},
		uploadRef{a.Recordings.ScreenVideo, recording.ScreenVideo, []string{"recordings", "screenVideo"}})
	return slices.DeleteFunc(all, func(ref uploadRef) bool { return ref.id == "" })
}

func (ref uploadRef) unknown() strictjson.Issue {
	return strictjson.Issue{
		Path: ref.path, Message: "No upload of this step has this id", Code: strictjson.Custom,
		Expected: "the id of an upload for this step", Received: "an unknown id",
	}
}

// setFileNames looks up the uploads that an answer names and stores their file names in the answer, so that no later read has
// to. It returns *interview.AnswerError if the response has no such upload for the step. An upload found here may still be
// terminated: useUploads checks again.
func (s *Service) setFileNames(ctx context.Context, responseID, stepID string, a *interview.Answer) error {
	a.FileNames = nil
	refs := uploadRefs(a)
	if len(refs) == 0 {
		return nil
	}
	uploads, err := s.Store.View().Uploads(ctx, responseID)
	if err != nil {
		return err
	}
	var issues []strictjson.Issue
	for _, ref := range refs {
		i := slices.IndexFunc(uploads, func(u recording.Upload) bool { return u.ID == ref.id && u.Kind == ref.kind && u.StepID == stepID })
		switch {
		case i >= 0 && ref.kind == recording.File:
			a.FileNames = append(a.FileNames, uploads[i].Name)
		case i < 0 && len(issues) < strictjson.MaxIssues:
			issues = append(issues, ref.unknown())
		}
	}
	if len(issues) > 0 {
		return &interview.AnswerError{Issues: issues}
	}
	return nil
}

// useUploads marks the uploads that an answer names as used, so that they are kept, and adds the recordings among them to be
// transcoded. *interview.AnswerError if an upload has ended meanwhile. The turn must already be applied to the session's state.
func useUploads(ctx context.Context, tx *store.Tx, sess *session, turn *interview.Turn) error {
	hasRecording, transcribedKind := false, sess.transcribedKind(turn)
	for _, ref := range uploadRefs(&turn.Answer) {
		err := tx.UseUpload(ctx, sess.Response.ID, turn.StepID, ref.kind, ref.id)
		if errors.Is(err, recording.ErrNotFound) {
			return &interview.AnswerError{Issues: []strictjson.Issue{ref.unknown()}}
		}
		if err == nil && ref.kind != recording.File {
			hasRecording = true
			err = tx.AddRecording(ctx, recording.Recording{
				OrgID: sess.Response.OrgID, ResponseID: sess.Response.ID, StepID: turn.StepID, Kind: ref.kind, Transcribe: ref.kind == transcribedKind,
				Row: len(sess.State.Exchanges()), // the last exchange is the one just answered; row 0 is the welcome
			})
		}
		if err != nil {
			return err
		}
	}
	if !hasRecording {
		return nil
	}
	return jobs.EnqueueRecordings(ctx, tx, sess.Response.ID)
}

// transcribedKind returns the kind of the recording whose words become the text of the answer, or "" if something was typed
// or the turn takes no text. A camera also records the microphone, unless that was recorded separately.
func (sess *session) transcribedKind(turn *interview.Turn) recording.Kind {
	item, _, _ := sess.Guide.Item(turn.ItemID)
	switch recordings := turn.Answer.Recordings; {
	case !isBlank(turn.Answer.Text) || turn.Kind != interview.TurnReply && item.Type != guide.OpenEnded:
		return ""
	case recordings.Audio != "":
		return recording.Audio
	case recordings.Video != "":
		return recording.Video
	}
	return ""
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
