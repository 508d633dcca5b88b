package participant

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/outage"
	"verbatim/internal/domain/recording"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/service/fieldwork"
	"verbatim/internal/service/speaking"
)

// Errors maps the errors of the services to status, code and message.
var Errors = httpx.WithOutages(httpx.Table{
	{Err: study.ErrNotFound, Status: 404, Code: "study_not_found", Message: "There is no study at this address that takes participants."},
	{Err: response.ErrNotFound, Status: 404, Code: "interview_not_found", Message: "There is no interview here."},
	{Err: response.ErrGone, Status: 410, Code: "interview_gone", Message: "This interview is no longer available."},
	{Err: fieldwork.ErrNotTakingParticipants, Status: 409, Code: "not_taking_participants", Message: "The study is not taking participants now."},
	{Err: fieldwork.ErrNoPlace, Status: 409, Code: "not_taking_participants", Message: "Interviews in progress have the last places of the study. Some may become free."},
	{Err: study.ErrPaused, Status: 409, Code: "study_paused", Message: "The study is paused. It will take participants again."},
	{Err: fieldwork.ErrNotStarted, Status: 409, Code: "study_not_started", Message: "The study has not started yet."},
	{Err: fieldwork.ErrEnded, Status: 409, Code: "study_ended", Message: "The study has ended."},
	{Err: fieldwork.ErrTargetReached, Status: 409, Code: "target_reached", Message: "The study has as many interviews as it needs."},
	{Err: fieldwork.ErrQuotaFull, Status: 409, Code: "quota_full", Message: "The study has enough participants like this one."},
	{Err: fieldwork.ErrLink, Status: 403, Code: "invalid_link", Message: "The study link was changed, has expired or is incomplete."},
	{Err: fieldwork.ErrAlreadyStarted, Status: 409, Code: "already_started", Message: "The participant has begun an interview of this study elsewhere."},
	{Err: fieldwork.ErrParticipated, Status: 409, Code: "already_participated", Message: "The participant has taken part in this study already."},
	{Err: errConsentChanged, Status: 409, Code: "consent_changed", Message: "The text that the participant agreed to has changed. Show it again."},
	{Err: errTooYoung, Status: 403, Code: "age_not_confirmed", Message: "The study is for participants who confirm their age with oldEnough."},
	{Err: fieldwork.ErrStartKey, Status: 400, Code: "bad_request", Message: fmt.Sprintf("An Idempotency-Key must have %d to %d characters.", fieldwork.MinStartKey, fieldwork.MaxStartKey)},
	{Err: interview.ErrStaleStep, Status: 409, Code: "stale_step", Message: "The interview is at another step."},
	{Err: recording.ErrNotFound, Status: 404, Code: "upload_not_found", Message: "There is no upload here."},
	{Err: recording.ErrGone, Status: 410, Code: "upload_gone", Message: "The upload was terminated, or has expired. Begin a new one."},
	{Err: recording.ErrOffset, Status: 409, Code: "offset_conflict", Message: "The upload stands at another offset. Request the offset with HEAD and continue from there."},
	{Err: recording.ErrLength, Status: 400, Code: "bad_request", Message: "The length of the upload was already set, or is less than what has arrived."},
	{Err: recording.ErrTooLarge, Status: 413, Code: "payload_too_large", Message: "The upload is larger than allowed, or than its length."},
	{Err: recording.ErrType, Status: 415, Code: "unsupported_media_type", Message: "The content has a type that is not allowed for the upload. The upload was terminated."},
	{Err: recording.ErrQuota, Status: 403, Code: "upload_quota_exceeded", Message: "The interview cannot take more uploads, or no more bytes."},
	{Err: recording.ErrIncomplete, Status: 409, Code: "upload_incomplete", Message: "The upload is not complete. Send the rest of it first."},
	{Err: recording.ErrUsed, Status: 409, Code: "upload_in_use", Message: "An answer names the upload."},
	{Err: recording.ErrLocked, Status: 423, Code: "upload_locked", Message: "Another request is sending this upload. Request the offset with HEAD after Retry-After and continue from there.", RetryAfter: 2 * time.Second},
	{Err: recording.ErrTooMany, Status: 429, Code: "too_many_open_uploads", Message: "Too many uploads of the interview are not complete. Finish some of them first.", RetryAfter: 10 * time.Second},
	{Err: recording.ErrStorage, Status: 507, Code: "insufficient_storage", Message: "There is no room for recordings and files now. Answers without them are accepted.", RetryAfter: time.Minute},
	{Err: outage.ErrObjectsUnreachable, Status: 503, Code: httpx.Unavailable, Message: "Recordings and files cannot be stored now. Keep them and send them again. Answers without them are accepted.", RetryAfter: httpx.RetryUnavailable},
	{Err: errNotExpected, Status: 409, Code: "upload_not_expected", Message: "The interview does not ask for an upload of this kind at this step."},
	{Err: speaking.ErrUnavailable, Status: 404, Code: "speech_unavailable", Message: "No service reads these words aloud. Speak them with a voice of the device, or show them."},
	{Err: speaking.ErrFailed, Status: 503, Code: "speech_failed", Message: "The words could not be read aloud now. Speak them with a voice of the device, or show them.", RetryAfter: 5 * time.Second},
	{Err: recording.ErrEnded, Status: 409, Code: "interview_ended", Message: "The interview has ended."},
})

// withStep writes the errors that hold more than a message: a stale step with the current step, an invalid answer with its
// issues.
func withStep(h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		if stale, ok := errors.AsType[*fieldwork.StaleStepError](err); ok {
			e, _ := Errors.Translate(err)
			return httpx.WriteJSON(w, r, e.Status, staleBody{Error: e.Message, Code: e.Code, Step: StepOf(stale.View), Answered: AnsweredOf(stale.View)})
		}
		return HTTPError(err)
	}
}

// HTTPError converts the errors that Errors cannot: those with issues or a waiting time. It returns all others unchanged.
func HTTPError(err error) error {
	if wrong, ok := errors.AsType[*interview.AnswerError](err); ok {
		e := httpx.Errorf(http.StatusBadRequest, "invalid_answer", "The answer does not fit the step; issues lists what is wrong.")
		e.Issues = wrong.Issues
		return e
	}
	if limited, ok := errors.AsType[*fieldwork.TooManyStartsError](err); ok {
		seconds := strconv.Itoa(max(1, int(math.Ceil(limited.Wait.Seconds()))))
		e := httpx.Errorf(http.StatusTooManyRequests, "rate_limited", "Too many interviews of this study were started from your network. Try again in %s s.", seconds)
		e.Header = http.Header{"Retry-After": {seconds}}
		return e
	}
	if link, ok := errors.AsType[*fieldwork.LinkError](err); ok {
		text := link.Error()
		return httpx.Errorf(http.StatusForbidden, "invalid_link", "%s", strings.ToUpper(text[:1])+text[1:]+".")
	}
	if full, ok := errors.AsType[*fieldwork.QuotaFullError](err); ok && strings.TrimSpace(full.Cell.FullText) != "" {
		return httpx.Errorf(http.StatusConflict, "quota_full", "%s", full.Cell.FullText)
	}
	if errors.Is(err, fieldwork.ErrUnknownLanguage) {
		return &strictjson.SchemaError{Issues: []strictjson.Issue{{
			Path: []string{"language"}, Message: "The study is not offered in this language",
			Code: strictjson.InvalidEnumValue, Expected: "one of the study's languages", Received: "another language",
		}}}
	}
	return err
}

type staleBody struct {
	Error string `json:"error"`
	Code  string `json:"code"`
	Step  Step   `json:"step"`

	Answered *AnsweredStep `json:"answered"`
}
