package fieldwork

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// Words are those of a follow-up while the moderator writes it, as far as it goes. The step that comes takes their place.
type Words struct {
	After string // id of the step whose answer is followed up
	Text  string
}

// News is what has changed in an interview. One of its fields is set.
type Change struct {
	Words *Words
	View  *View // where it stands now
	Gone  bool  // its response was deleted

	Replaced bool // a later follower of the same interview has taken the place of this one
}

// Bounds of those who follow. Of a study there may be half of those of the node, so that no study shuts out all others.
const (
	DefaultSubscribers = 2000 // on this node
	maxPerInterview    = 8
)

// Origin is a network that followers come from, and how many may follow from there.
type Origin struct {
	Name string
	Max  int
}

// Errors of Follow.
var (
	ErrTooManySubscribers = errors.New("too many follow interviews on this node, or of this study")
	ErrTooManyFromOrigin  = errors.New("too many follow interviews from this network")
)

// Follower learns what changes in one interview. It keeps no list: who comes late learns the last, so that nobody who
// publishes waits, and a slow reader costs nothing. Close it.
type Subscriber struct {
	Changed chan struct{} // has a value when News may have something

	of         *subscribers
	responseID string
	studyID    string // empty until it is known
	from       []Origin
	token      string
	replaced   bool
	seen       int    // turns of the last view given
	text       string // last words given
}

// Follow begins to follow an interview. seen is the number of turns of the view that the follower has, or negative: then
// the first news is where the interview stands, unless a follow-up is being written there. from are the networks that the
// follower comes from.
//
// Where there are too many followers, of the interview or of anything else, an interview that is followed already keeps
// its place: its oldest follower is replaced, so that a page that lost its connection can come back at once.
//
// Errors: response.ErrNotFound, response.ErrGone, ErrCrowded, ErrCrowdedOrigin.
func (s *Service) Follow(ctx context.Context, token string, seen int, from ...Origin) (*Subscriber, error) {
	id, _, err := readToken(token)
	if err != nil {
		return nil, err
	}
	f := &Subscriber{Changed: make(chan struct{}, 1), of: &s.subscribers, responseID: id, from: from, token: token, seen: seen}
	limit := s.MaxSubscribers
	if limit == 0 {
		limit = DefaultSubscribers
	}
	if err := s.subscribers.join(f, limit); err != nil {
		return nil, err
	}
	it, err := s.read(ctx, token) // after joining: what happens from now on is heard
	if err != nil {
		f.Close()
		return nil, err
	}
	if err := s.subscribers.joinStudy(f, it.view().Response.StudyID, max(1, limit/2)); err != nil {
		f.Close()
		return nil, err
	}
	if it.state.Next().Kind != interview.StepProbe {
		s.subscribers.moved(it.view())
	}
	return f, nil
}

// News gives what is new since the last call; false when nothing is.
func (f *Subscriber) Next() (Change, bool) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	t := f.of.topics[f.responseID]
	switch words := f.of.words[f.responseID]; {
	case f.replaced:
		return Change{Replaced: true}, true
	case t.gone:
		return Change{Gone: true}, true
	case words.Text != "": // the view is that of before
		fresh := words.Text != f.text
		f.text = words.Text
		return Change{Words: &words}, fresh
	case t.view != nil && t.turns > f.seen:
		f.seen, f.text = t.turns, ""
		return Change{View: t.view}, true
	}
	return Change{}, false
}

// Over tells whether the follower has seen the end.
func (f *Subscriber) Over() bool {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	t := f.of.topics[f.responseID]
	return t != nil && t.view != nil && t.view.Step.Ended() && t.turns <= f.seen
}

// Close ends following.
func (f *Subscriber) Close() { f.of.leave(f) }

// followers are all who follow interviews on this node. The zero value is ready for use.
type subscribers struct {
	mu     sync.Mutex
	topics map[string]*topic // by response; only those that are followed
	words  map[string]Words  // by response; only those that are being written
	count  int

	origins map[string]int // how many come from each network
	studies map[string]int // how many follow interviews of each study
}

// topic is one interview that is followed.
type topic struct {
	subscribers []*Subscriber
	view        *View // the latest; nil until one is known
	turns       int   // of view
	asked       int   // turns that the database told of and that were looked into
	gone        bool
}

// join lets a follower in where there is room for one of its interview, its networks and the node, or where it can take the
// place of another one of its interview.
func (a *subscribers) join(f *Subscriber, limit int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.topics[f.responseID]; t != nil && len(t.subscribers) >= maxPerInterview {
		a.replace(t.subscribers[0])
	}
	if a.count >= limit && !a.replaceOne(f, func(*Subscriber) bool { return true }) {
		return ErrTooManySubscribers
	}
	for _, origin := range f.from {
		ofIt := func(other *Subscriber) bool { return slices.Contains(other.from, origin) }
		if a.origins[origin.Name] >= origin.Max && !a.replaceOne(f, ofIt) {
			return ErrTooManyFromOrigin
		}
	}
	if a.topics == nil {
		a.topics, a.origins, a.studies = map[string]*topic{}, map[string]int{}, map[string]int{}
	}
	t := a.topics[f.responseID]
	if t == nil {
		t = &topic{}
		a.topics[f.responseID] = t
	}
	t.subscribers = append(t.subscribers, f)
	a.count++
	for _, origin := range f.from {
		a.origins[origin.Name]++
	}
	return nil
}

// joinStudy counts a follower that has joined for its study, too.
func (a *subscribers) joinStudy(f *Subscriber, studyID string, limit int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	counted := func(other *Subscriber) bool { return other.studyID != "" }
	if a.studies[studyID] >= limit && !a.replaceOne(f, counted) {
		return ErrTooManySubscribers
	}
	if !f.replaced { // by one that came while its interview was read
		f.studyID = studyID
		a.studies[studyID]++
	}
	return nil
}

// replaceOne replaces the oldest other follower of the same interview that fits, and reports whether there was one.
func (a *subscribers) replaceOne(f *Subscriber, fits func(*Subscriber) bool) bool {
	t := a.topics[f.responseID]
	if t == nil {
		return false
	}
	for _, other := range t.subscribers {
		if other != f && fits(other) {
			a.replace(other)
			return true
		}
	}
	return false
}

// replace takes a follower out and wakes it, so that it learns why.
func (a *subscribers) replace(f *Subscriber) {
	f.replaced = true
	a.remove(f)
	select {
	case f.Changed <- struct{}{}:
	default: // it is awake already
	}
}

func (a *subscribers) leave(f *Subscriber) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.remove(f)
}

// remove takes a follower out, if it is in.
func (a *subscribers) remove(f *Subscriber) {
	t := a.topics[f.responseID]
	if t == nil {
		return
	}
	i := slices.Index(t.subscribers, f)
	if i < 0 {
		return
	}
	t.subscribers = slices.Delete(t.subscribers, i, i+1)
	a.count--
	for _, origin := range f.from {
		uncount(a.origins, origin.Name)
	}
	if f.studyID != "" {
		uncount(a.studies, f.studyID)
	}
	if len(t.subscribers) == 0 {
		delete(a.topics, f.responseID)
	}
}

// uncount takes one from a count, and the count from its map when none is left.
func uncount(counts map[string]int, name string) {
	if counts[name]--; counts[name] <= 0 {
		delete(counts, name)
	}
}

func (t *topic) wake() {
	for _, f := range t.subscribers {
		select {
		case f.Changed <- struct{}{}:
		default: // it is awake already
		}
	}
}

// moved tells where an interview stands. What is older than what is known is left.
func (a *subscribers) moved(v View) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.topics[v.Response.ID]; t != nil && (t.view == nil || v.Response.TurnCount > t.turns) {
		t.view, t.turns = &v, v.Response.TurnCount
		t.wake()
	}
}

func (a *subscribers) gone(responseID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if t := a.topics[responseID]; t != nil {
		t.gone = true
		t.wake()
	}
}

// writing tells the words of a follow-up so far. They are kept until written, also for who comes to follow later.
func (a *subscribers) writing(responseID string, w Words) {
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

func (a *subscribers) written(responseID string) {
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
func (s *Service) Poll(ctx context.Context, failed func(error)) {
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
	for ids := range slices.Chunk(s.subscribers.ids(), askAtOnce) {
		turns, err := s.Store.View().TurnCounts(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			count, there := turns[id]
			if !there {
				s.subscribers.gone(id)
				continue
			}
			token := s.subscribers.behind(id, count)
			if token == "" {
				continue
			}
			it, err := s.read(ctx, token)
			switch {
			case errors.Is(err, response.ErrGone):
				s.subscribers.gone(id)
			case err != nil:
				return err
			case it.state.Next().Kind != interview.StepProbe: // else another node asks its moderator
				s.subscribers.moved(it.view())
			}
		}
	}
	return nil
}

func (a *subscribers) ids() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	ids := make([]string, 0, len(a.topics))
	for id := range a.topics {
		ids = append(ids, id)
	}
	return ids
}

// behind gives a token to look with when an interview has more turns than were looked into; empty when it has not.
func (a *subscribers) behind(responseID string, turns int) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.topics[responseID]
	if t == nil || turns <= max(t.turns, t.asked) {
		return ""
	}
	t.asked = turns
	return t.subscribers[0].token
}
