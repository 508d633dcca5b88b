package fieldwork

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/jobs"
	"verbatim/internal/service/webhooks"
)

// Errors of studies with a panel.
var (
	// ErrLink means that a study link lacks the identifying parameter, or a valid signature where the study demands one.
	ErrLink = errors.New("the study link was changed, has expired or is incomplete")
	// ErrParticipated and ErrAlreadyStarted are a *ParticipatedError after an interview that has ended, and one that runs.
	ErrParticipated   = errors.New("the participant has ended an interview of the study")
	ErrAlreadyStarted = errors.New("the participant has begun an interview of the study")
)

// LinkError is a fault of a study link.
type LinkError struct {
	Parameter string // that is missing, or repeated in a link that must be signed; empty: the signature is wrong
	Repeated  bool
	Signature error // panel.ErrUnsigned, panel.ErrForged or panel.ErrExpired
}

// Error implements error.
func (e *LinkError) Error() string {
	switch {
	case e.Signature != nil:
		return e.Signature.Error()
	case e.Repeated:
		return fmt.Sprintf("the study link has the parameter %.60s more than once", e.Parameter)
	}
	return "the study link lacks the parameter " + e.Parameter + ", which identifies the participant"
}

// Is reports whether target is ErrLink.
func (*LinkError) Is(target error) bool { return target == ErrLink }

// ParticipatedError means that a participant may not begin another interview.
type ParticipatedError struct {
	State panel.Earlier // of the earlier interview
}

// Error implements error.
func (e *ParticipatedError) Error() string {
	return "the participant has an interview already: " + string(e.State)
}

// Is reports whether target is the error of the earlier interview's state.
func (e *ParticipatedError) Is(target error) bool {
	return target == ErrAlreadyStarted && e.State == panel.EarlierStarted || target == ErrParticipated && e.State != panel.EarlierStarted
}

// Exit holds the way back to a panel, and the completion code. The zero value is nothing.
type Exit struct {
	URL  string // address to go back to; empty: none
	Code string // completion code; empty: none
}

// departure is the end of an interview for a panel. It is the zero value before the end, and in studies without a panel.
type departure struct {
	outcome panel.Outcome
	values  panel.Values
	exit    Exit
}

// outcomeOf returns the outcome of a step for a panel; empty before the end.
func outcomeOf(step interview.Step) panel.Outcome {
	switch {
	case step.QuotaFull != nil:
		return panel.QuotaFull
	case step.Kind == interview.StepComplete:
		return panel.Complete
	case step.Kind == interview.StepScreenedOut:
		return panel.ScreenedOut
	}
	return ""
}

// earlierOf returns the state of a participant's latest interview.
func earlierOf(p store.PanelParticipant) panel.Earlier {
	switch {
	case p.ResponseID == "": // deleted, and remembered
		return panel.EarlierComplete
	case p.Outcome == "":
		return panel.EarlierStarted
	}
	return panel.Earlier(p.Outcome)
}

// mayRepeat reports whether a participant may begin an interview after the latest one.
func mayRepeat(settings *panel.Participant, p store.PanelParticipant) bool {
	return p.ResponseID != "" && settings.MayRepeat(earlierOf(p))
}

// setDeparture sets what the participant takes along if the interview has ended.
func (sess *session) setDeparture(ctx context.Context, view *store.View) (err error) {
	settings := sess.Guide.Config.Panel
	outcome := outcomeOf(sess.State.Next())
	if settings == nil || outcome == "" || sess.preview {
		return nil
	}
	sess.departure, err = departureOf(ctx, view, settings, sess.Response, outcome)
	return err
}

// departureOf returns the end of an interview for a panel.
func departureOf(ctx context.Context, view *store.View, settings *panel.Settings, r response.Response, outcome panel.Outcome) (d departure, err error) {
	salt := ""
	if settings.Code.PerResponse {
		if salt, err = view.PanelSalt(ctx, r.StudyID); err != nil { // the start of the interview has made it
			return d, err
		}
	}
	code := settings.CodeOf(salt, r.ID)
	d = departure{outcome: outcome, values: panel.Values{
		Participant: r.URLParams[settings.Participant.Parameter], Params: r.URLParams, ResponseID: r.ID, Code: code,
	}}
	if outcome == panel.Complete {
		d.exit.Code = code
	}
	d.exit.URL, err = redirect(ctx, view, settings, r.StudyID, outcome, d.values)
	return d, err
}

// depart stores the end of an interview for the panel, in the transaction of the end.
func (sess *session) depart(ctx context.Context, tx *store.Tx) error {
	settings, r := sess.Guide.Config.Panel, sess.Response
	if err := sess.setDeparture(ctx, &tx.View); err != nil || settings == nil {
		return err
	}
	if settings.Participant.Parameter != "" {
		if err := tx.EndPanelParticipant(ctx, r.ID, sess.departure.outcome); err != nil {
			return err
		}
	}
	return tellPanel(ctx, tx, settings, r, sess.departure, true)
}

// redirect returns the address of an outcome; empty if there is none, or if it cannot be signed: the panel would refuse it.
func redirect(ctx context.Context, view *store.View, settings *panel.Settings, studyID string, outcome panel.Outcome, v panel.Values) (string, error) {
	secret := ""
	if settings.Redirects.Addresses[outcome] != "" && settings.Signs(outcome) {
		var err error
		if secret, err = view.Setting(ctx, store.PanelSecret(studyID, panel.RedirectSecret)); err != nil {
			return "", err
		}
	}
	address, err := settings.Redirect(outcome, v, secret)
	if errors.Is(err, panel.ErrNoSecret) || errors.Is(err, panel.ErrNumber) {
		return "", nil
	}
	return address, err
}

// panelSalt returns the salt of a study, and makes it first if there is none.
func (s *Service) panelSalt(ctx context.Context, studyID string) (string, error) {
	if salt, ok := s.salts.Load(studyID); ok {
		return salt.(string), nil
	}
	salt, err := s.Store.View().PanelSalt(ctx, studyID)
	if err == nil && salt == "" {
		err = s.Store.Write(ctx, func(tx *store.Tx) (err error) {
			if err := tx.MakePanelSalt(ctx, studyID, newSalt()); err != nil {
				return err
			}
			salt, err = tx.PanelSalt(ctx, studyID)
			return err
		})
	}
	if err == nil {
		s.salts.Store(studyID, salt)
	}
	return salt, err
}

func newSalt() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}

// admission is a participant who wants to begin an interview of a study that identifies them. The zero value is anybody.
type admission struct {
	settings *panel.Settings
	studyID  string
	value    string // of the identifying parameter
	hash     string
}

// admit checks the query of a study link, and returns who wants to begin; *LinkError.
func (s *Service) admit(ctx context.Context, live study.Study, settings *panel.Settings, query string) (a admission, err error) {
	if settings == nil {
		return a, nil
	}
	params := paramMap(query)
	salt, err := s.panelSalt(ctx, live.ID)
	if err != nil {
		return a, err
	}
	if settings.SignedLinks {
		secret, err := s.Store.View().Setting(ctx, store.PanelSecret(live.ID, panel.LinkSecret))
		if err != nil {
			return a, err
		}
		if name := repeatedParam(query); name != "" {
			return a, &LinkError{Parameter: name, Repeated: true}
		}
		if err := panel.CheckLink(secret, params, s.Store.Now()); err != nil {
			return a, &LinkError{Signature: err}
		}
	}
	identified := &settings.Participant
	if identified.Parameter == "" {
		return a, nil
	}
	value := params[identified.Parameter]
	if value == "" {
		if identified.Optional {
			return a, nil
		}
		return a, &LinkError{Parameter: identified.Parameter}
	}
	return admission{settings: settings, studyID: live.ID, value: value, hash: panel.ParticipantHash(salt, value)}, nil
}

// identified reports whether the participant is known by a parameter.
func (a admission) identified() bool { return a.hash != "" }

// anywhere reports whether the participant may resume an interview by the identifying parameter alone.
func (a admission) anywhere() bool {
	return a.identified() && a.settings.Participant.Resume == panel.ResumeAnywhere
}

// key returns what makes the token of an interview that may be resumed anywhere, from a salt.
func (a admission) key(salt []byte) startKey {
	return startKey{studyID: a.studyID, key: "participant\x00" + a.value, salt: salt}
}

// resume returns the running interview of a participant who may resume it anywhere, and whether there is one.
func (s *Service) resume(ctx context.Context, a admission) (token string, view View, found bool, err error) {
	if !a.anywhere() {
		return "", View{}, false, nil
	}
	p, found, err := s.Store.View().PanelParticipant(ctx, a.studyID, a.hash)
	if err != nil || !found || p.TokenSalt == "" || earlierOf(p) != panel.EarlierStarted || mayRepeat(&a.settings.Participant, p) {
		return "", View{}, false, err
	}
	salt, err := hex.DecodeString(p.TokenSalt)
	if err != nil {
		return "", View{}, false, err
	}
	at, err := beganAt(p.ResponseID)
	if err != nil {
		return "", View{}, false, err
	}
	token = a.key(salt).token(at)
	view, err = s.Current(ctx, token)
	return token, view, err == nil, err
}

// claim notes in the transaction of a start that it is the participant's latest interview; *ParticipatedError if there is an earlier one
// that does not allow it. An earlier one that still runs is abandoned, so that only the latest is paid for.
func (a admission) claim(ctx context.Context, tx *store.Tx, responseID string, tokenSalt []byte) error {
	if !a.identified() {
		return nil
	}
	earlier, found, err := tx.PanelParticipant(ctx, a.studyID, a.hash)
	if err != nil {
		return err
	}
	if found && !mayRepeat(&a.settings.Participant, earlier) {
		return &ParticipatedError{earlierOf(earlier)}
	}
	if found && earlierOf(earlier) == panel.EarlierStarted {
		if err := tx.AbandonForAnother(ctx, earlier.ResponseID); err != nil {
			return err
		}
		if err := tx.ReleasePlaces(ctx, earlier.ResponseID); err != nil {
			return err
		}
		if err := tx.ReleaseHold(ctx, earlier.ResponseID); err != nil && !errors.Is(err, wallet.ErrNoHold) {
			return err
		}
		if err := webhooks.EmitAbandoned(ctx, tx, earlier.ResponseID); err != nil {
			return err
		}
	}
	p := store.PanelParticipant{StudyID: a.studyID, Hash: a.hash, ResponseID: responseID, Remember: a.settings.Participant.RememberDeleted}
	if a.anywhere() {
		p.TokenSalt = hex.EncodeToString(tokenSalt)
	}
	return tx.SavePanelParticipant(ctx, p)
}

// checkLatest returns response.ErrGone if the participant of an abandoned interview has begun another one since.
func (s *Service) checkLatest(ctx context.Context, tx *store.Tx, sess *session) error {
	settings := sess.Guide.Config.Panel
	if settings == nil {
		return nil
	}
	value := sess.Response.URLParams[settings.Participant.Parameter]
	if settings.Participant.Parameter == "" || value == "" {
		return nil
	}
	salt, err := tx.PanelSalt(ctx, sess.Response.StudyID)
	if err != nil || salt == "" { // the study identified nobody when the interview began
		return err
	}
	latest, found, err := tx.PanelParticipant(ctx, sess.Response.StudyID, panel.ParticipantHash(salt, value))
	if err == nil && found && latest.ResponseID != sess.Response.ID {
		err = response.ErrGone
	}
	return err
}

// CheckLink returns the error with which a start from the study link would be refused because of its parameters: ErrLink, or
// *ParticipatedError if the participant has ended an interview. One that still runs may be resumed by its token.
func (s *Service) CheckLink(ctx context.Context, linkID, query string) (err error) {
	defer operation.Wrap(&err, "fieldwork.CheckLink")
	landing, err := s.visit(ctx, linkID, query)
	if err != nil || landing.Preview {
		return err
	}
	a, err := s.admit(ctx, landing.study, landing.Guide.Config.Panel, query)
	if err != nil || !a.identified() {
		return err
	}
	p, found, err := s.Store.View().PanelParticipant(ctx, a.studyID, a.hash)
	if err != nil || !found || mayRepeat(&a.settings.Participant, p) || earlierOf(p) == panel.EarlierStarted {
		return err
	}
	return &ParticipatedError{earlierOf(p)}
}

// LinkExit returns where a study sends a visitor of its link who cannot begin: outcome is panel.Closed or panel.QuotaFull. It is the zero
// value if the study says nothing of that, or was never launched.
func (s *Service) LinkExit(ctx context.Context, linkID, query string, outcome panel.Outcome) (_ Exit, err error) {
	defer operation.Wrap(&err, "fieldwork.LinkExit")
	closed, err := s.Store.View().PublicStudy(ctx, linkID)
	if errors.Is(err, study.ErrNotFound) || err == nil && closed.PublishedRevision == 0 {
		return Exit{}, nil
	}
	if err != nil {
		return Exit{}, err
	}
	compiled, err := s.Interviews.CompiledGuide(ctx, s.Store.View(), closed.OrgID, closed.ID, closed.PublishedRevision)
	if err != nil || compiled.Guide.Config.Panel == nil {
		return Exit{}, err
	}
	settings, params := compiled.Guide.Config.Panel, paramMap(query)
	if _, err := s.admit(ctx, closed, settings, query); err != nil {
		if errors.Is(err, ErrLink) {
			err = nil
		}
		return Exit{}, err
	}
	address, err := redirect(ctx, s.Store.View(), settings, closed.ID, outcome, panel.Values{Participant: params[settings.Participant.Parameter], Params: params})
	return Exit{URL: address}, err
}

// tellPanel stores the message that tells the panel's server of the end of an interview, and enqueues its delivery. For a response that is
// being deleted, kept is false: then nothing of the message refers to it.
func tellPanel(ctx context.Context, tx *store.Tx, settings *panel.Settings, r response.Response, d departure, kept bool) error {
	if !settings.Sends(d.outcome) {
		return nil
	}
	message, err := settings.Message(d.outcome, d.values, panel.Facts{StudyID: r.StudyID, At: tx.Now()})
	if err != nil {
		return err
	}
	delivery := store.PanelDelivery{
		StudyID: r.StudyID, OrgID: r.OrgID, ResponseID: r.ID, Key: r.ID + "." + string(d.outcome), Outcome: d.outcome, Message: message,
	}
	if !kept {
		delivery.ResponseID = ""
	}
	id, err := tx.AddPanelDelivery(ctx, delivery)
	if err != nil || id == "" {
		return err
	}
	return jobs.Enqueue(ctx, tx, jobs.PostbackArgs{DeliveryID: id, ResponseID: delivery.ResponseID, OrgID: r.OrgID})
}
