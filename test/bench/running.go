package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// runningAtOnce is the number of interviews that run at once, thinking the average time before an answer. Together they give 200 answers a
// second, as many as 2,500 interviews of people who think five times as long.
const runningAtOnce, thinking = 500, 2500 * time.Millisecond

// runningFor is the time that they are measured for.
const runningFor = 20 * time.Second

// runningFigures hold the durations of answers while many interviews run.
type runningFigures struct {
	took   []time.Duration // from when an answer was due until its next step was read; shortest first
	within []share         // from the server's own histogram
	used   time.Duration   // processor time of the server
}

// share is the part of the requests that were answered within a duration.
type share struct {
	limit time.Duration
	part  float64
}

// runningInterviews holds interviews open, each over a connection of its own, whose participants think before they answer: between half and
// one and a half of the average. An answer's duration counts from when it was due, so that a slow answer also counts the wait of those
// behind it. The moderator is the built-in one, and asks follow-ups. Interviews that end are followed by new ones.
func (r *report) runningInterviews(ctx context.Context, d dataset, server *process) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	begin := time.Now().Add(2 * thinking) // until then interviews start, and everybody answers once
	end := begin.Add(runningFor)
	var f runningFigures
	var failed error
	var mu sync.Mutex
	var all sync.WaitGroup
	for range runningAtOnce {
		all.Go(func() {
			took, err := answerSteadily(ctx, server.address, d.Asking, begin, end)
			mu.Lock()
			defer mu.Unlock()
			f.took, failed = append(f.took, took...), errors.Join(failed, err)
		})
	}
	measured := func() (counts map[time.Duration]float64, used time.Duration, err error) {
		if counts, err = answersWithin(ctx, server.metrics); err == nil {
			used, err = server.cpu()
		}
		return counts, used, err
	}
	<-time.After(time.Until(begin))
	before, used, err := measured()
	if err != nil {
		return err
	}
	all.Wait()
	after, usedAfter, err := measured()
	if err = errors.Join(failed, err); err != nil {
		return fmt.Errorf("running interviews: %w", err)
	}
	if len(f.took) == 0 {
		return errors.New("running interviews: nothing was answered")
	}
	slices.Sort(f.took)
	f.used = usedAfter - used
	total := after[forever] - before[forever]
	for _, limit := range []time.Duration{5 * time.Millisecond, 10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond} {
		f.within = append(f.within, share{limit, (after[limit] - before[limit]) / total})
	}
	r.running = &f
	fmt.Println(f.lines())
	return nil
}

// answerSteadily takes interviews one after the other until the end, and returns the duration of each answer that was due after begin.
func answerSteadily(ctx context.Context, address, linkID string, begin, end time.Time) (took []time.Duration, err error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in := bufio.NewReader(conn)
	post := func(path string, body any, into any) error {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		const form = "POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
		return exchange(conn, in, fmt.Sprintf(form, path, len(text), text), into)
	}
	type standing struct {
		Token string
		Step  struct{ StepID, Kind string }
	}
	var at standing
	for due := time.Now().Add(rand.N(2 * thinking)); due.Before(end); due = due.Add(thinking/2 + rand.N(thinking)) {
		select {
		case <-ctx.Done():
			return took, ctx.Err()
		case <-time.After(time.Until(due)):
		}
		if kind := at.Step.Kind; kind == "" || kind == "complete" || kind == "screened_out" {
			at = standing{}
			if err := post("/s/"+linkID+"/interviews", struct{}{}, &at); err != nil {
				return took, err
			}
			continue
		}
		var next standing
		answer := map[string]string{"stepId": at.Step.StepID, "text": said()}
		if err := post("/i/"+at.Token+"/answers", answer, &next); err != nil {
			return took, err
		}
		if !due.Before(begin) {
			took = append(took, time.Since(due))
		}
		at.Step = next.Step
	}
	return took, nil
}

var sentences = []string{
	"I make it in the old pot, and my mother did so too.", "It takes too long in the morning.", "Mostly I like the smell of it.",
	"The second cup is for the way.", "When guests come I take the good beans.", "I would not pay more for that.", "My husband does not care at all.",
}

// vocabulary holds the words of the sentences.
var vocabulary = strings.Fields(strings.Join(sentences, " "))

// said returns an answer of one to six sentences in which every third word is another one, so that few answers are alike: the server looks
// for copies.
func said() string {
	lines := make([]string, 1+rand.IntN(6))
	for i := range lines {
		words := strings.Fields(sentences[rand.IntN(len(sentences))])
		for at := rand.IntN(3); at < len(words); at += 3 {
			words[at] = vocabulary[rand.IntN(len(vocabulary))]
		}
		lines[i] = strings.Join(words, " ")
	}
	return strings.Join(lines, " ")
}

// forever is the upper bound of a histogram's last bucket.
const forever = time.Duration(1<<63 - 1)

// answersWithin reads the server's histogram of answers: the number that took at most each duration.
func answersWithin(ctx context.Context, metrics string) (map[time.Duration]float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+metrics+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	counts := map[time.Duration]float64{forever: 0}
	for line := range strings.Lines(string(text)) {
		labels, count, _ := strings.Cut(strings.TrimSpace(line), "} ")
		if !strings.HasPrefix(labels, "verbatim_http_request_duration_seconds_bucket{") || !strings.Contains(labels, `route="/i/{token}/answers"`) {
			continue
		}
		_, limit, _ := strings.Cut(labels, `le="`)
		limit, _, _ = strings.Cut(limit, `"`)
		within := forever
		if limit != "+Inf" {
			seconds, err := strconv.ParseFloat(limit, 64)
			if err != nil {
				return nil, err
			}
			within = time.Duration(seconds * float64(time.Second))
		}
		n, err := strconv.ParseFloat(count, 64)
		if err != nil {
			return nil, err
		}
		counts[within] += n
	}
	return counts, nil
}

func (f runningFigures) lines() string {
	n := len(f.took)
	var b strings.Builder
	fmt.Fprintf(&b, "%d interviews at once, %.0f answers a second for %v: at the client p50 %s ms, p99 %s ms, at most %s ms; at the server",
		runningAtOnce, float64(n)/runningFor.Seconds(), runningFor, short(f.took[n/2]), short(f.took[n*99/100]), short(f.took[n-1]))
	for i, s := range f.within {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %.1f %% within %v", 100*s.part, s.limit)
	}
	fmt.Fprintf(&b, "; %s ms of processor each.", short(f.used/time.Duration(n)))
	return b.String()
}
