package attack

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// slowAttacks hold connections, or send more requests than anybody should.
var slowAttacks = []attack{
	{point: 7, name: "idle connections from one address", mark: "not all are held, innocent requests are served", run: func(s *stage) {
		n := pick(3000, 8000)
		held := s.connections(n, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", true)
		s.note("%d of %d connections are held", held, n)
		if held >= n {
			s.failHeavy("all of %d connections of one address are held", n)
		}
	}},
	{point: 7, name: "requests that never end their header", mark: "not all are held, innocent requests are served", run: func(s *stage) {
		n := pick(3000, 8000)
		held := s.connections(n, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", false)
		s.note("%d of %d connections are held", held, n)
		if held >= n {
			s.failHeavy("all of %d connections of one address are held", n)
		}
	}},
	{point: 7, name: "headers of 900 KB on 300 connections", mark: "under 512 MiB", run: func(s *stage) {
		s.connections(pick(300, 1000), "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: "+strings.Repeat("x", 900<<10), false)
	}},
	{point: 7, name: "event streams from one address", mark: "half are held at most", run: func(s *stage) {
		n := pick(300, 2000)
		var tokens []string
		for range n / 5 {
			tokens = append(tokens, s.mustBegin(s.somebody(), s.load.link).token)
		}
		opened := s.streams(n, tokens)
		s.note("%d of %d event streams are open at once", opened, n)
		if opened > n/2 {
			s.failHeavy("%d of %d event streams of one address are open at once", opened, n)
		}
	}},
	{point: 7, name: "wrong keys", mark: "no more of 1,000 pass than the limit allows", run: func(s *stage) {
		stranger := s.server.direct("127.0.0.68")
		s.limited(100, func(i int) (reply, error) {
			return stranger.send(s.t.Context(), http.MethodGet, "/api/public/v1/studies", nil, "X-Api-Key", fmt.Sprintf("%s%d", s.hostile.Key[:len(s.hostile.Key)-4], 1000+i))
		})
	}},
	{point: 7, name: "floods of /readyz", mark: "half of 1,000 are 429 or answered from memory, 50 write at most twice", run: func(s *stage) {
		written, last := 0, s.newestFolder()
		for range 50 {
			s.sent.add()
			r, err := s.somebody().send(s.t.Context(), http.MethodGet, "/readyz", nil)
			if err != nil || r.status != http.StatusOK {
				s.fail("/readyz answers %d, %v", r.status, err)
			}
			if now := s.newestFolder(); now.After(last) {
				written, last = written+1, now
			}
		}
		s.note("%d of 50 wrote to the disk", written)
		if written > 2 {
			s.fail("%d of 50 requests for /readyz wrote to the disk", written)
		}
		stranger := s.server.direct("127.0.0.70")
		before := s.server.measure()
		s.flood(pick(1000, 1000), 8, func(int) (reply, error) { return stranger.send(s.t.Context(), http.MethodGet, "/readyz", nil) })
		s.note("%v of CPU", s.server.measure().cpu-before.cpu)
	}},
	{point: 7, name: "floods of /docs, /openapi, / and /m", mark: "no more of 1,000 each pass than the limit allows", run: func(s *stage) {
		for n, path := range []string{"/docs/", "/openapi/v1.yaml", "/m/1/no/such/recording.mp4", "/nowhere"} {
			stranger := s.server.direct(fmt.Sprintf("127.0.0.%d", 71+n))
			s.limited(100, func(int) (reply, error) { return stranger.send(s.t.Context(), http.MethodGet, path, nil) })
		}
	}},
	{point: 7, name: "one IPv6 customer with 256 networks", mark: "no more of 1,000 pass than the limit allows", run: func(s *stage) {
		s.limited(200, func(i int) (reply, error) {
			p := s.stranger()
			p.forwarded = fmt.Sprintf("2001:db8:77:%x::%x", i%256, i+1)
			return p.send(s.t.Context(), http.MethodGet, "/s/"+s.load.link, nil)
		})
		other := s.server.proxied("2001:db8:78::1")
		if r, err := other.send(s.t.Context(), http.MethodGet, "/s/"+s.load.link, nil); err != nil || r.status != http.StatusOK {
			s.fail("another customer is answered %d, %v", r.status, err)
		}
	}},
	{point: 7, name: "addresses without number", mark: "under 512 MiB", run: func(s *stage) {
		s.flood(pick(5000, 100_000), 8, func(i int) (reply, error) {
			p := s.stranger()
			p.forwarded = fmt.Sprintf("2001:db8:%x:%x::1", 0x1000+i%0x8000, i>>15)
			return p.send(s.t.Context(), http.MethodGet, "/s/x", nil)
		})
	}},
	{point: 7, name: "forged X-Forwarded-For", mark: "no more of 1,000 pass than the limit allows", run: func(s *stage) {
		stranger := s.server.direct("127.0.0.80") // not a trusted proxy
		s.limited(100, func(i int) (reply, error) {
			p := *stranger
			p.forwarded = fmt.Sprintf("203.0.%d.%d", i>>8, i&255)
			return p.send(s.t.Context(), http.MethodGet, "/s/"+s.load.link, nil)
		})
	}},
	{point: 7, name: "bodies and answers of a byte a second", mark: "ended within five minutes", longOnly: true, run: func(s *stage) {
		i := s.mustBegin(s.somebody(), s.load.link)
		var waiting sync.WaitGroup
		var mu sync.Mutex
		ends := func(what, request string, read bool) {
			waiting.Go(func() {
				s.sent.add()
				took := s.trickle(request, read)
				mu.Lock()
				defer mu.Unlock()
				s.note("%s ended after %v", what, took.Round(time.Second))
				if took > 5*time.Minute+10*time.Second {
					s.fail("%s went on for %v", what, took.Round(time.Second))
				}
			})
		}
		body := "Host: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"
		ends("an answer's body", "POST /i/"+i.token+"/answers HTTP/1.1\r\n"+body, false)
		ends("a start's body", "POST /s/"+s.load.link+"/interviews HTTP/1.1\r\n"+body, false)
		ends("a body to nowhere", "POST /nowhere HTTP/1.1\r\n"+body, false)
		ends("a create's body", "POST /api/public/v1/studies/create HTTP/1.1\r\nX-Api-Key: "+s.hostile.Key+"\r\n"+body, false)
		ends("a header", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", false)
		ends("the reading of answers", strings.Repeat("GET /openapi/v1.yaml HTTP/1.1\r\nHost: x\r\n\r\n", 400), true)
		waiting.Wait()
	}},
}

// limited floods the server, and fails if it lets more through than a limit of so many requests a second does: twice as many at once, and
// then the limit for as long as the flood took, however slow the machine is.
func (s *stage) limited(perSecond int, send func(i int) (reply, error)) {
	begun := time.Now()
	seen := s.flood(1000, 8, send)
	allowed := float64(perSecond) * (2 + time.Since(begun).Seconds())
	if passed := 1000 - seen.count(http.StatusTooManyRequests); float64(passed) > 1.1*allowed {
		s.failHeavy("%d requests were let through, of %.0f allowed: %s", passed, allowed, seen)
	}
}

// connections opens n connections from one address and sends each the same beginning. It returns how many the server holds, which it shows
// by an answer or, if none is due, by leaving the connection open.
func (s *stage) connections(n int, begin string, answered bool) (held int) {
	var all []net.Conn
	var mu sync.Mutex
	var dialers sync.WaitGroup
	var next atomic.Int64
	for range 32 {
		dialers.Go(func() {
			for int(next.Add(1)) <= n && s.server.alive() {
				s.sent.add()
				c, err := s.server.dial("127.0.0.66")
				if err != nil {
					continue
				}
				_ = c.SetDeadline(time.Now().Add(20 * time.Second))
				_, _ = io.WriteString(c, begin) // a refused connection is closed
				mu.Lock()
				all = append(all, c)
				mu.Unlock()
			}
		})
	}
	dialers.Wait()
	var open atomic.Int64
	for chunk := range 32 {
		dialers.Go(func() {
			for i := chunk; i < len(all); i += 32 {
				wait := 5 * time.Second
				if !answered {
					wait = 20 * time.Millisecond
				}
				_ = all[i].SetReadDeadline(time.Now().Add(wait))
				line, err := bufio.NewReaderSize(all[i], 16).ReadString('\n')
				switch timeout, is := err.(net.Error); {
				case answered && strings.Contains(line, " 200 "):
					open.Add(1)
				case !answered && is && timeout.Timeout():
					open.Add(1)
				}
			}
		})
	}
	dialers.Wait()
	for _, c := range all {
		c.Close()
	}
	return int(open.Load())
}

// streams opens n event streams of some interviews from one address, below the limit of requests a second, and returns how many the server
// still holds open in the end.
func (s *stage) streams(n int, tokens []string) int {
	var all []net.Conn
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	var refused, ended atomic.Int64
	tick := time.NewTicker(12 * time.Millisecond)
	defer tick.Stop()
	answered := make(chan struct{}, n)
	for i := range n {
		<-tick.C
		s.sent.add()
		c, err := s.server.dial("127.0.0.81")
		if err != nil {
			refused.Add(1)
			answered <- struct{}{}
			continue
		}
		all = append(all, c)
		go func() {
			_ = c.SetDeadline(time.Now().Add(time.Minute))
			_, _ = fmt.Fprintf(c, "GET /i/%s/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n", tokens[i%len(tokens)])
			answer := bufio.NewReader(c)
			line, err := answer.ReadString('\n')
			if err != nil || !strings.Contains(line, " 200 ") {
				refused.Add(1)
				answered <- struct{}{}
				return
			}
			answered <- struct{}{}
			if _, err := io.Copy(io.Discard, answer); err == nil { // the server ended it before we did
				ended.Add(1)
			}
		}()
	}
	for range n {
		<-answered
	}
	<-time.After(500 * time.Millisecond) // a replaced stream ends shortly after its replacement began
	return n - int(refused.Load()) - int(ended.Load())
}

// trickle sends a request's beginning and then a byte a second, or reads the answer as slowly, and returns after how long the server ended
// it.
func (s *stage) trickle(request string, read bool) time.Duration {
	begun := time.Now()
	c, err := s.server.dial("127.0.0.82")
	if err != nil {
		return 0
	}
	defer c.Close()
	go func() { _, _ = io.WriteString(c, request) }() // it may be cut off
	for time.Since(begun) < 6*time.Minute {
		<-time.After(time.Second) // the slowness is the attack
		if read {                 // the system's buffers go on after the server's end for a slow reader, so the server is asked
			_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
			var one [1]byte
			if _, err = c.Read(one[:]); err == nil && !s.server.holds(c) {
				break
			}
		} else {
			_, err = c.Write([]byte(" "))
		}
		if err != nil {
			break
		}
	}
	return time.Since(begun)
}

// newestFolder returns when a folder of the objects was last written to.
func (w *world) newestFolder() (newest time.Time) {
	_ = filepath.WalkDir(w.server.dir, func(name string, entry fs.DirEntry, err error) error { // files may disappear meanwhile
		if err != nil || !entry.IsDir() || name == w.server.dir {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return nil
	})
	return newest
}
