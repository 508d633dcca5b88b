package legacy_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/api/server/servertest"
	"verbatim/internal/domain/document"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/guide/guidetest"
	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/platform/store/storetest"
)

// TestAPIsAgree draws guides and responses, and compares each fact that both APIs return.
func TestAPIsAgree(t *testing.T) {
	t.Parallel()
	s := servertest.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		g := guidetest.Guide(rt)
		var st study.Study
		storetest.Write(t, s.Store, func(tx *store.Tx) (err error) {
			st, err = tx.CreateStudy(t.Context(), study.Study{OrgID: s.Org.ID, Title: g.Title}, guide.Encode(g))
			return err
		})
		for range rapid.IntRange(1, 2).Draw(rt, "responses") {
			s.AddResponse(t, st, drawn(rt, g))
		}
		agree := func(what, modern, older string, rename map[string]string, only ...string) {
			one := facts(t, s.Get(t, modern).Want(t, 200, "").Body, rename, only)
			other := facts(t, s.Get(t, older).Want(t, 200, "").Body, nil, only)
			if diff := cmp.Diff(one, other); diff != "" {
				rt.Fatalf("%s (-v1 +legacy):\n%s", what, diff)
			}
		}
		agree("responses", "/api/public/v1/responses/"+st.LinkID, "/api/public/responses/"+st.LinkID,
			map[string]string{"readableId": "response_number", "urlParams": "attributes", "discussionGuideQuestionId": "discussion_guide_question_id"},
			"otherRemarks", "personas", "question_id", "summary")
		agree("response", "/api/public/v1/responses/"+st.LinkID+"/1", "/api/public/responses/"+st.LinkID+"/1",
			map[string]string{"linkId": "survey", "isFollowUp": "is_followup"},
			"readable_id", "url_params", "tagline", "bullet_summary", "screen_video", "question_uuid")
		agree("questions", "/api/public/v1/studies/"+st.LinkID+"/questions", "/api/public/studies/"+st.LinkID+"/questions", nil,
			"rows", "columns", "metric", "items_per_screen")
	})
}

// drawn returns a response to a guide, with answers to some of its items.
func drawn(rt *rapid.T, g *guide.Guide) document.Source {
	words := rapid.StringMatching(`[a-z<&"é]{0,8}( [a-z]{1,5})?`)
	src := document.Source{Guide: g, Response: response.Response{
		Progress:  rapid.SampledFrom([]response.Progress{response.InProgress, response.Complete, response.ScreenedOut}).Draw(rt, "progress"),
		Duration:  time.Duration(rapid.IntRange(0, 9000).Draw(rt, "ms")) * time.Millisecond,
		URLParams: rapid.MapOfN(rapid.StringMatching(`_?[a-z]{1,4}`), words, 0, 3).Draw(rt, "params"),
	}}
	for place, item := range g.Items() {
		if rapid.Bool().Draw(rt, "asked") {
			continue
		}
		concepts := []guide.Concept{{}}
		if own := g.Blocks[place.Block].Concepts(); len(own) > 0 {
			concepts = own
		}
		for _, concept := range concepts {
			reply := words.Draw(rt, "reply")
			src.Exchanges = append(src.Exchanges, interview.Exchange{
				ItemID: item.ID, ConceptID: concept.ID, Moderator: item.Text, User: reply, Statement: item.Type == guide.Statement,
				FollowUp: rapid.Bool().Draw(rt, "follow-up"),
			})
			if item.Type != guide.Statement {
				src.Answers = append(src.Answers, interview.Answered{
					ItemID: item.ID, ConceptID: concept.ID, ConceptTitle: concept.Title, Number: place.Number, Question: item.Text, Text: reply,
				})
			}
		}
	}
	if src.Response.Progress != response.InProgress && rapid.Bool().Draw(rt, "analysed") {
		src.Analysis = &response.Analysis{
			Summary: words.Draw(rt, "summary"), Tagline: words.Draw(rt, "tagline"),
			Bullets: rapid.SliceOfN(words, 0, 2).Draw(rt, "bullets"), Tags: rapid.SliceOfN(words, 0, 2).Draw(rt, "tags"),
			ShortTranscript: words.Draw(rt, "short"), ShortAssistantMessages: rapid.SliceOfN(words, 0, 2).Draw(rt, "messages"),
			Quality: response.Quality{Score: float64(rapid.IntRange(2, 10).Draw(rt, "score")) / 2},
		}
	}
	return src
}

// facts decodes a body into values that both APIs spell alike: legacy names, legacy times, and legacy values for what is not
// known yet. Keys that only one API has are left out.
func facts(t *testing.T, body []byte, rename map[string]string, only []string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return plain(v, "", rename, only)
}

func plain(v any, key string, rename map[string]string, only []string) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plain(v[i], key, rename, only)
		}
	case map[string]any:
		if key == "url_params" || key == "attributes" {
			return v
		}
		same := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			spelt := snake(name, key, rename)
			if !slices.Contains(only, spelt) && !slices.Contains(only, name) {
				same[spelt] = plain(v[name], spelt, rename, only)
			}
		}
		if _, item := same["quality_score"]; item && same["short_assistant_messages"] == nil {
			same["short_assistant_messages"] = []any{}
		}
		if kind := same["type"]; kind == "matrix" || kind == "max_diff" {
			delete(same, "options")
			delete(same, "is_multi_select")
		}
		return same
	case string:
		if key == "quality_score" {
			return nil
		}
		if (key == "created_at" || key == "updated_at") && strings.HasSuffix(v, "Z") {
			return strings.TrimSuffix(v, "Z") + "+00:00"
		}
	case nil:
		if key == "tagline" || key == "discussion_guide_question_id" {
			return ""
		}
	}
	return v
}

// snake returns the legacy spelling of a key. A key of the answers object keeps only its number.
func snake(name, within string, rename map[string]string) string {
	if within == "answers" {
		var n int
		if _, err := fmt.Sscanf(name, "Q%d: ", &n); err == nil {
			return fmt.Sprintf("Question %d", n)
		}
		return name
	}
	if renamed, ok := rename[name]; ok {
		return renamed
	}
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
