package attack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
)

// pageAttacks read answers that take the server long to write.
var pageAttacks = []attack{
	{point: 7, name: "slow readers of long pages, compressed", mark: "innocent requests are served", run: func(s *stage) {
		id, link := s.study(s.t, s.hostile, guideOf("Long", open("Why?", "none")))
		s.fill(s.hostile.OrgID, id, pick(1000, 10_000))
		span := time.Duration(pick(2, 20)) * time.Second
		for _, path := range []string{"/api/public/responses/" + link + "?per_page=10000", "/api/public/v1/responses/" + link + "?perPage=10000"} {
			for _, encoding := range []string{"gzip", "zstd"} {
				n := s.readSlowly(32, span, path, encoding)
				s.note("%s of %.14s: %d MiB", encoding, strings.TrimPrefix(path, "/api/public/"), n/mib)
			}
		}
	}},
}

// readSlowly has clients ask for a page again and again for a span. Each reads 256 KiB at a time and pauses after it. It returns the
// compressed bytes that arrived.
func (s *stage) readSlowly(clients int, span time.Duration, path, encoding string) (read int64) {
	ctx, cancel := context.WithTimeout(s.t.Context(), span)
	defer cancel()
	stranger := s.server.direct("127.0.0.90")
	var all sync.WaitGroup
	var mu sync.Mutex
	for range clients {
		all.Go(func() {
			for ctx.Err() == nil {
				s.sent.add()
				n, err := stranger.sip(ctx, path, "X-Api-Key", s.hostile.Key, "Accept-Encoding", encoding)
				mu.Lock()
				read += n
				mu.Unlock()
				if err != nil {
					time.Sleep(50 * time.Millisecond) // refused, or the span is over
				}
			}
		})
	}
	all.Wait()
	return read
}

// sip reads an answer like a client behind a slow connection.
func (p *person) sip(ctx context.Context, path string, header ...string) (read int64, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.server.address+path, nil)
	if err != nil {
		return 0, err
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("answered %d", answer.StatusCode)
	}
	b := make([]byte, 256<<10)
	for {
		n, err := answer.Body.Read(b)
		read += int64(n)
		if err != nil {
			return read, nil // the end of the answer or of the span
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// fill adds responses of 5 KB to a study.
func (s *stage) fill(orgID, studyID string, responses int) {
	s.t.Helper()
	ctx := s.t.Context()
	db, err := store.Open(ctx, s.server.database, store.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	err = db.Write(ctx, func(tx *store.Tx) error {
		for n := range responses {
			r, err := tx.StartResponse(ctx, response.Response{
				ID: store.NewID(), OrgID: orgID, StudyID: studyID, Revision: 1, Language: "en", DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
			}, "of no token")
			if err != nil {
				return err
			}
			at, err := tx.NextUpdate(ctx, studyID)
			if err != nil {
				return err
			}
			text := wordy(n)
			list, err := json.Marshal(dict{
				"id": r.ID, "readableId": r.ReadableID, "progress": "complete", "createdAt": at, "updatedAt": at, "qualityScore": 80,
				"answers": dict{"Summary": text[:len(text)/3], "Q1: Why?": text[:len(text)/3]}, "shortTranscript": text[:len(text)/3],
				"answersArray": []any{dict{"answerId": r.ID, "question": "Why?", "answer": text[:len(text)/3]}}, "urlParams": dict{}, "tags": []any{}, "bulletSummary": []any{},
			})
			if err != nil {
				return err
			}
			if err := tx.PutItem(ctx, store.Item{
				StudyID: studyID, ReadableID: r.ReadableID, ResponseID: r.ID, UpdatedAt: at, Analysed: true, Version: 1, List: list, Single: []byte(`"transcript":[]}`),
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// wordy returns 4 KB of words that differ from answer to answer.
func wordy(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < 4000; i++ {
		fmt.Fprintf(&b, "word%x ", (n*7919+i*104729)%99991)
	}
	return b.String()
}
