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

// Words is the text of a follow-up so far, while the moderator writes it. The next step replaces it.
type Words struct {
	After string // the id of the step whose answer is followed up
	Text  string
}

// Change is a change in an interview. Exactly one field is set.
type Change struct {
	Words *Words
	View  *View // the current step
	Gone  bool  // the response was deleted

	Replaced bool // a later subscriber of the same interview has replaced this one
}

// Limits on subscribers. One study may have half of a node's subscribers, so that no study shuts out all others.
const (
	DefaultSubscribers = 2000 // of one node
	maxPerInterview    = 8
)

// Origin is a network that subscribers come from, and how many may come from it.
type Origin struct {
	Name string
	Max  int
}

// Errors of Follow.
var (
	ErrTooManySubscribers = errors.New("too many subscribers on this node or of this study")
	ErrTooManyFromOrigin  = errors.New("too many subscribers from this network")
)

// Subscriber receives the changes of one interview. There is no queue: a late reader gets only the latest state, so publishers
// never wait and a slow reader costs nothing. Call Close when done.
type Subscriber struct {
	Changed chan struct{} // receives a value when Next may return a change

	all        *subscribers
	responseID string
	studyID    string // "" until it is known
	origins    []Origin
	token      string
	replaced   bool
	seen       int    // turns of the view returned last
	text       string // the words returned last
}

// Subscribe subscribes to an interview. seen is the number of turns that the caller has seen. If it is negative, the first change
// is the current step, unless a follow-up is being written. from are the networks that the caller comes from.
//
// If a limit is reached, of the interview or any other, an interview that already has subscribers keeps its place: its oldest
// subscriber is replaced, so that a page that lost its connection can come back at once.
//
// Errors: response.ErrNotFound, response.ErrGone, ErrTooManySubscribers, ErrTooManyFromOrigin.
func (s *Service) Subscribe(ctx context.Context, token string, seen int, from ...Origin) (*Subscriber, error) {
	id, _, err := parseToken(token)
	if err != nil {
		return nil, err
	}
	sub := &Subscriber{Changed: make(chan struct{}, 1), all: &s.subscribers, responseID: id, origins: from, token: token, seen: seen}
	limit := s.MaxSubscribers
	if limit == 0 {
		limit = DefaultSubscribers
	}
	if err := s.subscribers.join(sub, limit); err != nil {
		return nil, err
	}
	sess, err := s.read(ctx, token) // after joining, so that no later change is missed
	if err != nil {
		sub.Close()
		return nil, err
	}
	if err := s.subscribers.joinStudy(sub, sess.view().Response.StudyID, max(1, limit/2)); err != nil {
		sub.Close()
		return nil, err
	}
	if sess.State.Next().Kind != interview.StepProbe {
		s.subscribers.publishView(sess.view())
	}
	return sub, nil
}

// Next returns what has changed since the last call, and false if nothing has.
func (sub *Subscriber) Next() (Change, bool) {
	sub.all.mu.Lock()
	defer sub.all.mu.Unlock()
	t := sub.all.topics[sub.responseID]
	switch words := sub.all.words[sub.responseID]; {
	case sub.replaced:
		return Change{Replaced: true}, true
	case t.gone:
		return Change{Gone: true}, true
	case words.Text != "": // the view is still the previous step
		fresh := words.Text != sub.text
		sub.text = words.Text
		return Change{Words: &words}, fresh
	case t.view != nil && t.turns > sub.seen:
		sub.seen, sub.text = t.turns, ""
		return Change{View: t.view}, true
	}
	return Change{}, false
}

// Over reports whether the subscriber has received the end of the interview.
func (sub *Subscriber) Over() bool {
	sub.all.mu.Lock()
	defer sub.all.mu.Unlock()
	t := sub.all.topics[sub.responseID]
	return t != nil && t.view != nil && t.view.Step.Ended() && t.turns <= sub.seen
}

// Close ends the subscription. It may be called again.
func (sub *Subscriber) Close() { sub.all.leave(sub) }

// subscribers holds all subscribers on this node. The zero value is ready for use.
type subscribers struct {
	mu     sync.Mutex
	topics map[string]*topic // by response; only those with subscribers
	words  map[string]Words  // by response; only while they are being written
	count  int

	origins map[string]int // number of subscribers from each network
	studies map[string]int // number of subscribers of each study
}

// topic is one interview with subscribers.
type topic struct {
	subscribers []*Subscriber
	view        *View // the latest; nil until it is known
	turns       int   // of view
	polledTurns int   // turns in the database at the last poll that read the interview
	gone        bool
}

// join adds a subscriber if the limits of its interview, its networks and the node allow it, or if it can replace another
// subscriber of the same interview.
func (all *subscribers) join(sub *Subscriber, limit int) error {
	all.mu.Lock()
	defer all.mu.Unlock()
	if t := all.topics[sub.responseID]; t != nil && len(t.subscribers) >= maxPerInterview {
		all.replace(t.subscribers[0])
	}
	if all.count >= limit && !all.replaceOne(sub, func(*Subscriber) bool { return true }) {
		return ErrTooManySubscribers
	}
	for _, origin := range sub.origins {
		sameOrigin := func(other *Subscriber) bool { return slices.Contains(other.origins, origin) }
		if all.origins[origin.Name] >= origin.Max && !all.replaceOne(sub, sameOrigin) {
			return ErrTooManyFromOrigin
		}
	}
	if all.topics == nil {
		all.topics, all.origins, all.studies = map[string]*topic{}, map[string]int{}, map[string]int{}
	}
	t := all.topics[sub.responseID]
	if t == nil {
		t = &topic{}
		all.topics[sub.responseID] = t
	}
	t.subscribers = append(t.subscribers, sub)
	all.count++
	for _, origin := range sub.origins {
		all.origins[origin.Name]++
	}
	return nil
}

// joinStudy counts a subscriber that has joined towards its study's limit.
func (all *subscribers) joinStudy(sub *Subscriber, studyID string, limit int) error {
	all.mu.Lock()
	defer all.mu.Unlock()
	counted := func(other *Subscriber) bool { return other.studyID != "" }
	if all.studies[studyID] >= limit && !all.replaceOne(sub, counted) {
		return ErrTooManySubscribers
	}
	if !sub.replaced { // not replaced while its interview was read
		sub.studyID = studyID
		all.studies[studyID]++
	}
	return nil
}

// replaceOne replaces the oldest other subscriber of the same interview that fits, and reports whether there was one.
func (all *subscribers) replaceOne(sub *Subscriber, fits func(*Subscriber) bool) bool {
	t := all.topics[sub.responseID]
	if t == nil {
		return false
	}
	for _, other := range t.subscribers {
		if other != sub && fits(other) {
			all.replace(other)
			return true
		}
	}
	return false
}

// replace removes a subscriber and wakes it, so that it learns why.
func (all *subscribers) replace(sub *Subscriber) {
	sub.replaced = true
	all.remove(sub)
	select {
	case sub.Changed <- struct{}{}:
	default: // it is awake already
	}
}

func (all *subscribers) leave(sub *Subscriber) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.remove(sub)
}

// remove removes a subscriber if it is still there.
func (all *subscribers) remove(sub *Subscriber) {
	t := all.topics[sub.responseID]
	if t == nil {
		return
	}
	i := slices.Index(t.subscribers, sub)
	if i < 0 {
		return
	}
	t.subscribers = slices.Delete(t.subscribers, i, i+1)
	all.count--
	for _, origin := range sub.origins {
		decrement(all.origins, origin.Name)
	}
	if sub.studyID != "" {
		decrement(all.studies, sub.studyID)
	}
	if len(t.subscribers) == 0 {
		delete(all.topics, sub.responseID)
	}
}

// decrement decrements a count and removes it from the map at zero.
func decrement(counts map[string]int, name string) {
	if counts[name]--; counts[name] <= 0 {
		delete(counts, name)
	}
}

func (t *topic) wake() {
	for _, sub := range t.subscribers {
		select {
		case sub.Changed <- struct{}{}:
		default: // it is awake already
		}
	}
}

// publishView publishes an interview's current step, unless a later one is known.
func (all *subscribers) publishView(v View) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if t := all.topics[v.Response.ID]; t != nil && (t.view == nil || v.Response.TurnCount > t.turns) {
		t.view, t.turns = &v, v.Response.TurnCount
		t.wake()
	}
}

func (all *subscribers) publishGone(responseID string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if t := all.topics[responseID]; t != nil {
		t.gone = true
		t.wake()
	}
}

// publishWords publishes the words of a follow-up so far. They are kept until clearWords, also for later subscribers.
func (all *subscribers) publishWords(responseID string, w Words) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.words == nil {
		all.words = map[string]Words{}
	}
	all.words[responseID] = w
	if t := all.topics[responseID]; t != nil {
		t.wake()
	}
}

func (all *subscribers) clearWords(responseID string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.words, responseID)
}

// How often the database is polled for changes of interviews with subscribers, and for how many at once. If other nodes share
// the database it is polled often; otherwise only to find responses deleted outside of this package.
const (
	pollShared = time.Second
	pollAlone  = 15 * time.Second
	pollBatch  = 512
)

// Poll publishes changes made by other nodes until ctx ends. One query covers many interviews, and nothing is queried without
// subscribers. failed is called with errors; polling goes on.
func (s *Service) Poll(ctx context.Context, failed func(error)) {
	every := pollAlone
	if s.Store.Shared() {
		every = pollShared
	}
	round := time.NewTicker(every)
	defer round.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-round.C:
		}
		if err := s.PollOnce(ctx); err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
}

// PollOnce is one round of Poll.
func (s *Service) PollOnce(ctx context.Context) error {
	for ids := range slices.Chunk(s.subscribers.ids(), pollBatch) {
		turns, err := s.Store.View().TurnCounts(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			count, there := turns[id]
			if !there {
				s.subscribers.publishGone(id)
				continue
			}
			token := s.subscribers.tokenIfBehind(id, count)
			if token == "" {
				continue
			}
			sess, err := s.read(ctx, token)
			switch {
			case errors.Is(err, response.ErrGone):
				s.subscribers.publishGone(id)
			case err != nil:
				return err
			case sess.State.Next().Kind != interview.StepProbe: // otherwise another node is asking its moderator
				s.subscribers.publishView(sess.view())
			}
		}
	}
	return nil
}

func (all *subscribers) ids() []string {
	all.mu.Lock()
	defer all.mu.Unlock()
	ids := make([]string, 0, len(all.topics))
	for id := range all.topics {
		ids = append(ids, id)
	}
	return ids
}

// tokenIfBehind returns a token to read the interview with if the database has more turns than are known here, else "".
func (all *subscribers) tokenIfBehind(responseID string, turns int) string {
	all.mu.Lock()
	defer all.mu.Unlock()
	t := all.topics[responseID]
	if t == nil || turns <= max(t.turns, t.polledTurns) {
		return ""
	}
	t.polledTurns = turns
	return t.subscribers[0].token
}
