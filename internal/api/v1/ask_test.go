package v1_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/llm/llmtest"
	"verbatim/internal/platform/store/storetest"
)

const askAll = "/api/public/v1/ask"

func askPath(ref string) string { return "/api/public/v1/studies/" + ref + "/ask" }

type askedFor struct {
	Status    string
	Reason    *string
	Answer    *string
	Sentences []struct {
		Text      string
		Responses int
		Quotes    []struct {
			LinkID, Text            string
			ReadableResponseID, Row int
		}
	}
	Passages []struct{ LinkID, Text, Question string }
	Words    []struct {
		Word      string
		Responses int
	}
	Responses, SearchedResponses, UnverifiedDropped int
	Model                                           *string
}

// said adds a finished response with an answer to the study's only question.
func said(t *testing.T, s *servertest.Service, st study.Study, text string) {
	t.Helper()
	s.AddResponse(t, st, document.Source{
		Response:  response.Response{Progress: response.Complete},
		Exchanges: []interview.Exchange{{ItemID: "why", Moderator: "Why apples?", User: text}},
	})
}

func TestAsk(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	one, two := storetest.Study(t, s.Store, s.Org.ID, "", ""), storetest.Study(t, s.Store, s.Org.ID, "", "")
	foreign := storetest.Study(t, s.Store, storetest.Org(t, s.Store).ID, "", "")
	said(t, s, one, "The price is far too high for apples.")
	said(t, s, two, "I like the low price of the box.")
	said(t, s, foreign, "A secret price.")

	_, reads, err := s.Server.Access.CreateLimitedKey(t.Context(), s.Org.ID, s.Admin.ID, "reads", org.KeyLimits{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	const question = `{"question":"What do people say about the price?"}`
	for _, ref := range []string{one.ID, one.LinkID} {
		got := servertest.Decode[askedFor](t, s.Do(t, "POST", askPath(ref), question, "x-api-key", reads).Want(t, 200, ""))
		if got.Status != "passages" || *got.Reason != "no_model" || len(got.Passages) != 1 || got.Passages[0].LinkID != one.LinkID || got.Responses != 1 || got.Answer != nil {
			t.Errorf("%s: %+v", ref, got)
		}
	}
	all := servertest.Decode[askedFor](t, s.Do(t, "POST", askAll, `{"question":"price?","passages":1}`, "x-api-key", reads).Want(t, 200, ""))
	if len(all.Passages) != 1 || all.Responses != 2 || all.SearchedResponses != 2 || all.Words[0].Responses != 2 {
		t.Errorf("all studies: %+v", all)
	}
	none := servertest.Decode[askedFor](t, s.Do(t, "POST", askAll, `{"question":"What about submarines?"}`).Want(t, 200, ""))
	if none.Status != "declined" || *none.Reason != "no_match" || len(none.Passages) != 0 {
		t.Errorf("an unsupported question: %+v", none)
	}

	text, _ := json.Marshal(map[string]any{"supported": true, "sentences": []map[string]any{
		{"text": "The price is too high.", "quotes": []string{"The price is far too high"}},
		{"text": "9 of 10 find the price too high.", "quotes": []string{"The price is far too high"}},
	}})
	s.Server.V1.Asking.Chat = llmtest.New(llmtest.Says(string(text))).Client(t, llm.Config{})
	written := servertest.Decode[askedFor](t, s.Do(t, "POST", askPath(one.ID), question).Want(t, 200, ""))
	if written.Status != "answered" || *written.Answer != "The price is too high." || written.UnverifiedDropped != 1 || written.Reason != nil ||
		written.Sentences[0].Quotes[0].ReadableResponseID != 1 || written.Sentences[0].Quotes[0].Row != 1 || written.Model == nil {
		t.Errorf("with a model: %+v", written)
	}

	huge := strings.Repeat(" ", 4<<20+1)
	for _, path := range []string{askPath(one.ID), askAll} {
		s.Do(t, "POST", path, `{`).Want(t, 400, "invalid_json")
		for _, body := range []string{`{}`, `{"question":""}`, `{"question":1}`, `{"question":"a","passages":51}`, `{"question":"a","study":"b"}`} {
			s.Do(t, "POST", path, body).Want(t, 400, "invalid_request_body")
		}
		s.Do(t, "POST", path, `{"question":" "}`).Want(t, 400, "bad_request")
		s.Do(t, "POST", path, `{"question":"`+strings.Repeat("a", 501)+`"}`).Want(t, 400, "bad_request")
		s.Send(t, "POST", path, iotest.ErrReader(io.ErrUnexpectedEOF)).Want(t, 400, "bad_request")
		s.Do(t, "POST", path, huge).Want(t, 413, "payload_too_large")
		s.Get(t, path).Want(t, 405, "method_not_allowed")
	}
	for _, ref := range []string{foreign.ID, foreign.LinkID, unknownID, "nosuchstudy"} {
		s.Do(t, "POST", askPath(ref), question).Want(t, 404, "study_not_found")
	}
}
