package fieldwork

import (
	"context"
	"sync"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

// What was stored last of the interviews that this node serves is kept for a while, so that an answer needs no read: its log
// is folded again from memory, and the commit refuses what another node has changed since. Only where that happens is the log read.
const (
	maxRecentBytes = 32 << 20
	recentFor      = 5 * time.Minute
)

// recent has the logs of interviews by response. The zero value is ready for use.
type recent struct {
	mu    sync.Mutex
	logs  map[string]*recentLog
	bytes int
}

// recentLog is an interview as it was stored last. It is immutable once it is kept.
type recentLog struct {
	response response.Response
	hash     string // of its token
	turns    []interview.Turn
	bytes    int
	expiry   *time.Timer // holds the log until it fires or is stopped
}

// put keeps a log in place of an earlier one, and drops any others to make room.
func (c *recent) put(r response.Response, hash string, turns []interview.Turn) {
	l := &recentLog{response: r, hash: hash, turns: turns[:len(turns):len(turns)], bytes: 1 << 10}
	for name, value := range r.URLParams {
		l.bytes += len(name) + len(value) + 100
	}
	for i := range turns {
		t := &turns[i]
		l.bytes += 1<<10 + len(t.Answer.Text) + len(t.Answer.CustomText) + len(t.Probe) +
			100*(len(t.Answer.Selected)+len(t.Answer.Ranking)+2*len(t.Answer.Cells)+len(t.Answer.Uploads)+len(t.Answer.FileNames))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(c.logs[r.ID])
	if l.bytes > maxRecentBytes/4 {
		return
	}
	for _, other := range c.logs {
		if c.bytes+l.bytes <= maxRecentBytes {
			break
		}
		c.remove(other)
	}
	if c.logs == nil {
		c.logs = map[string]*recentLog{}
	}
	c.logs[r.ID] = l
	c.bytes += l.bytes
	l.expiry = time.AfterFunc(recentFor, func() { c.drop(l) })
}

// get returns the log of a response whose token has the hash; nil where there is none.
func (c *recent) get(responseID, hash string) *recentLog {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.logs[responseID]; l != nil && sameHash(l.hash, hash) {
		return l
	}
	return nil
}

// drop removes a log, unless another one has taken its place.
func (c *recent) drop(l *recentLog) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(l)
}

// forget removes the log of a response.
func (c *recent) forget(responseID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(c.logs[responseID])
}

func (c *recent) remove(l *recentLog) {
	if l != nil && c.logs[l.response.ID] == l {
		l.expiry.Stop()
		delete(c.logs, l.response.ID)
		c.bytes -= l.bytes
	}
}

// remember keeps where an interview stands, as long as it runs.
func (s *Service) remember(it *run) {
	if it.state.Next().Ended() {
		s.recent.forget(it.response.ID)
		return
	}
	s.recent.put(it.response, it.hash, it.turns)
}

// recall brings an interview to where it stood when this node stored or read it last; nil where it does not know. Others may have
// gone on with it since: only a commit says that nobody has.
func (s *Service) recall(ctx context.Context, token string) *run {
	id, hash, err := readToken(token)
	if err != nil {
		return nil
	}
	l := s.recent.get(id, hash)
	if l == nil {
		return nil
	}
	it, err := s.replay(ctx, l.response, hash, l.turns)
	if err != nil {
		return nil
	}
	return it
}

// Prepare reports an error where Answer could take no answer, whatever it is: response.ErrNotFound, response.ErrGone. What it
// reads Answer need not read again.
func (s *Service) Prepare(ctx context.Context, token string) error {
	id, hash, err := readToken(token)
	if err != nil || s.recent.get(id, hash) != nil {
		return err
	}
	it, err := s.read(ctx, token)
	if err == nil {
		s.remember(it)
	}
	return err
}
