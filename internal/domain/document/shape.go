package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"
)

// SummaryKey is the key of the summary among the keyed answers; it comes first.
const SummaryKey = "Summary"

// Item is a v1 list item with its keys as fields. Empty ids and texts stand for null where the contract has null.
type Item struct {
	ID                     string            `json:"id"`
	ReadableID             int               `json:"readableId"`
	Progress               string            `json:"progress"`
	DurationSeconds        int64             `json:"responseDurationSeconds"`
	QualityScore           Score             `json:"qualityScore"`
	Answers                KeyedAnswers      `json:"answers"`
	AnswersArray           []Answer          `json:"answersArray"`
	URLParams              map[string]string `json:"urlParams"`
	Tags                   []string          `json:"tags"`
	Tagline                string            `json:"tagline"`
	BulletSummary          []string          `json:"bulletSummary"`
	ShortTranscript        string            `json:"shortTranscript"`
	ShortAssistantMessages []string          `json:"shortAssistantMessages"`
	OtherRemarks           string            `json:"otherRemarks"`
	Personas               string            `json:"personas"`
	CreatedAt              time.Time         `json:"createdAt"`
	UpdatedAt              time.Time         `json:"updatedAt"`
}

// Summary returns the summary of the conversation; ok is false until the analysis is done.
func (it *Item) Summary() (text string, ok bool) {
	if len(it.Answers) == 0 || it.Answers[0].Key != SummaryKey {
		return "", false
	}
	return it.Answers[0].Text, true
}

// Answer is an entry of answersArray. ConceptID is empty outside concept blocks.
type Answer struct {
	AnswerID   string `json:"answerId"`
	QuestionID string `json:"discussionGuideQuestionId"`
	ConceptID  string `json:"conceptId"`
	Question   string `json:"question"`
	Answer     string `json:"answer"`
}

// KeyedAnswer is a member of the answers object.
type KeyedAnswer struct {
	Key  string // "Summary", or "Q<n>: <text>"
	Text string
}

// KeyedAnswers is the answers object, in order. No key occurs twice.
type KeyedAnswers []KeyedAnswer

// UnmarshalJSON reads the object and keeps its order, which a map would lose.
func (k *KeyedAnswers) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("answers: not an object: %v", t)
	}
	*k = nil
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return fmt.Errorf("answers: %w", err)
		}
		entry := KeyedAnswer{Key: key.(string)} // in an object, the token before a value is its key
		if err := dec.Decode(&entry.Text); err != nil {
			return fmt.Errorf("answers: %w", err)
		}
		*k = append(*k, entry)
	}
	return nil
}

// Score is a quality score from 1 to 5; any other value, zero included, means that there is none yet.
type Score float64

// Known reports whether the response was scored.
func (s Score) Known() bool { return s >= 1 && s <= 5 }

// UnmarshalJSON reads a number, or "pending" as zero.
func (s *Score) UnmarshalJSON(data []byte) error {
	if string(data) == `"pending"` {
		*s = 0
		return nil
	}
	value, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return fmt.Errorf("qualityScore: %w", err)
	}
	*s = Score(value)
	return nil
}

// Detail is a v1 single response without its head.
type Detail struct {
	URLParams     map[string]string `json:"urlParams"`
	Tagline       string            `json:"tagline"`
	BulletSummary []string          `json:"bulletSummary"`
	Transcript    []Row             `json:"transcript"`
}

// Row is a row of the transcript. Empty ids stand for null; AnswerID is empty for the welcome and for statements. The media
// fields are never stored: an API sets them to signed links when it answers a client.
type Row struct {
	Moderator   string  `json:"moderator"`
	User        string  `json:"user"`
	QuestionID  string  `json:"discussionGuideQuestionId"`
	AnswerID    string  `json:"answerId"`
	ConceptID   string  `json:"conceptId"`
	Index       int     `json:"responseIndex"`
	FollowUp    bool    `json:"isFollowUp"`
	Audio       string  `json:"audio"`
	Video       *Stream `json:"video"`
	ScreenVideo *Stream `json:"screenVideo"`
}

// Stream holds the links of a recording with video. An empty link stands for null.
type Stream struct {
	StreamURL string `json:"streamUrl"` // HLS
	MP4URL    string `json:"mp4Url"`
}

// DecodeItem reads the bytes that ListItem returned.
func DecodeItem(data []byte) (Item, error) {
	var it Item
	if err := json.Unmarshal(data, &it); err != nil {
		return Item{}, fmt.Errorf("decode list item: %w", err)
	}
	return it, nil
}

// DecodeSingle reads the bytes that Single returned or WriteSingle wrote (it ignores the head).
func DecodeSingle(data []byte) (Detail, error) {
	if !bytes.HasPrefix(data, []byte("{")) {
		data = append([]byte("{"), data...)
	}
	var d Detail
	if err := json.Unmarshal(data, &d); err != nil {
		return Detail{}, fmt.Errorf("decode single response: %w", err)
	}
	return d, nil
}

// WriteSingle writes the complete v1 single response: the head, then the bytes that Single or Detail.Encode returned. It
// fails only if the writer does.
func WriteSingle(w io.Writer, id string, readableID int, linkID string, stored []byte) error {
	head := make([]byte, 0, 128)
	head = appendString(append(head, `{"id":`...), id)
	head = strconv.AppendInt(append(head, `,"readableId":`...), int64(readableID), 10)
	head = appendString(append(head, `,"linkId":`...), linkID)
	if _, err := w.Write(append(head, ',')); err != nil {
		return err
	}
	_, err := w.Write(stored)
	return err
}
