package fieldwork

import (
	"context"
	"sync"
	"time"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/operation"
)

// Each node keeps the logs of the interviews it served recently, so that an answer needs no read: the log is replayed from
// memory, and the commit fails if another node has changed the interview since. Only then is the log read from the database.
const (
	maxRecentBytes = 32 << 20
	recentFor      = 5 * time.Minute
)

// recent holds the logs of interviews by response. The zero value is ready for use.
type recent struct {
	mu    sync.Mutex
	logs  map[string]*recentLog
	bytes int
}

// recentLog is an interview as it was stored last. It is immutable.
type recentLog struct {
	response response.Response
	hash     string // of the token
	turns    []interview.Turn
	bytes    int
	expiry   *time.Timer // references the log until it fires or is stopped
}

// put stores a log in place of an earlier one, and drops others to make room.
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

// get returns the log of a response if hash is that of its token, else nil.
func (c *recent) get(responseID, hash string) *recentLog {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.logs[responseID]; l != nil && sameHash(l.hash, hash) {
		return l
	}
	return nil
}

// drop removes a log unless another one has replaced it.
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

// saveRecent caches an interview unless it has ended.
func (s *Service) saveRecent(sess *session) {
	if sess.State.Next().Ended() {
		s.recent.forget(sess.Response.ID)
		return
	}
	s.recent.put(sess.Response, sess.hash, sess.Turns)
}

// recentSession replays an interview from this node's cache; nil if it is not there. Other nodes may have changed the interview
// since: only a commit shows that none has.
func (s *Service) recentSession(ctx context.Context, token string) *session {
	id, hash, err := parseToken(token)
	if err != nil {
		return nil
	}
	l := s.recent.get(id, hash)
	if l == nil {
		return nil
	}
	sess, err := s.replay(ctx, l.response, hash, l.turns)
	if err != nil {
		return nil
	}
	return sess
}

// Prepare returns the error with which Answer would refuse any answer: response.ErrNotFound or response.ErrGone. It also caches
// the interview, so that Answer need not read it again.
func (s *Service) Prepare(ctx context.Context, token string) (err error) {
	defer operation.Wrap(&err, "fieldwork.Prepare")
	if IsPreview(token) {
		_, err := s.readPreview(ctx, token)
		return err
	}
	id, hash, err := parseToken(token)
	if err != nil || s.recent.get(id, hash) != nil {
		return err
	}
	sess, err := s.read(ctx, token)
	if err == nil {
		s.saveRecent(sess)
	}
	return err
}
