package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
)

// dataset describes what was loaded.
type dataset struct {
	Key     string
	Live    string // link id of a study without responses, in which interviews are started
	Asking  string // the same, of a study whose moderator asks follow-ups
	Studies []loaded

	fill int // bytes that the baseline adds to a hit of a search, so that it sends as much as the server
}

// loaded is one study with its responses.
type loaded struct {
	ID, Link string
	Size     int
	Poll     time.Time // 100 responses were updated after it
}

// polled is the number of responses of each study that were updated after its Poll.
const polled = 100

// load creates the studies, or reads those of an earlier run in the same folder.
func load(ctx context.Context, path string, o options) (d dataset, err error) {
	notes := filepath.Join(filepath.Dir(path), "bench.json")
	if kept, err := os.ReadFile(notes); err == nil {
		return d, json.Unmarshal(kept, &d)
	}
	s, err := store.Open(ctx, "sqlite:"+path, store.Options{})
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.Migrate(ctx); err != nil {
		return d, err
	}
	orgID, err := d.begin(ctx, s)
	if err != nil {
		return d, err
	}
	for _, size := range append([]int{o.responses}, o.growth...) {
		one, err := loadStudy(ctx, s, orgID, size, o.body)
		if err != nil {
			return d, err
		}
		d.Studies = append(d.Studies, one)
	}
	kept, err := json.Marshal(d)
	if err != nil {
		return d, err
	}
	return d, os.WriteFile(notes, kept, 0o600)
}

// begin creates an organization with a key, and the studies without responses.
func (d *dataset) begin(ctx context.Context, s *store.Store) (orgID string, err error) {
	var scope org.Organization
	d.Key = org.FormatKey([32]byte([]byte("a key that serves the bench only")))
	if err := s.Write(ctx, func(tx *store.Tx) error {
		if scope, err = tx.CreateOrg(ctx, "Bench"); err != nil {
			return err
		}
		user, err := tx.CreateUser(ctx, "bench@example.org", "Bench")
		if err != nil {
			return err
		}
		if err := tx.SetMember(ctx, scope.ID, user.ID, org.Admin); err != nil {
			return err
		}
		_, err = tx.CreateKey(ctx, org.Key{OrgID: scope.ID, UserID: user.ID, Name: "bench", Prefix: org.KeyPrefix(d.Key)}, org.HashKey(d.Key))
		return err
	}); err != nil {
		return "", err
	}
	live, err := addStudy(ctx, s, scope.ID, guide.FollowUpNone)
	if err != nil {
		return "", err
	}
	asking, err := addStudy(ctx, s, scope.ID, guide.FollowUpMedium)
	if err != nil {
		return "", err
	}
	d.Live, d.Asking = live.LinkID, asking.LinkID
	return scope.ID, nil
}

// addStudy creates a live study of five open questions without a wallet.
func addStudy(ctx context.Context, s *store.Store, orgID string, asked guide.FollowUp) (st study.Study, err error) {
	var items []guide.Item
	for n := range 5 {
		items = append(items, guide.Item{ID: fmt.Sprint("q", n), Type: guide.OpenEnded, Text: "What did you like about it, and why?", FollowUp: asked})
	}
	g := guide.Encode(&guide.Guide{Title: "Bench", Blocks: []guide.Block{{ID: "b", Type: guide.BlockFlat, Title: "Questions", Items: items}}})
	err = s.Write(ctx, func(tx *store.Tx) error {
		if st, err = tx.CreateStudy(ctx, study.Study{OrgID: orgID, Title: "Bench"}, g); err != nil {
			return err
		}
		if err := tx.Publish(ctx, st, ""); err != nil {
			return err
		}
		st, err = tx.Study(ctx, orgID, st.ID)
		return err
	})
	return st, err
}

// loadStudy fills a study. Each response has a URL parameter with a value of its own, and one whose value it shares with 99 others.
func loadStudy(ctx context.Context, s *store.Store, orgID string, size, body int) (loaded, error) {
	st, err := addStudy(ctx, s, orgID, guide.FollowUpNone)
	if err != nil {
		return loaded{}, err
	}
	random := rand.New(rand.NewPCG(1, uint64(size)))
	l := loaded{ID: st.ID, Link: st.LinkID, Size: size}
	for done := 0; done < size; {
		err := s.Write(ctx, func(tx *store.Tx) error {
			for n := done; n < min(done+500, size); n++ {
				r, err := tx.StartResponse(ctx, response.Response{
					ID: store.NewID(), OrgID: orgID, StudyID: st.ID, Revision: 1, Language: "en", DisclosedAt: tx.Now(), ConsentedAt: tx.Now(),
					URLParams: map[string]string{"one": fmt.Sprint(size, "-", n), "hundred": fmt.Sprint(size, "-", n/100)},
				}, "of no token")
				if err != nil {
					return err
				}
				if err := put(ctx, tx, r, body, random); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return l, err
		}
		done = min(done+500, size)
	}
	l.Poll = s.Now()
	return l, s.Write(ctx, func(tx *store.Tx) error {
		for n := range polled {
			it, err := tx.ItemByReadableID(ctx, st.ID, 1+n*(size/polled))
			if err != nil {
				return err
			}
			if it.UpdatedAt, err = tx.NextUpdate(ctx, st.ID); err != nil {
				return err
			}
			if err := tx.PutItem(ctx, it); err != nil {
				return err
			}
		}
		return nil
	})
}

// put stores the documents of an analysed response: random words in the shape of an item.
func put(ctx context.Context, tx *store.Tx, r response.Response, body int, random *rand.Rand) error {
	text := words(random, body)
	list, single := documents(r.ID, r.ReadableID, text)
	at, err := tx.NextUpdate(ctx, r.StudyID)
	if err != nil {
		return err
	}
	return tx.PutItem(ctx, store.Item{
		StudyID: r.StudyID, ReadableID: r.ReadableID, ResponseID: r.ID, UpdatedAt: at, Analysed: true, Version: 1, List: list, Single: single,
	})
}

// documents returns a response's list item and its single form.
func documents(id string, readableID int, text string) (list, single []byte) {
	list = fmt.Appendf(nil, `{"id":%q,"readableId":%d,"progress":"complete","answers":{"Summary":%q}}`, id, readableID, text)
	return list, fmt.Appendf(nil, `"urlParams":{},"tagline":"","bulletSummary":[],"transcript":[{"moderator":"","user":%q}]}`, text[:len(text)/2])
}

func words(random *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		for range 2 + random.IntN(8) {
			b.WriteByte(byte('a' + random.IntN(26)))
		}
		b.WriteByte(' ')
	}
	return b.String()[:size]
}
