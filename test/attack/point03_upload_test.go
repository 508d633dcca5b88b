package attack

import (
	"context"
	"encoding/base64"
	"errors"
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

// uploadAttacks fill the disk. Here a file may have 8 MiB, an interview 32 MiB and 20 uploads in all, and a study 1 GiB (see newWorld).
var uploadAttacks = []attack{
	{point: 3, name: "20 PATCHes at one offset", mark: "two files of 8 MiB on disk at most, one in the end", run: func(s *stage) {
		i, p := s.fileInterview()
		upload := s.mustUpload(p, i, "file", fileSize)
		before := s.stored()
		held, bodies := make(chan struct{}), []*repeat{}
		var senders sync.WaitGroup
		var seen statuses
		done := make([]chan struct{}, 20)
		for n := range done {
			body := &repeat{head: pngHead, text: "\x00", length: fileSize - 1}
			bodies, done[n] = append(bodies, body), make(chan struct{})
			senders.Go(func() {
				defer close(done[n])
				s.sent.add()
				r, _ := p.patch(s.t.Context(), upload, 0, io.MultiReader(body, lastByte{held}), fileSize) // it may be cut off
				seen.saw(r.status)
			})
		}
		for n, body := range bodies { // until it has sent all but its last byte, or was refused
			for waiting := true; waiting && body.sent() < body.length; {
				select {
				case <-done[n]:
					waiting = false
				case <-time.After(5 * time.Millisecond):
				}
			}
		}
		during := s.stored() - before
		close(held)
		senders.Wait()
		after := s.stored() - before
		s.note("%.1f MiB on disk while they were sent, %.1f MiB after; answers %s", float64(during)/mib, float64(after)/mib, &seen)
		if during > 2*fileSize+mib {
			s.fail("%d MiB were on disk while they were sent", during/mib)
		}
		if after > fileSize+mib {
			s.fail("%d MiB stay on disk", after/mib)
		}
	}},
	{point: 3, name: "PATCHes at one offset that break off", mark: "two files of 8 MiB on disk at most", run: func(s *stage) {
		i, p := s.fileInterview()
		before := s.stored()
		for range 2 {
			upload := s.mustUpload(p, i, "file", fileSize)
			s.flood(10, 10, func(int) (reply, error) {
				ctx, cancel := context.WithCancel(s.t.Context())
				defer cancel()
				body := &repeat{head: pngHead, text: "\x00", length: fileSize * 3 / 4}
				return p.patch(ctx, upload, 0, io.MultiReader(body, breaks{cancel}), fileSize)
			})
		}
		s.stays(before, 2*fileSize)
	}},
	{point: 3, name: "an upload without an end", mark: "8 MiB on disk at most", run: func(s *stage) {
		i, p := s.fileInterview()
		before := s.stored()
		for range 4 {
			upload := s.mustUpload(p, i, "file", -1)
			s.flood(1, 1, func(int) (reply, error) {
				return p.patch(s.t.Context(), upload, 0, &repeat{head: pngHead, text: "\x00", length: 64 * mib}, -1)
			})
		}
		s.stays(before, 4*fileSize)
	}},
	{point: 3, name: "more than the interview's quota", mark: "32 MiB and 20 uploads at most", run: func(s *stage) {
		i, p := s.fileInterview()
		before := s.stored()
		seen := s.flood(pick(100, 500), 8, func(n int) (reply, error) {
			length := int64(fileSize)
			if n%2 == 0 {
				length = -1
			}
			r, err := p.upload(s.t.Context(), i, "file", length)
			if err != nil || r.status != http.StatusCreated {
				return r, err
			}
			return p.patch(s.t.Context(), r.header.Get("Location"), 0, &repeat{head: pngHead, text: "\x00", length: fileSize}, fileSize)
		})
		s.note("%d uploads were filled", seen.count(http.StatusNoContent))
		if filled := seen.count(http.StatusNoContent); filled > 20 {
			s.fail("%d uploads were filled", filled)
		}
		s.stays(before, 32*mib)
	}},
	{point: 3, name: "many tiny pieces", mark: "no 5xx, no more bytes than were sent", run: func(s *stage) {
		i, p := s.fileInterview()
		before, files := s.stored(), s.files()
		upload := s.mustUpload(p, i, "file", fileSize)
		s.flood(pick(200, 2000), 1, func(n int) (reply, error) {
			return p.patch(s.t.Context(), upload, int64(n), strings.NewReader(pngHead[n%len(pngHead):][:1]), 1)
		})
		s.note("%d more objects", s.files()-files)
		s.stays(before, 64<<10)
	}},
	{point: 3, name: "kinds that nobody asked for", mark: "none is taken", run: func(s *stage) {
		_, text := s.study(s.t, s.innocent, guideOf("Text only", open("Why?", "none")))
		spoken := guideOf("Sound only", open("Why?", "none"))
		spoken["config"] = dict{"interviewMode": "audio"}
		_, sound := s.study(s.t, s.innocent, spoken)
		file, _ := s.fileInterview()
		at := map[string]session{"text": s.mustBegin(s.somebody(), text), "sound": s.mustBegin(s.somebody(), sound), "file": file}
		for _, unasked := range []struct{ study, kind string }{
			{"text", "video"},
			{"text", "audio"},
			{"text", "screenVideo"},
			{"text", "file"},
			{"sound", "video"},
			{"sound", "screenVideo"},
			{"sound", "file"},
			{"file", "video"},
			{"file", "audio"},
			{"file", "screenVideo"},
		} {
			s.sent.add()
			r, err := s.somebody().upload(s.t.Context(), at[unasked.study], unasked.kind, mib)
			if err != nil || r.status < 400 || r.status >= 500 {
				s.fail("a %s study answers %d, %v to an upload of kind %s", unasked.study, r.status, err, unasked.kind)
			}
		}
		for _, stepID := range []string{"s99", "", "nothing", "s1 "} {
			s.sent.add()
			elsewhere := at["sound"]
			elsewhere.step.StepID = stepID
			if r, err := s.somebody().upload(s.t.Context(), elsewhere, "audio", mib); err != nil || r.status < 400 || r.status >= 500 {
				s.fail("an upload for the step %q, which nobody is at, is answered %d, %v", stepID, r.status, err)
			}
		}
		for study, kind := range map[string]string{"sound": "audio", "file": "file"} { // control
			if r, err := s.somebody().upload(s.t.Context(), at[study], kind, mib); err != nil || r.status != http.StatusCreated {
				s.fail("control: a %s study answers %d %.200s, %v to an upload of kind %s", study, r.status, r.body, err, kind)
			}
		}
	}},
	{point: 3, name: "160 announced files of which no byte comes", mark: "an honest file is taken", run: func(s *stage) {
		_, link := s.plant(s.t, s.innocent, guideOf("Files", dict{"type": "file_upload", "text": "Show us."}))
		var last session
		for range 40 { // of 8 MiB each: more than the study may have
			p := s.somebody()
			last = s.mustBegin(p, link)
			for range 4 { // all that the interview may have
				s.sent.add()
				s.mustUpload(p, last, "file", fileSize)
			}
		}
		another := s.somebody()
		s.honest(last, s.somebody())
		s.honest(s.mustBegin(another, link), another)
	}},
	{point: 3, name: "uploads of one address that do not end", mark: "250 are held at most, others upload", run: func(s *stage) {
		const limit = 250
		n := pick(400, 1200)
		_, link := s.plant(s.t, s.innocent, guideOf("Files", dict{"type": "file_upload", "text": "Show us."}))
		var interviews []session
		for range (n + 19) / 20 {
			interviews = append(interviews, s.mustBegin(s.somebody(), link))
		}
		held, release := s.unended(n, interviews)
		defer release()
		s.note("%d of %d uploads are held", held, n)
		if held == 0 {
			s.fail("control: no upload is under way")
		}
		if held > limit {
			s.failHeavy("%d uploads of one address are held", held)
		}
		another := s.somebody()
		s.honest(s.mustBegin(another, link), another)
	}},
	{point: 3, name: "a trickle", mark: "ended within five minutes", longOnly: true, run: func(s *stage) {
		i, p := s.fileInterview()
		p.client = client("127.0.0.1", 10*time.Minute)
		var senders sync.WaitGroup
		for range 4 {
			upload := s.mustUpload(p, i, "file", fileSize)
			senders.Go(func() {
				s.sent.add()
				begun := time.Now()
				_, _ = p.patch(s.t.Context(), upload, 0, &drip{head: pngHead, end: begun.Add(6 * time.Minute)}, fileSize) // it is cut off
				took := time.Since(begun)
				s.note("ended after %v", took.Round(time.Second))
				if took > 5*time.Minute+10*time.Second {
					s.fail("a byte a second was accepted for %v", took.Round(time.Second))
				}
			})
		}
		senders.Wait()
	}},
}

const (
	fileSize = 8 * mib
	pngHead  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
)

// fileInterview begins an interview whose first step asks for a file.
func (s *stage) fileInterview() (session, *person) {
	s.t.Helper()
	_, link := s.plant(s.t, s.innocent, guideOf("Files", dict{"type": "file_upload", "text": "Show us."}))
	p := s.somebody()
	return s.mustBegin(p, link), p
}

// upload begins an upload of a length; -1: the length comes later.
func (p *person) upload(ctx context.Context, i session, kind string, length int64) (reply, error) {
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	header := []string{"Tus-Resumable", "1.0.0", "Upload-Metadata", "kind " + encode(kind) + ",stepId " + encode(i.step.StepID)}
	if length < 0 {
		header = append(header, "Upload-Defer-Length", "1")
	} else {
		header = append(header, "Upload-Length", fmt.Sprint(length))
	}
	return p.send(ctx, http.MethodPost, "/i/"+i.token+"/uploads", nil, header...)
}

func (s *stage) mustUpload(p *person, i session, kind string, length int64) (location string) {
	s.t.Helper()
	r, err := p.upload(s.t.Context(), i, kind, length)
	if err != nil || r.status != http.StatusCreated {
		s.t.Fatalf("beginning an upload: %d %.300s, %v", r.status, r.body, err)
	}
	return r.header.Get("Location")
}

// patch sends bytes of an upload; with a length of -1 it sends them chunked, without a Content-Length.
func (p *person) patch(ctx context.Context, location string, offset int64, body io.Reader, length int64) (reply, error) {
	header := []string{"Tus-Resumable", "1.0.0", "Upload-Offset", fmt.Sprint(offset), "Content-Type", "application/offset+octet-stream"}
	if length >= 0 {
		header = append(header, "Content-Length", fmt.Sprint(length))
	}
	return p.send(ctx, http.MethodPatch, location, body, header...)
}

// honest uploads a file, which must be accepted.
func (s *stage) honest(i session, p *person) {
	s.t.Helper()
	s.sent.add()
	r, err := p.upload(s.t.Context(), i, "file", fileSize)
	if err == nil && r.status == http.StatusCreated {
		r, err = p.patch(s.t.Context(), r.header.Get("Location"), 0, &repeat{head: pngHead, text: "\x00", length: fileSize}, fileSize)
	}
	if err != nil || r.status != http.StatusNoContent {
		s.fail("an honest file is answered %d %.200s, %v", r.status, r.body, err)
	}
}

// unended begins n uploads from one address, below the limit of requests a second, and sends the beginning of each. It returns how many the
// server waits for; release ends them.
func (s *stage) unended(n int, interviews []session) (held int, release func()) {
	var all []net.Conn
	address := s.address()
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	tick := time.NewTicker(12 * time.Millisecond)
	defer tick.Stop()
	for n := range n {
		<-tick.C
		s.sent.add()
		c, err := s.server.dial("127.0.0.1")
		if err != nil {
			continue
		}
		all = append(all, c)
		i := interviews[n%len(interviews)]
		_ = c.SetWriteDeadline(time.Now().Add(10 * time.Second))
		_, _ = fmt.Fprintf(c, "POST /i/%s/uploads HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: %s\r\nTus-Resumable: 1.0.0\r\nUpload-Length: %d\r\n"+
			"Upload-Metadata: kind %s,stepId %s\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: %[3]d\r\n\r\n%[6]s",
			i.token, address, mib, encode("file"), encode(i.step.StepID), pngHead) // a refused connection is closed
	}
	var open atomic.Int64
	var readers sync.WaitGroup
	for _, c := range all {
		readers.Go(func() {
			_ = c.SetReadDeadline(time.Now().Add(3 * time.Second)) // a refused request is answered by then
			_, err := c.Read(make([]byte, 1))
			if timeout, is := errors.AsType[net.Error](err); is && timeout.Timeout() {
				open.Add(1)
			}
		})
	}
	readers.Wait()
	return int(open.Load()), func() {
		for _, c := range all {
			c.Close()
		}
	}
}

// stored returns the bytes in the data folder beside the database.
func (w *world) stored() (bytes int64) {
	w.eachFile(func(_ string, size int64) { bytes += size })
	return bytes
}

func (w *world) files() (n int) {
	w.eachFile(func(string, int64) { n++ })
	return n
}

func (w *world) eachFile(visit func(name string, size int64)) {
	_ = filepath.WalkDir(w.server.dir, func(name string, entry fs.DirEntry, err error) error { // files may disappear meanwhile; they have no size
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), "verbatim.db") {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			visit(name, info.Size())
		}
		return nil
	})
}

// stays fails if more bytes than limit stay on disk.
func (s *stage) stays(before, limit int64) {
	after := s.stored() - before
	s.note("%.1f MiB stay on disk", float64(after)/mib)
	if after > limit+mib {
		s.fail("%.1f MiB stay on disk, and %.1f may", float64(after)/mib, float64(limit)/mib)
	}
}

// lastByte is the last byte of a body, which comes when open is closed.
type lastByte struct{ open chan struct{} }

func (g lastByte) Read(p []byte) (int, error) {
	<-g.open
	p[0] = 0
	return 1, io.EOF
}

// breaks cancels the request instead of returning more of its body.
type breaks struct{ cancel func() }

func (b breaks) Read([]byte) (int, error) {
	b.cancel()
	return 0, context.Canceled
}

// drip returns one byte a second.
type drip struct {
	head string
	at   int
	end  time.Time
}

func (d *drip) Read(p []byte) (int, error) {
	if time.Now().After(d.end) {
		return 0, io.ErrUnexpectedEOF
	}
	if d.at < len(d.head) {
		d.at = len(d.head)
		return copy(p, d.head), nil
	}
	<-time.After(time.Second) // the slowness is the attack
	p[0] = 0
	return 1, nil
}
