package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
)

var update = flag.Bool("update", false, "write the golden files again")

const responseID = "01890a5d-ac96-774b-bcce-b302099a8057"

// analysed returns a finished interview with a statement, follow-ups, two concepts and an analysis.
func analysed() Source {
	return Source{
		Response: response.Response{
			ID: responseID, ReadableID: 7, Progress: response.Complete, Duration: 754*time.Second + 600*time.Millisecond,
			URLParams: map[string]string{"panel": "a<b>&c", "_preview": "1", "age": "", "zone": "北"},
			CreatedAt: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
			UpdatedAt: time.Date(2026, 3, 4, 7, 6, 7, 123456789, time.FixedZone("", 3600)),
		},
		Guide: &guide.Guide{Welcome: guide.Welcome{Title: "Hello", Message: "Ten minutes about breakfast."}},
		Answers: []interview.Answered{
			{ItemID: "bf", Number: 2, Question: `What is a "good" breakfast?`, Text: "Bread & cheese\u2028always.\n\nWith my sister.", FollowUps: 1},
			{ItemID: "like", ConceptID: "c2", ConceptTitle: "Oat bar", Number: 3, Question: "What do you like?", Text: "The crunch"},
			{ItemID: "like", ConceptID: "c1", ConceptTitle: "Porridge", Number: 3, Question: "What do you like?"},
		},
		Exchanges: []interview.Exchange{
			{ItemID: "intro", Statement: true, Moderator: "Let us begin."},
			{ItemID: "bf", Moderator: `What is a "good" breakfast?`, User: "Bread & cheese\u2028always."},
			{ItemID: "bf", FollowUp: true, Moderator: "With whom?", User: "With my sister."},
			{ItemID: "like", ConceptID: "c2", Moderator: "What do you like?", User: "The crunch"},
			{ItemID: "like", ConceptID: "c1", Moderator: "What do you like?"},
		},
		Analysis: &response.Analysis{
			Summary: "A calm eater.", Tagline: "Bread first", Bullets: []string{"Bread", "Cheese"}, Tags: []string{"bread"},
			ShortTranscript: "Moderator: Begin\nParticipant: …", ShortAssistantMessages: []string{"Begin"},
			OtherRemarks: "None", Personas: "Traditionalist", Quality: response.Quality{Score: 4.5},
		},
	}
}

// begun returns an interview without an answer.
func begun() Source {
	return Source{
		Response: response.Response{
			ID: responseID, ReadableID: 1, Progress: response.InProgress,
			CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), UpdatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		},
		Guide:     &guide.Guide{},
		Exchanges: []interview.Exchange{{ItemID: "bf", Moderator: "What do you eat?"}},
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for name, encode := range map[string]func() []byte{
		"item_analysed.json": func() []byte { return ListItem(analysed()) },
		"item_begun.json":    func() []byte { return ListItem(begun()) },
		"single_analysed.json": func() []byte {
			var b bytes.Buffer
			if err := WriteSingle(&b, responseID, 7, "AbC23xyz", Single(analysed())); err != nil {
				t.Error(err)
			}
			return b.Bytes()
		},
		"single_begun.json": func() []byte {
			var b bytes.Buffer
			if err := WriteSingle(&b, responseID, 1, `sl"ug`, Single(begun())); err != nil {
				t.Error(err)
			}
			return b.Bytes()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			raw := encode()
			var got bytes.Buffer
			if err := json.Indent(&got, raw, "", "  "); err != nil {
				t.Fatalf("not JSON: %v\n%s", err, raw)
			}
			got.WriteByte('\n')
			path := filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("(-golden +got)\n%s", diff)
			}
		})
	}
}

func TestAnswersAreOrderedAndNeverRepeatAKey(t *testing.T) {
	t.Parallel()
	src := analysed()
	src.Answers = []interview.Answered{
		{ItemID: "z", Number: 10, Question: "Last?", Text: "z"},
		{ItemID: "a", ConceptID: "1", ConceptTitle: "One", Number: 2, Question: "Which?", Text: "first"},
		{ItemID: "s", Question: SummaryKey, Text: "a question that has no number"},
		{ItemID: "a", ConceptID: "2", ConceptTitle: "Two", Number: 2, Question: "Which?", Text: "second"},
	}
	item, err := DecodeItem(ListItem(src))
	if err != nil {
		t.Fatal(err)
	}
	want := KeyedAnswers{
		{SummaryKey, "A calm eater.\n\na question that has no number"},
		{"Q2: Which?", "One: first\n\nTwo: second"},
		{"Q10: Last?", "z"},
	}
	if diff := cmp.Diff(want, item.Answers); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if text, ok := item.Summary(); !ok || text != want[0].Text {
		t.Errorf("Summary() = %q, %v", text, ok)
	}
	item, err = DecodeItem(ListItem(begun()))
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := item.Summary(); ok {
		t.Errorf("Summary() before the analysis = %q, true", text)
	}
}

func TestRowsJoinAnswers(t *testing.T) {
	t.Parallel()
	item, err := DecodeItem(ListItem(analysed()))
	if err != nil {
		t.Fatal(err)
	}
	detail, err := DecodeSingle(Single(analysed()))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for i, r := range detail.Transcript {
		if r.Index != i {
			t.Errorf("row %d has index %d", i, r.Index)
		}
		rows[r.AnswerID]++
	}
	if rows[""] != 2 {
		t.Errorf("%d rows without an answer, want the welcome and the statement", rows[""])
	}
	for _, a := range item.AnswersArray {
		if rows[a.AnswerID] == 0 {
			t.Errorf("answer %s joins no row", a.AnswerID)
		}
	}
}

func TestAnswerID(t *testing.T) {
	t.Parallel()
	// The value is a promise to clients: it must not change from one version to the next.
	if got, want := AnswerID(responseID, "bf", ""), "e2942d13-61a5-5972-945f-6e759255b306"; got != want {
		t.Errorf("AnswerID = %s, want %s", got, want)
	}
	if AnswerID("r", "a", "bc") == AnswerID("r", "ab", "c") {
		t.Error("different items share an answer id")
	}
}

func TestSignedLinksAreSetAtReadTime(t *testing.T) {
	t.Parallel()
	stored := Single(analysed())
	detail, err := DecodeSingle(stored)
	if err != nil {
		t.Fatal(err)
	}
	if got := detail.Encode(); !bytes.Equal(got, stored) {
		t.Fatalf("decoding and encoding changed the document:\n%s\n%s", stored, got)
	}
	detail.Transcript[2].Audio = "https://x.example/a?sig=1&e=2"
	detail.Transcript[2].Video = &Stream{StreamURL: "https://x.example/v.m3u8"}
	signed := detail.Encode()
	again, err := DecodeSingle(signed)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(detail, again); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if want := `"audio":"https://x.example/a?sig=1&e=2","video":{"streamUrl":"https://x.example/v.m3u8","mp4Url":null},"screenVideo":null`; !strings.Contains(string(signed), want) {
		t.Errorf("%s\nlacks %s", signed, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{``, `{`, `[]`, `{"answers":[]}`, `{"answers":{"Q1: x":2}}`, `{"qualityScore":"soon"}`} {
		if _, err := DecodeItem([]byte(bad)); err == nil {
			t.Errorf("DecodeItem(%s) gave no error", bad)
		}
	}
	if _, err := DecodeSingle([]byte(`"urlParams":1}`)); err == nil {
		t.Error("DecodeSingle gave no error")
	}
}

type brokenWriter struct{ after int }

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.after--; w.after < 0 {
		return 0, errors.New("gone")
	}
	return len(p), nil
}

func TestWriteSinglePassesTheWritersError(t *testing.T) {
	t.Parallel()
	for after := range 2 {
		if err := WriteSingle(&brokenWriter{after: after}, "i", 1, "l", Single(begun())); err == nil {
			t.Errorf("no error when write %d fails", after+1)
		}
	}
}

// TestAnyTextSurvives compares the encoder with encoding/json: whatever the texts, the bytes are JSON with the same values.
func TestAnyTextSurvives(t *testing.T) {
	t.Parallel()
	// Bytes, not runes: recordings of a broken client must not break a document.
	text := rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "raw") {
			return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		}
		return rapid.String().Draw(t, "text")
	})
	valid := func(s string) string { return string([]rune(s)) }
	rapid.Check(t, func(t *rapid.T) {
		src := Source{
			Response: response.Response{
				ID: responseID, ReadableID: rapid.IntRange(1, 1e9).Draw(t, "readable"), Progress: response.Complete,
				Duration:  time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "duration")),
				UpdatedAt: time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "updated")).UTC(),
			},
			Analysis: &response.Analysis{
				Summary: text.Draw(t, "summary"), Tagline: text.Draw(t, "tagline"), Tags: []string{text.Draw(t, "tag")},
				Quality: response.Quality{Score: float64(rapid.IntRange(2, 10).Draw(t, "halves")) / 2},
			},
		}
		for i := range rapid.IntRange(0, 5).Draw(t, "answers") {
			src.Answers = append(src.Answers, interview.Answered{ItemID: fmt.Sprint("i", i), Number: i + 1, Question: text.Draw(t, "question"), Text: text.Draw(t, "answer")})
			src.Exchanges = append(src.Exchanges, interview.Exchange{ItemID: fmt.Sprint("i", i), Moderator: text.Draw(t, "moderator"), User: text.Draw(t, "user")})
		}
		raw := ListItem(src)
		item, err := DecodeItem(raw)
		if err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
		if !bytes.Equal(raw, item.Encode()) {
			t.Fatalf("decode and encode changed\n%s\n%s", raw, item.Encode())
		}
		if len(item.AnswersArray) != len(src.Answers) || !item.UpdatedAt.Equal(src.Response.UpdatedAt) || float64(item.QualityScore) != src.Analysis.Quality.Score {
			t.Fatalf("facts were lost: %+v", item)
		}
		for i, a := range src.Answers {
			if got := item.AnswersArray[i]; got.Answer != valid(a.Text) || got.Question != valid(a.Question) {
				t.Fatalf("answer %d: got %q, %q; want %q, %q", i, got.Question, got.Answer, valid(a.Question), valid(a.Text))
			}
			if got := item.Answers[i+1]; got.Key != fmt.Sprintf("Q%d: %s", i+1, valid(a.Question)) || got.Text != valid(a.Text) {
				t.Fatalf("keyed answer %d: %+v", i, got)
			}
		}
		detail, err := DecodeSingle(Single(src))
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range src.Exchanges {
			if got := detail.Transcript[i+1]; got.User != valid(e.User) || got.Moderator != valid(e.Moderator) {
				t.Fatalf("row %d: %+v", i+1, got)
			}
		}
	})
}

// BenchmarkListItem encodes an item of about 8 KB: 16 answers and a full analysis.
func BenchmarkListItem(b *testing.B) {
	src := analysed()
	src.Answers = nil
	for i := range 16 {
		src.Answers = append(src.Answers, interview.Answered{
			ItemID: fmt.Sprint("question-", i), Number: i + 1, Question: "How do you usually plan what you are going to cook?",
			Text: strings.Repeat("Mostly on Sunday, with a list on the fridge.\n", 3),
		})
	}
	src.Analysis.ShortTranscript = strings.Repeat("Moderator: Plan?\nParticipant: Mostly on Sunday.\n", 16)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(ListItem(src))))
	}
}
