package maintenance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/interviewlog"
	"verbatim/internal/service/moderator"
)

// ErrNoLog means that a response was interviewed elsewhere, so nothing can be replayed.
var ErrNoLog = errors.New("the response was imported: it has no log")

// Replayed is an interview that was rebuilt from its log.
type Replayed struct {
	Response    response.Response
	Turns       int
	FollowUps   int
	Unlogged    int    // moderator turns from before decisions were stored
	List        string // SHA-256 of the rebuilt v1 list item, in hexadecimal; empty if the log cannot be replayed
	Single      string // SHA-256 of the rebuilt v1 single response
	Lines       []Line
	Differences []string // where the rebuilt interview differs from the stored one, the first one first
}

// Line is a turn of the moderator's with the participant's words. Decision is nil except for follow-ups whose decision is known.
type Line struct {
	interview.Exchange
	Decision *interview.Decision
}

// Replayer replays responses of one store. It is not safe for concurrent use.
type Replayer struct {
	view       *store.View
	interviews interviewlog.Loader
}

// NewReplayer returns a Replayer that reads what is committed. A server may run at the same time.
func NewReplayer(s *store.Store) *Replayer {
	return &Replayer{view: s.View()}
}

// Replay rebuilds an interview from its log, with every turn checked by the engine. It makes the documents again and compares
// them with the stored ones, and compares every turn of the moderator's with its decision. Errors: response.ErrNotFound,
// ErrNoLog.
func (p *Replayer) Replay(ctx context.Context, responseID string) (_ Replayed, err error) {
	defer operation.Wrap(&err, "maintenance.Replayer.Replay")
	for {
		before, err := p.view.AnyResponse(ctx, responseID)
		if err != nil {
			return Replayed{}, err
		}
		done, err := p.replay(ctx, before)
		if err != nil {
			return Replayed{}, err
		}
		after, err := p.view.AnyResponse(ctx, responseID)
		if err != nil {
			return Replayed{}, err
		}
		if sameState(before, after) {
			return done, nil
		} // the interview went on meanwhile
	}
}

// ReplayedStudy counts what was replayed of a study.
type ReplayedStudy struct {
	Responses int
	Turns     int
	FollowUps int
	Unlogged  int
	Differing []Replayed // the responses with differences, without their lines
}

// ReplayStudy replays all responses of a study, except those that are deleted meanwhile. It calls progress before each.
func (p *Replayer) ReplayStudy(ctx context.Context, studyID string, progress func(n, total int)) (study ReplayedStudy, err error) {
	defer operation.Wrap(&err, "maintenance.Replayer.ReplayStudy")
	ids, err := p.view.ResponseIDs(ctx, studyID)
	if err != nil {
		return study, err
	}
	for i, id := range ids {
		progress(i+1, len(ids))
		done, err := p.Replay(ctx, id)
		if errors.Is(err, response.ErrNotFound) {
			continue
		}
		if err != nil {
			return study, err
		}
		study.Responses++
		study.Turns += done.Turns
		study.FollowUps += done.FollowUps
		study.Unlogged += done.Unlogged
		if len(done.Differences) > 0 {
			done.Lines = nil
			study.Differing = append(study.Differing, done)
		}
	}
	return study, nil
}

func (p *Replayer) replay(ctx context.Context, r response.Response) (Replayed, error) {
	done := Replayed{Response: r}
	imported, err := p.view.ImportedItem(ctx, r.ID)
	if err != nil {
		return done, err
	}
	if imported != nil {
		return done, ErrNoLog
	}
	compiled, err := p.interviews.CompiledGuide(ctx, p.view, r.OrgID, r.StudyID, r.Revision)
	if err != nil {
		return done, err
	}
	turns, err := p.view.Turns(ctx, r.ID)
	if err != nil {
		return done, err
	}
	decisions, err := p.view.Decisions(ctx, r.ID)
	if err != nil {
		return done, err
	}
	done.Turns = len(turns)
	if len(turns) != r.TurnCount {
		done.differs("the log has %d turns, the response counts %d", len(turns), r.TurnCount)
	}
	iv, err := compiled.Replay(r, turns)
	if err != nil {
		done.differs("%v", err)
		return done, nil
	}
	if end := progressOf(iv.State.Next().Kind); end != r.Progress {
		done.differs("the log ends as %s, the response is %s", end, r.Progress)
	}
	asked := done.compare(turns, decisions)
	for _, e := range iv.State.Exchanges() {
		line := Line{Exchange: e}
		if e.FollowUp {
			line.Decision, asked = asked[0], asked[1:]
		}
		done.Lines = append(done.Lines, line)
	}
	analysis, err := p.view.Analysis(ctx, r.ID)
	if err != nil {
		return done, err
	}
	stored, err := p.view.ItemByResponse(ctx, r.StudyID, r.ID)
	if errors.Is(err, response.ErrNotFound) {
		done.differs("no documents are stored")
		return done, nil
	}
	if err != nil {
		return done, err
	}
	src := iv.Source(analysis)
	done.List, done.Single = digest(document.ListItem(src)), digest(document.Single(src))
	switch {
	case stored.Version != document.Version:
		done.differs("the documents are of version %d and this program makes version %d; run: verbatim rebuild", stored.Version, document.Version)
	case digest(stored.List) != done.List:
		done.differs("the list item is stored as %s and is rebuilt as %s", digest(stored.List), done.List)
	case digest(stored.Single) != done.Single:
		done.differs("the single response is stored as %s and is rebuilt as %s", digest(stored.Single), done.Single)
	}
	return done, nil
}

// compare compares the moderator's turns with their decisions. It returns the decisions of the follow-ups in order, with nil
// where there is none.
func (d *Replayed) compare(turns []interview.Turn, decisions map[int]interview.Decision) (asked []*interview.Decision) {
	for seq, turn := range turns {
		decision, logged := decisions[seq]
		moderators := turn.Kind == interview.TurnProbe || turn.Kind == interview.TurnDecline
		switch {
		case !moderators && logged:
			d.differs("turn %d (%s, step %q) has a decision and is not the moderator's", seq+1, turn.Kind, turn.StepID)
		case !moderators:
		case !logged && turn.Decided:
			d.differs("turn %d (%s, step %q): its decision is missing", seq+1, turn.Kind, turn.StepID)
		case !logged:
			d.Unlogged++
		case decision.Words != turn.Probe:
			d.differs("turn %d (%s, step %q): the participant read %q, the decision says %q", seq+1, turn.Kind, turn.StepID, turn.Probe, decision.Words)
		case decision.Source() != turn.Provider:
			d.differs("turn %d (%s, step %q): its source is %q, its decision's is %q", seq+1, turn.Kind, turn.StepID, turn.Provider, decision.Source())
		default:
			if changed := changedIn(&decision); changed != "" {
				d.differs("turn %d (%s, step %q): %s", seq+1, turn.Kind, turn.StepID, changed)
			}
		}
		if turn.Kind == interview.TurnProbe {
			d.FollowUps++
			var of *interview.Decision
			if logged {
				of = &decision
			}
			asked = append(asked, of)
		}
	}
	for _, seq := range slices.Sorted(maps.Keys(decisions)) {
		if seq >= len(turns) {
			d.differs("a decision is stored for turn %d, but the log has %d turns", seq+1, len(turns))
		}
	}
	return asked
}

// changedIn returns what of a decision does not agree with itself: a decision takes the kind and the reason of the attempt that it accepts,
// and the hash of a prompt follows from its name.
func changedIn(d *interview.Decision) string {
	if hash, known := moderator.PromptHash(d.Prompt); known && hash != d.PromptHash {
		return fmt.Sprintf("the hash of %s is %q, its decision has %q", d.Prompt, hash, d.PromptHash)
	}
	if d.Fallback != "" || len(d.Attempts) == 0 {
		return ""
	}
	accepted := &d.Attempts[len(d.Attempts)-1]
	switch {
	case len(accepted.Violations) > 0: // none was accepted
	case accepted.Reason != d.Reason:
		return fmt.Sprintf("the accepted attempt gives the reason %q, the decision says %q", accepted.Reason, d.Reason)
	case accepted.Words != d.Words || accepted.Kind != d.Kind:
		return fmt.Sprintf("the accepted attempt asks %q (%s), the decision says %q (%s)", accepted.Words, accepted.Kind, d.Words, d.Kind)
	}
	return ""
}

func (d *Replayed) differs(format string, args ...any) {
	d.Differences = append(d.Differences, fmt.Sprintf(format, args...))
}

// progressOf returns the progress of a response whose interview stands at a step of this kind.
func progressOf(kind interview.StepKind) response.Progress {
	switch kind {
	case interview.StepComplete:
		return response.Complete
	case interview.StepScreenedOut:
		return response.ScreenedOut
	}
	return response.InProgress
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
