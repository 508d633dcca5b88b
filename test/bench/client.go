package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// operation is a kind of request that the program and the baseline answer. Each call of a request function returns one request, as it is
// written to the connection.
type operation struct {
	name     string
	grows    bool // part of the growth table
	read     bool // changes nothing
	goal     float64
	ours     func() string
	baseline func() string
}

func operations(d dataset, l loaded) []operation {
	get := func(path string, query url.Values) string {
		return "GET " + path + "?" + query.Encode() + " HTTP/1.1\r\nHost: bench\r\nX-Api-Key: " + d.Key + "\r\n\r\n"
	}
	baseline := func(path string, args ...any) string {
		query := url.Values{}
		for _, arg := range args {
			query.Add("a", fmt.Sprint(arg))
		}
		return get(path, query)
	}
	const lists = "/api/public/v1/responses"
	page := func(name string, size int, number func() int, grows bool) operation {
		return operation{name, grows, true, 0.8, func() string {
			return get(lists+"/"+l.Link, url.Values{"page": {fmt.Sprint(number())}, "perPage": {fmt.Sprint(size)}})
		}, func() string { n := number(); return baseline("/page", l.ID, n*size+1, (n+1)*size) }}
	}
	anyOf := func(n int) func() int { return func() int { return rand.IntN(n) } }
	always := func(n int) func() int { return func() int { return n } }
	search := func(name, parameter string, values int, goal float64) operation {
		value := func() string { return fmt.Sprint(l.Size, "-", rand.IntN(values)) }
		return operation{
			name, true, true, goal, func() string { return get(lists, url.Values{"parameter": {parameter}, "value": {value()}}) },
			func() string {
				return get("/search", url.Values{"a": {l.ID, parameter, value()}, "fill": {strconv.Itoa(d.fill)}})
			},
		}
	}
	body := strings.Repeat("a row of eight thousand bytes   ", 250)
	return []operation{
		page("page of 1,000", 1000, anyOf(max(1, l.Size/1000)), false),
		page("first page of 1,000", 1000, always(0), true),
		page("last page of 1,000", 1000, always(max(0, l.Size/1000-1)), true),
		page("page of 100", 100, anyOf(max(1, l.Size/100)), true),
		{"updatedSince, 100 rows", true, true, 0.8, func() string {
			return get(lists+"/"+l.Link, url.Values{"updatedSince": {l.Poll.Add(time.Microsecond).Format(time.RFC3339Nano)}})
		}, func() string { return baseline("/poll", l.ID, l.Poll.UnixMicro()+1) }},
		search("search, 1 hit", "one", l.Size, 0.7),
		search("search, 100 hits", "hundred", max(1, l.Size/100), 0.6),
		{"single response", true, true, 0.7, func() string {
			return get(fmt.Sprintf("%s/%s/%d", lists, l.Link, 1+rand.IntN(l.Size)), nil)
		}, func() string { return baseline("/single", l.ID, 1+rand.IntN(l.Size)) }},
		{"create (an interview starts)", false, false, 0, func() string {
			return "POST /s/" + d.Live + "/interviews HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
		}, func() string {
			return fmt.Sprintf("POST /create HTTP/1.1\r\nHost: bench\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		}},
	}
}

// filled returns the dataset with the number of bytes that the baseline adds to each hit of a search.
func (d dataset) filled(ctx context.Context, server, baseline *process) (dataset, error) {
	const hits = 100
	for _, op := range operations(d, d.Studies[0]) {
		if op.name != "search, 100 hits" {
			continue
		}
		ours, err := answerSize(ctx, server.address, op.ours())
		if err != nil {
			return d, err
		}
		theirs, err := answerSize(ctx, baseline.address, op.baseline())
		if err != nil {
			return d, err
		}
		d.fill = max(0, (ours-theirs)/hits)
	}
	return d, nil
}

// answerSize returns the length of an answer's body.
func answerSize(ctx context.Context, address, request string) (int, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		return 0, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(io.Discard, answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the answer was %s", answer.Status)
	}
	return int(n), err
}

// figures are the measurements of one operation.
type figures struct {
	took   []time.Duration // of each request, shortest first
	span   time.Duration
	used   time.Duration // processor time of the server
	memory int64         // of the server, afterwards
}

// and merges the figures of two rounds.
func (f figures) and(more figures) figures {
	took := slices.Concat(f.took, more.took)
	slices.Sort(took)
	return figures{took, f.span + more.span, f.used + more.used, max(f.memory, more.memory)}
}

func (f figures) p50() time.Duration { return f.took[len(f.took)/2] }
func (f figures) p99() time.Duration { return f.took[len(f.took)*99/100] }
func (f figures) cpu() time.Duration { return f.used / time.Duration(len(f.took)) }

func (f figures) perSecond() float64 { return float64(len(f.took)) / f.span.Seconds() }

// measure sends requests over conns connections at once for a span of time.
func measure(ctx context.Context, p *process, request func() string, conns int, span time.Duration) (f figures, err error) {
	warm := min(span/5, 300*time.Millisecond)
	if _, err := spend(ctx, p, request, conns, warm); err != nil {
		return f, err
	}
	before, err := p.cpu()
	if err != nil {
		return f, err
	}
	if f, err = spend(ctx, p, request, conns, span); err != nil {
		return f, err
	}
	after, err := p.cpu()
	f.used = after - before
	if err == nil {
		f.memory, err = p.residentMemory()
	}
	return f, err
}

func spend(ctx context.Context, p *process, request func() string, conns int, span time.Duration) (f figures, err error) {
	var all sync.WaitGroup
	var mu sync.Mutex
	begun := time.Now()
	for range conns {
		all.Go(func() {
			own, ownErr := ask(ctx, p.address, request, begun.Add(span))
			mu.Lock()
			defer mu.Unlock()
			f.took, err = append(f.took, own...), errors.Join(err, ownErr)
		})
	}
	all.Wait()
	f.span = time.Since(begun)
	if err == nil && len(f.took) == 0 {
		err = errors.New("no request was answered")
	}
	slices.Sort(f.took)
	return f, err
}

// ask sends one request after the other over a connection until the end, and returns the duration of each.
func ask(ctx context.Context, address string, request func() string, end time.Time) (took []time.Duration, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	in, buffer := bufio.NewReaderSize(conn, 16<<10), make([]byte, 256<<10)
	for begun := time.Now(); (begun.Before(end) || len(took) == 0) && ctx.Err() == nil; begun = time.Now() {
		if _, err := io.WriteString(conn, request()); err != nil {
			return took, err
		}
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			return took, err
		}
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{answer.Body}, buffer); err != nil {
			return took, err
		}
		if answer.StatusCode/100 != 2 {
			return took, fmt.Errorf("the answer was %s", answer.Status)
		}
		took = append(took, time.Since(begun))
	}
	return took, ctx.Err()
}
