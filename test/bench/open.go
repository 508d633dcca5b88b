package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// openFigures hold the memory that open interviews cost the server.
type openFigures struct {
	open          int
	before, after int64 // resident memory of the server, in bytes
	took          time.Duration
}

// each returns the memory of one interview in bytes.
func (f openFigures) each() float64 { return float64(f.after-f.before) / float64(f.open) }

// openAtOnce is the number of interviews that are held open, warmUp the number that is opened before memory is read for the first time, and
// openers the number that is being opened at a time.
const openAtOnce, warmUp, openers = 5000, 100, 10

// openInterviews starts interviews, each over a connection of its own that stays open, fetches the step of each, and then reads the
// server's memory. It is measured first: a heap that had been larger before would have room for them.
func (r *report) openInterviews(ctx context.Context, d dataset, server *process) (err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var mu sync.Mutex
	var kept []net.Conn
	defer func() {
		for _, conn := range kept {
			err = errors.Join(err, conn.Close())
		}
	}()
	open := func(n int) error {
		var all sync.WaitGroup
		var failed error
		for range openers {
			all.Go(func() {
				for range n / openers {
					conn, err := openInterview(ctx, server.address, d.Live)
					mu.Lock()
					if err != nil {
						failed = fmt.Errorf("opening interview %d: %w", len(kept)+1, err)
					} else {
						kept = append(kept, conn)
					}
					mu.Unlock()
					if err != nil {
						return
					}
				}
			})
		}
		all.Wait()
		return failed
	}
	f := openFigures{open: openAtOnce}
	if err := open(warmUp); err != nil {
		return err
	}
	if f.before, err = server.residentMemory(); err != nil {
		return err
	}
	begun := time.Now()
	if err := open(openAtOnce); err != nil {
		return err
	}
	f.took = time.Since(begun)
	if f.after, err = server.residentMemory(); err != nil {
		return err
	}
	r.open = &f
	fmt.Println(f.line())
	return nil
}

// openInterview starts an interview, fetches its step over the same connection, and leaves the connection open.
func openInterview(ctx context.Context, address, linkID string) (conn net.Conn, err error) {
	if conn, err = new(net.Dialer).DialContext(ctx, "tcp", address); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, conn.Close())
		}
	}()
	if end, bound := ctx.Deadline(); bound {
		if err := conn.SetDeadline(end); err != nil {
			return nil, err
		}
	}
	in := bufio.NewReader(conn)
	var started struct{ Token string }
	const start = "POST /s/%s/interviews HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
	if err := exchange(conn, in, fmt.Sprintf(start, linkID), &started); err != nil {
		return nil, err
	}
	var at struct{ Step struct{ StepID string } }
	if err := exchange(conn, in, "GET /i/"+started.Token+" HTTP/1.1\r\nHost: bench\r\n\r\n", &at); err != nil {
		return nil, err
	}
	if at.Step.StepID == "" {
		return nil, errors.New("the interview has no step")
	}
	return conn, nil
}

// exchange sends a request and decodes its answer.
func exchange(conn net.Conn, in *bufio.Reader, request string, into any) error {
	if _, err := io.WriteString(conn, request); err != nil {
		return err
	}
	answer, err := http.ReadResponse(in, nil)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the answer was %s: %s", answer.Status, strings.TrimSpace(string(body)))
	}
	return json.Unmarshal(body, into)
}

func (f openFigures) line() string {
	return fmt.Sprintf("%d interviews opened in %v, each over a connection of its own: the server's memory went from %.0f MB to %.0f MB, %.1f KiB each.",
		f.open, f.took.Round(100*time.Millisecond), float64(f.before)/1e6, float64(f.after)/1e6, f.each()/1024)
}
