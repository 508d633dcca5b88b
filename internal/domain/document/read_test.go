package document

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"verbatim/internal/domain/strictjson"
)

// TestReadItemReadsOwnItems checks that a list written by this program can be read again, and encodes to the same bytes.
func TestReadItemReadsOwnItems(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]Source{"analysed": analysed(), "begun": begun()} {
		written := ListItem(src)
		it, err := ReadItem(written)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := it.Encode(); !bytes.Equal(got, written) {
			t.Errorf("%s:\n%s\n%s", name, written, got)
		}
		if it.Analysed() != (src.Analysis != nil) {
			t.Errorf("%s: Analysed() = %v", name, it.Analysed())
		}
	}
}

func TestReadItemNormalizes(t *testing.T) {
	t.Parallel()
	it, err := ReadItem([]byte(strings.NewReplacer(
		`"id":"01890a5d`, `"id":"01890A5D`, `"responseDurationSeconds":755`, `"responseDurationSeconds":12.5`,
		`2026-03-04T06:06:07.123456Z`, `2026-03-04T06:06:07.1234567`, `2026-03-04T05:06:07.000000Z`, `2026-03-04T06:06:07+01:00`,
		`"tagline":"Bread first"`, `"tagline":""`,
	).Replace(string(ListItem(analysed())))))
	if err != nil {
		t.Fatal(err)
	}
	if it.ID != responseID || it.DurationSeconds != 13 || it.Tagline != "" ||
		!it.UpdatedAt.Equal(time.Date(2026, 3, 4, 6, 6, 7, 123456000, time.UTC)) || !it.CreatedAt.Equal(analysed().Response.CreatedAt) {
		t.Errorf("got %+v", it)
	}
}

func TestReadItemRefuses(t *testing.T) {
	t.Parallel()
	full := string(ListItem(analysed()))
	for _, tt := range []struct{ old, new, message string }{
		{`"The crunch"}`, `7}`, "answersArray.1.answer: Expected string, received number"},
		{`"tags":`, `"tagz":`, "tags: Required"},
		{`"tagline":`, `"qualityscore":1,"tagline":`, "the nearest known key is 'qualityScore'"},
		{`"id":"0189`, `"id":"x189`, "id: Invalid uuid"},
		{`"readableId":7`, `"readableId":0`, "readableId: Number must be greater"},
		{`"readableId":7`, `"readableId":3000000000`, "readableId: Number must be less"},
		{`"progress":"complete"`, `"progress":"done"`, "progress: Invalid enum value"},
		{`"qualityScore":4.5`, `"qualityScore":"good"`, "qualityScore: Expected a number from 1 to 5, or 'pending', received string"},
		{`"qualityScore":4.5`, `"qualityScore":9`, "received 9"},
		{`"responseDurationSeconds":755`, `"responseDurationSeconds":-1`, "responseDurationSeconds: Expected a number of seconds"},
		{`2026-03-04T05:06:07.000000Z`, `2026-03-04`, "createdAt: Expected an RFC 3339 date-time"},
		{`"urlParams":{`, `"urlParams":{"n":1,`, "urlParams.n: Expected string, received number"},
		{`"answers":{`, `"answers":{"n":null,`, "answers.n: Expected string, received null"},
		{`"answers":{`, `"answers":[],"was":{`, "answers: Expected object, received array"},
		{`"readableId":7,`, `"readableId":7,"readableId":8,`, "duplicate key"},
		{`"answerId":"`, `"answerId":"","was":"`, "answerId: String must contain"},
	} {
		line := strings.Replace(full, tt.old, tt.new, 1)
		if line == full {
			t.Fatalf("%s is not in the item", tt.old)
		}
		_, err := ReadItem([]byte(line))
		text := ""
		if schema, ok := err.(*strictjson.SchemaError); ok {
			for _, issue := range schema.Issues {
				text += issue.String() + "\n"
			}
		} else if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, tt.message) {
			t.Errorf("%s: %q, want %q", tt.new, text, tt.message)
		}
	}
}

// TestSingleOfJoins checks that an answer id from elsewhere joins its row.
func TestSingleOfJoins(t *testing.T) {
	t.Parallel()
	it, err := DecodeItem(ListItem(analysed()))
	if err != nil {
		t.Fatal(err)
	}
	it.AnswersArray[0].AnswerID = "foreign-1"
	d, err := DecodeSingle(SingleOf(&it))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Transcript) != len(it.AnswersArray) || d.Tagline != it.Tagline {
		t.Fatalf("got %+v", d)
	}
	for i, row := range d.Transcript {
		a := it.AnswersArray[i]
		if row.AnswerID != a.AnswerID || row.User != a.Answer || row.Moderator != a.Question || row.QuestionID != a.QuestionID || row.Index != i {
			t.Errorf("row %d: %+v, want that of %+v", i, row, a)
		}
	}
}
