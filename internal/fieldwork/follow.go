package fieldwork

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"verbatim/internal/interview"
	"verbatim/internal/response"
)

// Words are those of a follow-up while the moderator writes it, as far as it goes. The step that comes takes their place.
type Words struct {
	After string // id of the step whose answer is followed up
	Text  string
}

// News is what has changed in an interview. One of its fields is set.
type News struct {
	Words *Words
	View  *View // where it stands now
	Gone  bool  // its response was deleted
}

// Bounds of those who follow.
const (
	maxFollowers    = 10_000 // on this node
	maxPerInterview = 8
)

// Errors of Follow.
var (
	ErrCrowded       = errors.New("too many follow interviews on this node")
	ErrCrowdedByThis = errors.New("too many follow this interview")
)

// Follower learns what changes in one interview. It keeps no list: who comes late learns the last, so that nobody who
// publishes waits, and a slow reader costs nothing. Close it.
type Follower struct {
	Changed chan struct{} // has a value when News may have something

	of         *followers
	responseID string
	token      string
	seen       int    // turns of the last view given
	text       string // last words given
}

// Follow begins to follow an interview. seen is the number of turns of the view that the follower has, or negative: then
// the first news is where the interview stands, unless a follow-up is being written there.
//
// Errors: response.ErrNotFound, response.ErrGone, ErrCrowded, ErrCrowdedByThis.
func (s *Service) Follow(ctx context.Context, token string, seen int) (*Follower, error) {
	id, _, err := readToken(token)
	if err != nil {
		return nil, err
	}
	f := &Follower{Changed: make(chan struct{}, 1), of: &s.followers, responseID: id, token: token, seen: seen}
	if err := s.followers.join(f); err != nil {
		return nil, err
	}
	it, err := s.read(ctx, token) // after joining: what happens from now on is heard
	if err != nil {
		f.Close()
		return nil, err
	}
	if it.state.Next().Kind != interview.StepProbe {
		s.followers.moved(it.view())
	}
	return f, nil
}

// News gives what is new since the last call; false when nothing is.
func (f *Follower) News() (News, bool) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	t := f.of.topics[f.responseID]
	switch words := f.of.words[f.responseID]; {
	case t.gone:
		return News{Gone: true}, true
	case words.Text != "": // the view is that of before
		fresh := words.Text != f.text
		f.text = words.Text
		return News{Words: &words}, fresh
	case t.view != nil && t.turns > f.seen:
		f.seen, f.text = t.turns, ""
		return News{View: t.view}, true
	}
	return News{}, false
}

// Over tells whether the follower has seen the end.
func (f *Follower) Over() bool {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	t := f.of.topics[f.responseID]
	return t.view != nil && t.view.Step.Ended() && t.turns <= f.seen
}

// Close ends following.
func (f *Follower) Close() { f.of.leave(f) }

// followers are all who follow interviews on this node. The zero value is ready for use.
type followers struct {
	mu     sync.Mutex
	topics map[string]*topic // by response; only those that are followed
	words  map[string]Words  // by response; only those that are being written
	count  int
}

// topic is one interview that is followed.
type topic struct {
	followers []*Follower
	view      *View // the latest; nil until one is known
	turns     int   // of view
	asked     int   // turns that the database told of and that were looked into
	gone      bool
}

func (a *followers) join(f *Follower) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.topics[f.responseID]
	switch {
	case a.count >= maxFollowers:
		return ErrCrowded
	case t != nil && len(t.followers) >= maxPerInterview:
		return ErrCrowdedByThis
	case t == nil:
		t = &topic{}
		if a.topics == nil {
			a.topics = map[string]*topic{}
		}
		a.topics[f.responseID] = t
	}
	t.followers = append(t.followers, f)
	a.count++
	return nil
}

func (a *followers) leave(f *Follower) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.topics[f.responseID]
	if t == nil {
		return
	}
	if i := slices.Index(t.followers, f); i >= 0 {
		t.followers = slices.Delete(t.followers, i, i+1)
		a.count--
	}
	if len(t.followers) == 0 {
		delete(a.topics, f.responseID)
	}
}

func (t *topic) wake() {
	for _, f := range t.followers {
		select {
		case f.Changed <- struct{}{}:
		default: // it is awake already
		}
	}
}

// moved tells where an interview stands. What is older than what is known is left.
func (a *followers) moved(v View) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.topics[v.Response.ID]; t != nil && (t.view == nil || v.Response.TurnCount > t.turns) {
		t.view, t.turns = &v, v.Response.TurnCount
		t.wake()
	}
}

func (a *followers) gone(responseID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.topics[responseID]; t != nil {
		t.gone = true
		t.wake()
	}
}

// writing tells the words of a follow-up so far. They are kept until written, also for who comes to follow later.
func (a *followers) writing(responseID string, w Words) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.words == nil {
		a.words = map[string]Words{}
	}
	a.words[responseID] = w
	if t := a.topics[responseID]; t != nil {
		t.wake()
	}
}

func (a *followers) written(responseID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.words, responseID)
}

// How often the database is asked about the interviews that are followed, and about how many at once. Where other nodes
// answer, too, it is asked often; alone, only for what was deleted beside fieldwork.
const (
	askShared = time.Second
	askAlone  = 15 * time.Second
	askAtOnce = 512
)

// KeepUp tells the followers what happened elsewhere, until ctx ends: one question for many interviews, and none while
// nobody follows. failed is told of errors; the next round may go well.
func (s *Service) KeepUp(ctx context.Context, failed func(error)) {
	every := askAlone
	if s.Store.Shared() {
		every = askShared
	}
	round := time.NewTicker(every)
	defer round.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-round.C:
		}
		if err := s.CatchUp(ctx); err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
}

// CatchUp is one round of KeepUp.
func (s *Service) CatchUp(ctx context.Context) error {
	for ids := range slices.Chunk(s.followers.ids(), askAtOnce) {
		turns, err := s.Store.View().TurnCounts(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			count, there := turns[id]
			if !there {
				s.followers.gone(id)
				continue
			}
			token := s.followers.behind(id, count)
			if token == "" {
				continue
			}
			it, err := s.read(ctx, token)
			switch {
			case errors.Is(err, response.ErrGone):
				s.followers.gone(id)
			case err != nil:
				return err
			case it.state.Next().Kind != interview.StepProbe: // else another node asks its moderator
				s.followers.moved(it.view())
			}
		}
	}
	return nil
}

func (a *followers) ids() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	ids := make([]string, 0, len(a.topics))
	for id := range a.topics {
		ids = append(ids, id)
	}
	return ids
}

// behind gives a token to look with when an interview has more turns than were looked into; empty when it has not.
func (a *followers) behind(responseID string, turns int) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.topics[responseID]
	if t == nil || turns <= max(t.turns, t.asked) {
		return ""
	}
	t.asked = turns
	return t.followers[0].token
}
