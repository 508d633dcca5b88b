package faults

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim/test/testserver"
)

// speaker is a participant whose answer is recorded.
type speaker struct {
	stage *stage
	link  string
	film  []byte // what is recorded

	token, upload string // once they are known
	answered      bool
}

// newSpeaker creates a study whose answers are recorded.
func (s *stage) newSpeaker() *speaker {
	s.t.Helper()
	film, err := exec.CommandContext(s.t.Context(), "ffmpeg", strings.Fields("-nostdin -v error -f lavfi -i sine=d=3 -c:a libopus -f webm -live 1 pipe:1")...).Output()
	s.must(err)
	p := &speaker{stage: s, film: film}
	_, p.link = s.study(s.t, s.account, guide("audio_text"))
	return p
}

// record begins an interview, uploads a recording and answers with it. It repeats each until it is accepted, and returns the refusals.
func (p *speaker) record(ctx context.Context) (refused []reply, err error) {
	insist := func(want int, method, path string, body any, header ...string) (reply, error) {
		for {
			attempt, cancel := context.WithTimeout(ctx, 20*time.Second)
			r, err := send(attempt, p.stage.load.client, p.stage.load.next(p.stage.addresses()), method, path, body, header...)
			cancel()
			switch {
			case err == nil && r.status == want:
				return r, nil
			case err == nil && r.status < 500 && r.status != http.StatusLocked: // a node that died holds an upload for some seconds
				return r, fmt.Errorf("%s %s is answered %d %.300s", method, path, r.status, r.body)
			case err != nil:
				r = reply{body: []byte(plain(err))}
			}
			refused = append(refused, r)
			select {
			case <-ctx.Done():
				return r, fmt.Errorf("%s %s: %w, after %d %.200s", method, path, ctx.Err(), r.status, r.body)
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	var begun struct {
		Token string
		Step  testserver.Step
	}
	r, err := insist(http.StatusCreated, http.MethodPost, "/s/"+p.link+"/interviews", dict{}, "Idempotency-Key", "a person of study "+p.link)
	if err != nil {
		return refused, err
	}
	if err := r.decode(&begun); err != nil {
		return refused, err
	}
	encode := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	p.token = begun.Token
	p.stage.besides.Add(1)
	r, err = insist(http.StatusCreated, http.MethodPost, "/i/"+p.token+"/uploads", nil, "Tus-Resumable", "1.0.0", "Upload-Length", fmt.Sprint(len(p.film)),
		"Upload-Metadata", "kind "+encode("audio")+",stepId "+encode(begun.Step.StepID))
	if err != nil {
		return refused, err
	}
	location, err := url.Parse(r.header.Get("Location"))
	if err != nil {
		return refused, err
	}
	p.upload = location.Path[strings.LastIndex(location.Path, "/")+1:]
	path := "/i/" + p.token + "/uploads/" + p.upload
	for offset := 0; offset < len(p.film); {
		_, err := insist(http.StatusNoContent, http.MethodPatch, path, p.film[offset:], "Tus-Resumable", "1.0.0", "Upload-Offset", fmt.Sprint(offset), "Content-Type", "application/offset+octet-stream")
		if err == nil {
			break
		}
		// Bytes that arrived before the interruption need not be sent again.
		head, headErr := insist(http.StatusOK, http.MethodHead, path, nil, "Tus-Resumable", "1.0.0")
		arrived, _ := strconv.Atoi(head.header.Get("Upload-Offset"))
		if headErr != nil || arrived <= offset {
			return refused, err
		}
		offset = arrived
	}
	_, err = insist(http.StatusOK, http.MethodPost, "/i/"+p.token+"/answers",
		dict{"stepId": begun.Step.StepID, "text": "It was said aloud.", "recordings": dict{"audio": p.upload}})
	p.answered = err == nil
	return refused, err
}

// play reads the recording from each node through the API's links.
func (p *speaker) play(ctx context.Context) {
	s := p.stage
	var items []listed
	s.must(json.Unmarshal(s.read(ctx, s.nodes[0], "/api/public/v1/responses/"+p.link), &items))
	if len(items) != 1 {
		s.fail("%d responses of one who spoke", len(items))
		return
	}
	for _, n := range s.nodes {
		var single struct{ Transcript []struct{ Audio string } }
		s.must(json.Unmarshal(s.read(ctx, n, "/api/public/v1/responses/"+p.link+"/"+items[0].ID), &single))
		address := ""
		for _, row := range single.Transcript {
			address += row.Audio
		}
		link, err := url.Parse(address)
		if err != nil || address == "" {
			s.fail("%s has no link to the recording", n.name)
			continue
		}
		r, err := send(ctx, s.load.client, n.address, http.MethodGet, link.Path, nil)
		if err != nil || r.status != http.StatusOK || len(r.body) < 1000 {
			s.fail("%s plays the recording as %d with %d bytes, %v", n.name, r.status, len(r.body), err)
		}
	}
}

// objectsDown stops the S3 server.
func objectsDown(w *world, t *testing.T) *stage {
	w.start(t)
	s := newStage(t, w.system, patient)
	before, meanwhile := s.newSpeaker(), s.newSpeaker()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if _, err := before.record(ctx); err != nil {
		s.fail("before: %v", err)
	}
	s.atWork(ctx)
	broken := time.Now()
	w.objects.Refuse(true)
	w.objects.Cut()

	var refused []reply
	var recorded error
	var speaking sync.WaitGroup
	speaking.Go(func() { refused, recorded = meanwhile.record(ctx) })
	unready := map[string]int{}
	watch := func() {
		for _, n := range s.nodes {
			if status := n.ready(ctx); status != http.StatusOK {
				unready[fmt.Sprint(n.name, " ", status)]++
			}
		}
	}
	if *long {
		for time.Since(broken) < time.Minute {
			watch()
			<-time.After(time.Second)
		}
	} else {
		for range 3 { // readiness may be remembered for a second
			watch()
			<-time.After(600 * time.Millisecond)
		}
	}
	starts := s.startsWithout(ctx)
	failed := s.load.failed(broken, time.Now())
	w.objects.Refuse(false)
	repaired := time.Now()
	if starts != nil {
		s.fail("without S3: %v", starts)
		s.must(s.nodes[2].start(ctx))
	}
	s.load.avoid("")
	speaking.Wait()
	s.onward(ctx)
	if recorded != nil {
		s.fail("a recording does not arrive: %v", recorded)
	}
	s.finish()
	for _, p := range []*speaker{before, meanwhile} {
		if p.answered {
			p.play(ctx)
		}
	}
	s.row.out = s.load.longest("", broken)
	s.note("away for %.1f s; %d uploads refused", repaired.Sub(broken).Seconds(), len(refused))
	if len(failed) > 0 {
		s.fail("%d requests in writing failed: %s", len(failed), kinds(failed))
	}
	if len(unready) > 0 {
		s.fail("not ready: %v", unready)
	}
	if len(refused) == 0 {
		s.fail("no upload was refused while there was no S3")
	}
	for _, r := range refused {
		if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
			s.fail("an upload is refused by %d %.200s, Retry-After %q", r.status, r.body, r.header.Get("Retry-After"))
			break
		}
	}
	return s
}

// leave stops a node gracefully, once nobody uses it any more.
func (s *stage) leave(ctx context.Context, n *node) {
	s.load.avoid(n.address)
	s.must(s.load.requests(ctx, 30))
	s.must(n.leave())
}

// startsWithout stops a node gracefully and starts it again while a service that it uses is down.
func (s *stage) startsWithout(ctx context.Context) error {
	victim := s.nodes[2]
	s.leave(ctx, victim)
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	err := victim.start(ctx)
	if err != nil && victim.alive() {
		victim.kill()
	}
	return err
}
