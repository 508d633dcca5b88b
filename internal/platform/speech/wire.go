package speech

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"verbatim/internal/domain/transcript"
)

// transcription returns a request that streams the sound. The plain form contains only what every such service accepts.
func (c *Client) transcription(ctx context.Context, s Sound, plain bool) (*http.Request, error) {
	fields := [][2]string{{"model", c.config.Model}, {"response_format", "json"}}
	if !plain {
		fields = [][2]string{
			{"model", c.config.Model},
			{"response_format", "verbose_json"},
			{"timestamp_granularities[]", "word"},
			{"timestamp_granularities[]", "segment"},
			{"temperature", "0"},
		}
		if len(s.Language) == 2 { // the codes that services know
			fields = append(fields, [2]string{"language", s.Language})
		}
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	for _, field := range fields {
		if err := parts.WriteField(field[0], field[1]); err != nil {
			return nil, err
		}
	}
	if _, err := parts.CreateFormFile("file", "speech.wav"); err != nil {
		return nil, err
	}
	form.Write(wavHeader(s.Bytes))
	ending := "\r\n--" + parts.Boundary() + "--\r\n"
	size := int64(form.Len()) + s.Bytes + int64(len(ending))
	head := form.Bytes()
	content := func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(bytes.NewReader(head), io.NewSectionReader(s.PCM, 0, s.Bytes), strings.NewReader(ending))), nil
	}
	body, _ := content()
	request, err := c.request(ctx, http.MethodPost, "/audio/transcriptions", body)
	if err != nil {
		return nil, err
	}
	request.ContentLength, request.GetBody = size, content
	request.Header.Set("Content-Type", parts.FormDataContentType())
	return request, nil
}

// wavHeader returns the header of a WAV file with the given number of bytes of samples: "RIFF", format 1 (PCM), one channel,
// 16 bits.
func wavHeader(size int64) []byte {
	const header, channels, bits = 44, 1, 16
	b := make([]byte, 0, header)
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(header-8+size))
	b = append(b, "WAVEfmt "...)
	b = binary.LittleEndian.AppendUint32(b, 16)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint16(b, channels)
	b = binary.LittleEndian.AppendUint32(b, transcript.Rate)
	b = binary.LittleEndian.AppendUint32(b, transcript.Rate*channels*bits/8)
	b = binary.LittleEndian.AppendUint16(b, channels*bits/8)
	b = binary.LittleEndian.AppendUint16(b, bits)
	b = append(b, "data"...)
	return binary.LittleEndian.AppendUint32(b, uint32(size))
}

type (
	// answer is verbose_json, or json, which has the text only. Words are beside the segments or within them.
	answer struct {
		Language string    `json:"language"`
		Text     *string   `json:"text"`
		Words    []word    `json:"words"`
		Segments []segment `json:"segments"`
	}
	word struct {
		Word        string   `json:"word"`
		Start       *float64 `json:"start"` // seconds
		End         *float64 `json:"end"`
		Probability *float64 `json:"probability"` // sent by some servers only
	}
	segment struct {
		Text       string   `json:"text"`
		Start      *float64 `json:"start"`
		End        *float64 `json:"end"`
		AvgLogprob *float64 `json:"avg_logprob"`
		NoSpeech   *float64 `json:"no_speech_prob"`
		Words      []word   `json:"words"`
	}
)

// decode parses an answer. A word's confidence is its own probability, or else that of its segment, or else unknown.
func decode(body []byte) (recognized transcript.Recognized, err error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return recognized, errors.New("it is not JSON of the expected shape") // the decoder's message would repeat the content
	}
	if a.Text == nil && len(a.Words) == 0 && len(a.Segments) == 0 {
		return recognized, errors.New("it has no text")
	}
	recognized.Language = a.Language
	if a.Text != nil {
		recognized.Text = *a.Text
	}
	words := a.Words
	if len(words) == 0 {
		for _, s := range a.Segments {
			words = append(words, s.Words...)
		}
	}
	for _, w := range words {
		if w.Start == nil || w.End == nil {
			recognized.Words = nil
			break
		}
		start, end := seconds(*w.Start), seconds(*w.End)
		confidence := transcript.Unknown * 1.0
		if w.Probability != nil {
			confidence = *w.Probability
		} else if s := a.around((start + end) / 2); s != nil {
			confidence = s.confidence()
		}
		recognized.Words = append(recognized.Words, transcript.Word{Text: strings.TrimSpace(w.Word), Start: start, End: end, Confidence: confidence})
	}
	if len(recognized.Words) == 0 {
		recognized.Words = a.segmentWords()
	}
	recognized.Drop(func(w transcript.Word) bool {
		s := a.around((w.Start + w.End) / 2)
		return s != nil && s.empty()
	})
	return recognized, nil
}

// segmentWords returns the segments as words, if the answer has no words.
func (a *answer) segmentWords() (words []transcript.Word) {
	for _, s := range a.Segments {
		if s.Start == nil || s.End == nil {
			return nil
		}
		words = append(words, transcript.Word{Text: strings.TrimSpace(s.Text), Start: seconds(*s.Start), End: seconds(*s.End), Confidence: s.confidence()})
	}
	return words
}

// around returns the segment that contains a time, or nil.
func (a *answer) around(at time.Duration) *segment {
	for i := range a.Segments {
		if s := &a.Segments[i]; s.Start != nil && s.End != nil && seconds(*s.Start) <= at && at <= seconds(*s.End) {
			return s
		}
	}
	return nil
}

// confidence returns the mean probability of the segment's tokens (the geometric mean, since logarithms were averaged).
func (s *segment) confidence() float64 {
	if s.AvgLogprob == nil {
		return transcript.Unknown
	}
	return math.Exp(min(*s.AvgLogprob, 0))
}

// empty reports whether the provider itself regards the segment as silence for which it invented words: Whisper's own rule
// (no_speech_threshold 0.6, logprob_threshold -1).
func (s *segment) empty() bool {
	return s.NoSpeech != nil && s.AvgLogprob != nil && *s.NoSpeech > 0.6 && *s.AvgLogprob < -1
}

// seconds converts seconds to a duration of at most a day.
func seconds(s float64) time.Duration {
	return time.Duration(min(max(s, 0), 86400) * float64(time.Second))
}
