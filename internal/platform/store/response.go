package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math/bits"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
)

// StartResponse adds a running interview with the study's next readable id; study.ErrNotFound. The caller sets the id and the
// seed.
func (tx *Tx) StartResponse(ctx context.Context, r response.Response, tokenHash string) (response.Response, error) {
	r.Progress, r.CreatedAt, r.UpdatedAt = response.InProgress, tx.at, tx.at
	p := &updateTime{}
	if err := tx.get(ctx, []any{&r.ReadableID, nullTime{&p.at}}, `update study set last_readable_id = last_readable_id + 1, `+tick+` where id = $2
		returning last_readable_id, item_clock`, micros(tx.at), r.StudyID); err != nil {
		return response.Response{}, noRowsAs(err, study.ErrNotFound)
	}
	tx.locks.add(r.StudyID, r.ID, p)
	return r, tx.addResponse(ctx, r, tokenHash)
}

// StartInterview is StartResponse for an interview that SaveInterview stores in the same transaction. readableID points to
// its number once Write has returned; until then the number of r is 0.
func (tx *Tx) StartInterview(ctx context.Context, r response.Response, tokenHash string) (_ response.Response, readableID *int, err error) {
	r.Progress, r.CreatedAt, r.UpdatedAt, r.ReadableID = response.InProgress, tx.at, tx.at, 0
	p, readableID := &updateTime{}, new(int)
	if err := tx.getLater(ctx, []string{"last_readable_id", "item_clock"}, []any{readableID, nullTime{&p.at}},
		`update study set last_readable_id = last_readable_id + 1, `+tick+` where id = $2`, micros(tx.at), r.StudyID); err != nil {
		return response.Response{}, nil, noRowsAs(err, study.ErrNotFound)
	}
	tx.locks.add(r.StudyID, r.ID, p)
	tx.locks.started = r.ID
	tx.allowBatch(r.StudyID)
	return r, readableID, tx.addResponse(ctx, r, tokenHash)
}

// addResponse inserts a response with the last number that its study assigned.
func (tx *Tx) addResponse(ctx context.Context, r response.Response, tokenHash string) error {
	params, err := json.Marshal(r.URLParams)
	if err != nil {
		return err
	}
	if err := tx.run(ctx, `insert into response (id, org_id, study_id, revision, readable_id, token_hash, seed, language, url_params,
			progress, created_at, updated_at, active_at, disclosed_at, consented_at)
		select $1, $2, id, $3, last_readable_id, $4, $5, $6, $7, $8, $9, $9, $9, $10, $11
		from study
		where id = $12`,
		r.ID, r.OrgID, r.Revision, tokenHash, int64(r.Seed), r.Language, string(params),
		r.Progress, micros(r.CreatedAt), micros(r.DisclosedAt), micros(r.ConsentedAt), r.StudyID); err != nil {
		return err
	}
	for name, value := range r.VisibleParams() {
		if err := tx.run(ctx, `insert into url_param (org_id, name, value, created_at, response_id, hidden, study_id, readable_id)
			select $1, $2, $3, $4, $5, false, id, last_readable_id
			from study
			where id = $6`,
			r.OrgID, searchKey(name), searchKey(value), micros(r.CreatedAt), r.ID, r.StudyID); err != nil {
			return err
		}
	}
	return nil
}

const selectResponse = `select r.id, r.org_id, r.study_id, r.revision, r.readable_id, r.seed, r.language, r.url_params, r.progress,
	r.abandoned, r.hidden, r.turn_count, r.duration_us, r.created_at, r.updated_at, r.ended_at, r.disclosed_at, r.consented_at, r.consent_hash`

func scanResponse(row scanner, more ...any) (r response.Response, err error) {
	var seed, micro int64
	var params string
	dest := []any{
		&r.ID, &r.OrgID, &r.StudyID, &r.Revision, &r.ReadableID, &seed, &r.Language, &params, &r.Progress,
		&r.Abandoned, &r.Hidden, &r.TurnCount, &micro,
		nullTime{&r.CreatedAt},
		nullTime{&r.UpdatedAt},
		nullTime{&r.EndedAt},
		nullTime{&r.DisclosedAt},
		nullTime{&r.ConsentedAt},
		&r.ConsentHash,
	}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return response.Response{}, err
	}
	r.Seed, r.Duration = uint64(seed), time.Duration(micro)*time.Microsecond
	return r, json.Unmarshal([]byte(params), &r.URLParams)
}

// ParticipantResponse finds a response by its id, for a participant with a token, and returns the hash of its token for the
// caller to compare. response.ErrGone when it was deleted, response.ErrNotFound when there never was one.
func (v *View) ParticipantResponse(ctx context.Context, id string) (r response.Response, tokenHash string, err error) {
	var deleted sql.NullInt64
	r, err = scanResponse(v.q.QueryRowContext(ctx, selectResponse+`, r.token_hash, r.deleted_at from response r where r.id = $1`, id), &tokenHash, &deleted)
	if err == nil && !deleted.Valid {
		return r, tokenHash, nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return response.Response{}, "", err
	}
	var gone bool
	if err := v.q.QueryRowContext(ctx, `select exists (select 1 from deletion where response_id = $1)`, id).Scan(&gone); err != nil {
		return response.Response{}, "", err
	}
	if gone {
		return response.Response{}, "", response.ErrGone
	}
	return response.Response{}, "", response.ErrNotFound
}

// selectInterview selects a response with each of its turns. The URL parameters, which may be long, come with the first turn
// only.
var selectInterview = strings.Replace(selectResponse, "r.url_params", "case coalesce(t.seq, 0) when 0 then r.url_params else '{}' end", 1) + `,
	r.token_hash, r.deleted_at, t.seq, coalesce(t.step_id, ''), coalesce(t.kind, ''), coalesce(t.item_id, ''), coalesce(t.concept_id, ''),
	coalesce(t.screen, 0), coalesce(t.body, '{}'), t.created_at, t.heard
	from response r left join turn t on t.response_id = r.id where r.id = $1 order by t.seq`

// Interview is ParticipantResponse with the log, in one query.
func (v *View) Interview(ctx context.Context, id string) (r response.Response, tokenHash string, turns []interview.Turn, err error) {
	rows, err := v.q.QueryContext(ctx, selectInterview, id)
	if err != nil {
		return r, "", nil, err
	}
	defer rows.Close()
	var deleted, seq sql.NullInt64
	for n := 0; rows.Next(); n++ {
		var one response.Response
		turn, scanErr := scanTurn(turnRow(func(dest []any) (err error) {
			one, err = scanResponse(rows, append([]any{&tokenHash, &deleted, &seq}, dest...)...)
			return err
		}))
		if scanErr != nil {
			return r, "", nil, scanErr
		}
		if n == 0 {
			r = one
		}
		if seq.Valid {
			turns = append(turns, turn)
		}
	}
	if err := rows.Err(); err != nil {
		return r, "", nil, err
	}
	if r.ID == "" || deleted.Valid {
		_, _, err := v.ParticipantResponse(ctx, id) // returns which of the two errors it is
		if err == nil {
			err = response.ErrNotFound // it did not exist a moment ago
		}
		return response.Response{}, "", nil, err
	}
	return r, tokenHash, turns, nil
}

// turnRow scans the part of a row that holds a turn.
type turnRow func(dest []any) error

// Scan implements scanner.
func (r turnRow) Scan(dest ...any) error { return r(dest) }

// Response finds a response of the organization; response.ErrNotFound, also for one that is being deleted.
func (v *View) Response(ctx context.Context, orgID, id string) (response.Response, error) {
	r, err := scanResponse(v.q.QueryRowContext(ctx, selectResponse+` from response r
		where r.id = $1 and r.org_id = $2 and r.deleted_at is null`, id, orgID))
	return r, noRowsAs(err, response.ErrNotFound)
}

// AnyResponse finds a response in any organization, for jobs; response.ErrNotFound, also for one that is being deleted.
func (v *View) AnyResponse(ctx context.Context, id string) (response.Response, error) {
	r, err := scanResponse(v.q.QueryRowContext(ctx, selectResponse+` from response r where r.id = $1 and r.deleted_at is null`, id))
	return r, noRowsAs(err, response.ErrNotFound)
}

// TurnCounts returns the lengths of the logs of responses. Deleted and unknown ones are left out.
func (v *View) TurnCounts(ctx context.Context, ids []string) (map[string]int, error) {
	counts := make(map[string]int, len(ids))
	padded := make([]string, 1<<bits.Len(uint(max(len(ids), 1)-1))) // padded with empty ids to a power of two, so that there are few statements to keep
	copy(padded, ids)
	_, err := collect(ctx, v, func(r scanner) (id string, err error) {
		var count int
		err = r.Scan(&id, &count)
		counts[id] = count
		return id, err
	}, `select id, turn_count from response where deleted_at is null and id in `+v.d.placeholders(1, len(padded)), anySlice(padded)...)
	return counts, err
}

// SaveProgress stores an interview's progress, abandonment, duration and times. activeAt is the time of the participant's
// last action, from which idleness is measured.
func (tx *Tx) SaveProgress(ctx context.Context, r response.Response, activeAt time.Time) error {
	return tx.run(ctx, `update response
		set progress = $1, abandoned = $2, duration_us = $3, updated_at = $4, active_at = $5, ended_at = $6
		where id = $7 and deleted_at is null`, r.Progress, r.Abandoned, r.Duration.Microseconds(), micros(r.UpdatedAt), micros(activeAt), micros(r.EndedAt), r.ID)
}

// SaveInterview stores an interview's progress, as SaveProgress does, and its documents, under the next update time of its
// study (see NextUpdate). updatedAt points to that time once Write has returned; the time in src is not read.
// response.ErrGone once the response is deleted.
func (tx *Tx) SaveInterview(ctx context.Context, src document.Source, activeAt time.Time) (updatedAt *time.Time, err error) {
	r := &src.Response
	p, err := tx.unusedTime(ctx, r.StudyID)
	if err != nil {
		return nil, err
	}
	if err := tx.run(ctx, `update response
		set progress = $1, abandoned = $2, duration_us = $3, active_at = $4, ended_at = $5, updated_at = study.item_clock
		from study
		where study.id = response.study_id and response.id = $6 and response.deleted_at is null`,
		r.Progress, r.Abandoned, r.Duration.Microseconds(), micros(activeAt), micros(r.EndedAt), r.ID); err != nil {
		return nil, err
	}
	it := documentItem(src)
	before, after := document.AroundUpdate(it.List)
	if tx.locks.started == r.ID {
		return &p.at, tx.startItem(ctx, it, before, after)
	}
	analysed := itemCounts{}
	if it.Analysed && !it.Hidden {
		analysed.analysed = 1
	}
	same, err := tx.expect(ctx, `update response_item set analysed = $9, version = $1, list_item = $2 || `+tx.d.timeText("study.item_clock")+` || $3,
			single_item = $4, list_bytes = $5, updated_at = study.item_clock
		from study where study.id = response_item.study_id and response_item.study_id = $6 and readable_id = $7 and hidden = $8 and not analysed`,
		it.Version, string(before), string(after), string(it.Single), len(it.List), it.StudyID, it.ReadableID, it.Hidden, it.Analysed)
	if err != nil {
		return nil, err
	}
	if same { // the usual case
		return &p.at, tx.addItemCounts(ctx, it.StudyID, it.ReadableID, analysed)
	}
	r.UpdatedAt = p.at
	return &p.at, tx.PutDocument(ctx, src)
}

// CountCompleted adds to a study's count of completed responses.
func (tx *Tx) CountCompleted(ctx context.Context, studyID string, by int) error {
	return tx.run(ctx, `update study set completed_count = completed_count + $1 where id = $2`, by, studyID)
}

// HideResponse shows or hides a response; response.ErrNotFound. Hidden ones are left out of lists, counts and searches.
func (tx *Tx) HideResponse(ctx context.Context, orgID, id string, hidden bool) error {
	if err := tx.lockStudyOfID(ctx, id); err != nil {
		return err
	}
	r, err := tx.Response(ctx, orgID, id)
	if err != nil || r.Hidden == hidden {
		return err
	}
	for _, statement := range []string{
		`update response set hidden = $1 where id = $2`,
		`update url_param set hidden = $1 where response_id = $2`,
		`update quota_place set hidden = $1 where response_id = $2`,
	} {
		if _, err := tx.exec(ctx, statement, hidden, id); err != nil {
			return err
		}
	}
	if err := tx.hideItem(ctx, id, hidden); err != nil {
		return err
	}
	if r.Progress != response.Complete {
		return nil
	}
	by := 1
	if hidden {
		by = -1
	}
	return tx.CountCompleted(ctx, r.StudyID, by)
}

// IdleResponse is a running interview whose participant is idle.
type IdleResponse struct{ ID, OrgID string }

// IdleResponses lists running interviews that were last active before a time, the longest idle first.
func (v *View) IdleResponses(ctx context.Context, before time.Time, limit int) ([]IdleResponse, error) {
	return collect(ctx, v, func(r scanner) (idle IdleResponse, err error) {
		return idle, r.Scan(&idle.ID, &idle.OrgID)
	}, `select id, org_id
		from response
		where ended_at is null and not abandoned and deleted_at is null and active_at < $1
		order by active_at
		limit $2`, micros(before), limit)
}

// UnansweredResponses lists those of them that have no answer yet.
func (v *View) UnansweredResponses(ctx context.Context, before time.Time, limit int) ([]IdleResponse, error) {
	return collect(ctx, v, func(r scanner) (idle IdleResponse, err error) {
		return idle, r.Scan(&idle.ID, &idle.OrgID)
	}, `select id, org_id
		from response
		where ended_at is null and not abandoned and deleted_at is null and not answered and active_at < $1
		order by active_at
		limit $2`, micros(before), limit)
}

// YieldingResponse returns the interview whose held credits may be given to another participant. Of the running interviews
// for which this wallet holds credits of this organization, those without an answer come first, then the longest idle. It
// returns "" if each was active after its limit: unansweredBefore for interviews without an answer, before for the others.
func (v *View) YieldingResponse(ctx context.Context, walletID, orgID string, before, unansweredBefore time.Time) (id string, err error) {
	err = v.q.QueryRowContext(ctx, `select r.id
		from response r
		join hold h on h.response_id = r.id
		where r.org_id = $1 and (r.active_at < $2 or not r.answered and r.active_at < $3) and r.ended_at is null and not r.abandoned
			and r.deleted_at is null and h.wallet_id = $4 and h.org_id = $1 and h.state = 'active'
		order by r.answered, r.active_at
		limit 1`, orgID, micros(before), micros(unansweredBefore), walletID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// OpenInterviews counts the running interviews that are not abandoned, with an index of just those.
func (v *View) OpenInterviews(ctx context.Context) (n int, err error) {
	err = v.q.QueryRowContext(ctx, `select count(*) from response where ended_at is null and not abandoned and deleted_at is null`).Scan(&n)
	return n, err
}

// AbandonResponse marks a running interview as abandoned, so that IdleResponses no longer lists it, and reports whether it
// did. It leaves the response alone if the interview has ended, or if the participant was active after its limit:
// unansweredBefore for an interview without an answer, before for any other.
func (tx *Tx) AbandonResponse(ctx context.Context, id string, before, unansweredBefore time.Time) (abandoned bool, err error) {
	if err := tx.lockStudyOfID(ctx, id); err != nil {
		return false, err
	}
	n, err := tx.exec(ctx, `update response
		set abandoned = true
		where id = $1 and (active_at < $2 or not answered and active_at < $3) and ended_at is null and not abandoned
			and deleted_at is null`,
		id, micros(before), micros(unansweredBefore))
	return n > 0, err
}

// LeaseFollowUp lets only the caller ask the moderator for the turn that follows the first seq ones, until a time, so that a
// model is paid once for it. own is false while another caller has the lease, or when the log has grown. replaces reports
// that another caller had the lease before and stored nothing in its time.
func (tx *Tx) LeaseFollowUp(ctx context.Context, responseID string, seq int, until time.Time) (own, replaces bool, err error) {
	n, err := tx.exec(ctx, `update response
		set asked_seq = $1, asked_until = $2
		where id = $3 and turn_count = $1 and asked_seq <> $1 and deleted_at is null`, seq, micros(until), responseID)
	if err != nil || n > 0 {
		return n > 0, false, err
	}
	n, err = tx.exec(ctx, `update response
		set asked_until = $2
		where id = $3 and turn_count = $1 and asked_seq = $1 and asked_until <= $4 and deleted_at is null`, seq, micros(until), responseID, micros(tx.at))
	return n > 0, n > 0, err
}

// FollowUpLease reports whether the lease of the turn that follows the first seq ones is free: nobody has it, and the log has
// not grown. It spares waiting callers a write.
func (v *View) FollowUpLease(ctx context.Context, responseID string, seq int) (free bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from response
		where id = $1 and turn_count = $2 and (asked_seq <> $2 or asked_until <= $3))`, responseID, seq, micros(v.now())).Scan(&free)
	return free, err
}

// turnBody is the stored form of the parts of a turn that have no columns.
type turnBody struct {
	Text       string            `json:"text,omitempty"`
	Selected   []string          `json:"selected,omitempty"`
	CustomText string            `json:"customText,omitempty"`
	Ranking    []string          `json:"ranking,omitempty"`
	Cells      map[string]string `json:"cells,omitempty"`
	Best       string            `json:"best,omitempty"`
	Worst      string            `json:"worst,omitempty"`
	Uploads    []string          `json:"uploads,omitempty"`
	FileNames  []string          `json:"fileNames,omitempty"`
	Audio      string            `json:"audio,omitempty"`
	Video      string            `json:"video,omitempty"`
	Screen     string            `json:"screenVideo,omitempty"`
	Probe      string            `json:"probe,omitempty"`
	Provider   string            `json:"provider,omitempty"`
	Decided    bool              `json:"decided,omitempty"`
	Telemetry  *telemetryBody    `json:"telemetry,omitempty"`
	QuotaFull  *cellBody         `json:"quotaFull,omitempty"`
	Consent    string            `json:"consent,omitempty"`
}

type cellBody struct {
	Quota string `json:"quota"`
	Cell  string `json:"cell"`
}

type telemetryBody struct {
	Pasted  int `json:"pasted"`
	Typed   int `json:"typed"`
	Seconds int `json:"seconds"`
	Blurs   int `json:"blurs"`
}

// AppendTurn appends the turn that follows the first seq ones; response.ErrMoved when the log is longer or the response is
// being deleted.
func (tx *Tx) AppendTurn(ctx context.Context, responseID string, seq int, t interview.Turn) error {
	if err := tx.lockStudyOfID(ctx, responseID); err != nil {
		return err
	}
	same, err := tx.expect(ctx, `update response
		set turn_count = turn_count + 1, answered = answered or $3
		where id = $1 and turn_count = $2 and deleted_at is null`, responseID, seq, answers(t))
	if err != nil {
		return err
	}
	if !same {
		return response.ErrMoved
	}
	return tx.addTurn(ctx, responseID, seq, t)
}

// AppendTurns appends turns to the first was.TurnCount ones of a response that is as it was read; response.ErrMoved when its
// log is longer, when it was updated, hidden, shown or abandoned since, and when it is being deleted.
func (tx *Tx) AppendTurns(ctx context.Context, was response.Response, turns ...interview.Turn) error {
	if err := tx.lockStudyOfRead(ctx, was); err != nil {
		return err
	}
	tx.allowBatch(was.StudyID)
	same, err := tx.expect(ctx, `update response
		set turn_count = turn_count + $3, answered = answered or $4
		where id = $1 and turn_count = $2 and updated_at = $5 and hidden = $6 and abandoned = $7 and deleted_at is null`,
		was.ID, was.TurnCount, len(turns), slices.ContainsFunc(turns, answers), micros(was.UpdatedAt), was.Hidden, was.Abandoned)
	if err != nil {
		return err
	}
	if !same {
		return response.ErrMoved
	}
	for i, t := range turns {
		if err := tx.addTurn(ctx, was.ID, was.TurnCount+i, t); err != nil {
			return err
		}
	}
	return nil
}

// Unchanged locks the study of a response; response.ErrMoved if the response is not as it was read, see AppendTurns.
func (tx *Tx) Unchanged(ctx context.Context, was response.Response) error {
	return tx.AppendTurns(ctx, was)
}

// answers reports whether a turn is a participant's answer.
func answers(t interview.Turn) bool {
	return t.Kind == interview.TurnAnswer || t.Kind == interview.TurnReply
}

func (tx *Tx) addTurn(ctx context.Context, responseID string, seq int, t interview.Turn) error {
	body, err := json.Marshal(bodyOf(&t))
	if err != nil {
		return err
	}
	return tx.run(ctx, `insert into turn (response_id, seq, step_id, kind, item_id, concept_id, screen, body, created_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, responseID, seq, t.StepID, t.Kind, t.ItemID, t.ConceptID, t.Screen, string(body), micros(t.At))
}

// bodyOf returns what of a turn is stored as JSON.
func bodyOf(t *interview.Turn) turnBody {
	a := &t.Answer
	return turnBody{
		Text: a.Text, Selected: a.Selected, CustomText: a.CustomText, Ranking: a.Ranking, Cells: a.Cells, Best: a.Best, Worst: a.Worst,
		Uploads: a.Uploads, FileNames: a.FileNames, Audio: a.Recordings.Audio, Video: a.Recordings.Video, Screen: a.Recordings.ScreenVideo,
		Probe: t.Probe, Provider: t.Provider, Decided: t.Decided, Telemetry: (*telemetryBody)(a.Telemetry), QuotaFull: (*cellBody)(t.QuotaFull),
		Consent: t.Consent,
	}
}

// fill is the reverse of bodyOf.
func (b *turnBody) fill(t *interview.Turn) {
	t.Probe, t.Provider, t.Decided, t.QuotaFull, t.Consent = b.Probe, b.Provider, b.Decided, (*guide.CellRef)(b.QuotaFull), b.Consent
	t.Answer = interview.Answer{
		Text: b.Text, Selected: b.Selected, CustomText: b.CustomText, Ranking: b.Ranking, Cells: b.Cells, Best: b.Best, Worst: b.Worst,
		Uploads: b.Uploads, FileNames: b.FileNames, Recordings: interview.Recordings{Audio: b.Audio, Video: b.Video, ScreenVideo: b.Screen},
		Telemetry: (*interview.Telemetry)(b.Telemetry),
	}
}

// Turns returns an interview's log in order. The text of an answer that was given by a recording alone is its transcript.
func (v *View) Turns(ctx context.Context, responseID string) ([]interview.Turn, error) {
	return collect(ctx, v, func(r scanner) (interview.Turn, error) { return scanTurn(r) },
		selectTurn+` from turn where response_id = $1 order by seq`, responseID)
}

const selectTurn = `select step_id, kind, item_id, concept_id, screen, body, created_at, heard`

func scanTurn(row scanner, more ...any) (t interview.Turn, err error) {
	var raw []byte
	var transcribed string
	dest := []any{&t.StepID, &t.Kind, &t.ItemID, &t.ConceptID, &t.Screen, &raw, nullTime{&t.At}, nullText{&transcribed}}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return t, err
	}
	var b turnBody
	if err := json.Unmarshal(raw, &b); err != nil {
		return t, err
	}
	if transcribed != "" { // then nothing was typed, see TranscribeTurn
		b.Text = transcribed
	}
	b.fill(&t)
	return t, nil
}
