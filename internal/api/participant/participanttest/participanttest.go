// Package participanttest serves participants in tests of the protocol and of the pages, with a store of its own, and has guides for
// them.
package participanttest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/translation"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
	"verbatim/internal/service/access"
	"verbatim/test/contract"
)

// Service is a served API with its own store.
type Service struct {
	T       testing.TB
	URL     string
	Handler http.Handler // without what New wraps it in
	Store   *store.Store
	Org     string
	Wallet  string
}

// BaseURL is the public address of the service.
const BaseURL = "https://studies.example.org"

// New serves what register adds to a mux, in the wrapper of a test unless it is nil. Its organization has a wallet with funds.
func New(t testing.TB, s *store.Store, funds wallet.Credits, register func(*http.ServeMux), wrap func(http.Handler) http.Handler) *Service {
	t.Helper()
	own := Unserved(t, s, funds)
	mux := http.NewServeMux()
	register(mux)
	own.Handler = mux
	served := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, r.WithContext(access.WithClient(r.Context(), []access.Share{{Name: "192.0.2.1", Times: 1}}))) // as internal/api/server sets it
	}))
	if wrap != nil {
		served = wrap(served)
	}
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	own.URL = server.URL
	return own
}

// Unserved returns a Service without an address, for tests that serve it themselves.
func Unserved(t testing.TB, s *store.Store, funds wallet.Credits) *Service {
	t.Helper()
	own := &Service{T: t, Store: s, Org: storetest.Org(t, s).ID}
	own.Wallet = storetest.Wallet(t, s, own.Org, funds).ID
	return own
}

// Contract returns a wrapper that checks responses against the contract.
func Contract(t testing.TB) func(http.Handler) http.Handler {
	t.Helper()
	suite, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	return func(h http.Handler) http.Handler { return suite.Wrap(t, httpx.WithRequestID(h)) }
}

// Launch creates a live study from a guide.
func (s *Service) Launch(g *guide.Guide, walletID string) study.Study {
	s.T.Helper()
	var live study.Study
	storetest.Write(s.T, s.Store, func(tx *store.Tx) error {
		draft, err := tx.CreateStudy(s.T.Context(), study.Study{OrgID: s.Org, Title: g.Title}, guide.Encode(g))
		if err != nil {
			return err
		}
		if err := tx.Publish(s.T.Context(), draft, walletID); err != nil {
			return err
		}
		live, err = tx.Study(s.T.Context(), s.Org, draft.ID)
		return err
	})
	return live
}

// Object is any JSON object.
type Object = map[string]any

// Call sends JSON and returns the decoded response.
func (s *Service) Call(method, path string, body any) (int, Object, http.Header) {
	s.T.Helper()
	var payload io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		payload = strings.NewReader(b)
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			s.T.Fatal(err)
		}
		payload = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(s.T.Context(), method, s.URL+path, payload)
	if err != nil {
		s.T.Fatal(err)
	}
	return s.Do(request)
}

// Do sends a request and returns the decoded JSON response.
func (s *Service) Do(request *http.Request) (int, Object, http.Header) {
	s.T.Helper()
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		s.T.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	var answer Object
	if len(text) > 0 && json.Unmarshal(text, &answer) != nil {
		s.T.Fatalf("%s %s answers no JSON: %s", request.Method, request.URL.Path, text)
	}
	return reply.StatusCode, answer, reply.Header
}

// Begin starts an interview by JSON and returns its token and first step.
func (s *Service) Begin(linkID, query string) (string, Object) {
	s.T.Helper()
	status, body, _ := s.Call("POST", "/s/"+linkID+"/interviews?"+query, nil)
	if status != http.StatusCreated {
		s.T.Fatalf("starting answers %d %v", status, body)
	}
	return body["token"].(string), body["step"].(Object)
}

// SaveBrand stores the brand of the organization.
func (s *Service) SaveBrand(b org.Brand) {
	s.T.Helper()
	storetest.Write(s.T, s.Store, func(tx *store.Tx) error {
		o, err := tx.Org(s.T.Context(), s.Org)
		if err != nil {
			return err
		}
		o.Brand = b
		return tx.SaveOrg(s.T.Context(), o)
	})
}

// Translate approves a German translation of a guide in which every text is the source's with the prefix "De:".
func (s *Service) Translate(live study.Study, g *guide.Guide) {
	s.T.Helper()
	s.TranslateInto(live, g, "De:", "de")
}

// TranslateInto approves translations of a guide in which every text is the source's with a prefix.
func (s *Service) TranslateInto(live study.Study, g *guide.Guide, prefix string, languages ...string) {
	s.T.Helper()
	storetest.Write(s.T, s.Store, func(tx *store.Tx) error {
		for _, language := range languages {
			translated := translation.New(g, live.ID, live.PublishedRevision, language)
			for i := range translated.Entries {
				translated.Entries[i].Text, translated.Entries[i].State = prefix+translated.Entries[i].Source, translation.Edited
			}
			if err := translated.Approve(); err != nil {
				return err
			}
			if err := tx.SaveTranslation(s.T.Context(), translated); err != nil {
				return err
			}
		}
		return nil
	})
}

// ResponseOf returns the id of a response.
func ResponseOf(t testing.TB, s *store.Store, studyID string, readableID int) string {
	t.Helper()
	item, err := s.View().ItemByReadableID(t.Context(), studyID, readableID)
	if err != nil {
		t.Fatal(err)
	}
	return item.ResponseID
}

// Metadata encodes the metadata of an upload.
func Metadata(pairs ...string) string {
	var all []string
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, pair[0]+" "+base64.StdEncoding.EncodeToString([]byte(pair[1])))
	}
	return strings.Join(all, ",")
}
