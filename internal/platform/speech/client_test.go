package speech_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"verbatim/internal/domain/transcript"
	"verbatim/internal/platform/speech"
	"verbatim/internal/platform/speech/speechtest"
)

const secret = "sk-very-secret-key"

var pcm = bytes.Repeat([]byte{1, 2, 3, 4}, 4000) // half a second

// sound returns a sound to be transcribed.
func sound(language string) speech.Sound {
	return speech.Sound{PCM: bytes.NewReader(pcm), Bytes: int64(len(pcm)), Language: language}
}

// client returns a client that asks a provider without a network.
func client(t *testing.T, p *speechtest.Provider) *speech.Client {
	t.Helper()
	c, err := speech.New(speech.Config{URL: "https://speech.example.com/v1/", Key: secret, Model: "large"}, p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The request follows the protocol, over a real connection, and the answer is read completely.
func TestTranscribe(t *testing.T) {
	t.Parallel()
	p := speechtest.New(speechtest.Says("I like apples.", time.Second))
	c, err := speech.New(speech.Config{URL: p.Serve(t), Key: secret}, nil)
	if err != nil {
		t.Fatal(err)
	}
	recognized, err := c.Transcribe(t.Context(), sound("de"))
	if err != nil {
		t.Fatal(err)
	}
	third := time.Second / 3
	for i := range recognized.Words {
		recognized.Words[i].Start, recognized.Words[i].End = recognized.Words[i].Start.Round(time.Millisecond), recognized.Words[i].End.Round(time.Millisecond)
	}
	want := transcript.Recognized{Language: "de", Text: "I like apples."}
	for i, text := range []string{"I", "like", "apples"} {
		start := (time.Second + time.Duration(i)*third).Round(time.Millisecond)
		want.Words = append(want.Words, transcript.Word{Text: text, Start: start, End: start + 300*time.Millisecond, Confidence: 0.9})
	}
	if diff := cmp.Diff(want, recognized); diff != "" {
		t.Error(diff)
	}
	asked := p.Asked()
	if len(asked) != 1 {
		t.Fatalf("asked %d times", len(asked))
	}
	wav := asked[0].File
	asked[0].File = nil
	if diff := cmp.Diff(speechtest.Asked{
		Path: "/v1/audio/transcriptions", Authorization: "Bearer " + secret, Model: "whisper-1", Language: "de", Format: "verbose_json",
		Granularities: []string{"word", "segment"},
	}, asked[0]); diff != "" {
		t.Error(diff)
	}
	if len(wav) != 44+len(pcm) || string(wav[:4]) != "RIFF" || string(wav[8:16]) != "WAVEfmt " || binary.LittleEndian.Uint32(wav[24:]) != 16000 ||
		int(binary.LittleEndian.Uint32(wav[40:])) != len(pcm) || int(binary.LittleEndian.Uint32(wav[4:])) != len(wav)-8 || !bytes.Equal(wav[44:], pcm) {
		t.Errorf("the file is %d bytes: % x", len(wav), wav[:min(len(wav), 44)])
	}
	if c.Provider() != "127.0.0.1" || c.Model() != "whisper-1" {
		t.Errorf("%s, %s", c.Provider(), c.Model())
	}
}

// The confidence comes from the service and is never made up: a word's own, or else its segment's, or else unknown.
func TestConfidence(t *testing.T) {
	t.Parallel()
	const second = time.Second
	for _, tt := range []struct {
		name, body string
		want       transcript.Recognized
	}{
		{"text alone", `{"text": "Apples."}`, transcript.Recognized{Text: "Apples."}},
		{"nothing", `{"text": ""}`, transcript.Recognized{}},
		{
			"words, and segments that say how sure", `{"text": "So, apples.", "language": "en",
				"words": [{"word": "So", "start": 0, "end": 1}, {"word": "apples", "start": 1, "end": 2}, {"word": "late", "start": 8, "end": 9}],
				"segments": [{"start": 0, "end": 2, "text": " So, apples.", "avg_logprob": -0.5108256237659907, "no_speech_prob": 0.1}]}`,
			transcript.Recognized{Language: "en", Text: "So, apples.", Words: []transcript.Word{
				{Text: "So", End: second, Confidence: 0.6},
				{Text: "apples", Start: second, End: 2 * second, Confidence: 0.6},
				{Text: "late", Start: 8 * second, End: 9 * second, Confidence: transcript.Unknown},
			}},
		},
		{
			"words within segments", `{"text": "Apples", "segments": [{"start": 0, "end": 2, "text": "Apples", "words": [{"word": " Apples", "start": 0.5, "end": 1, "probability": 0.25}]}]}`,
			transcript.Recognized{Text: "Apples", Words: []transcript.Word{{Text: "Apples", Start: second / 2, End: second, Confidence: 0.25}}},
		},
		{
			"segments alone", `{"text": "So. Apples.", "segments": [{"start": 0, "end": 1, "text": " So.", "avg_logprob": 0}, {"start": 1, "end": 2, "text": " Apples."}]}`,
			transcript.Recognized{Text: "So. Apples.", Words: []transcript.Word{
				{Text: "So.", End: second, Confidence: 1}, {Text: "Apples.", Start: second, End: 2 * second, Confidence: transcript.Unknown},
			}},
		},
		{
			"words without times", `{"text": "Apples", "words": [{"word": "Apples"}]}`, transcript.Recognized{Text: "Apples"},
		},
		{
			"a segment that the service itself takes for silence", `{"text": "Apples. Thank you.", "segments": [
				{"start": 0, "end": 1, "text": " Apples.", "avg_logprob": 0, "no_speech_prob": 0.9},
				{"start": 1, "end": 2, "text": " Thank you.", "avg_logprob": -1.5, "no_speech_prob": 0.9}]}`,
			transcript.Recognized{Text: "Apples.", Words: []transcript.Word{{Text: "Apples.", End: second, Confidence: 1}}},
		},
		{
			"markup, which is text", `{"text": "<script>alert(1)</script> \u0000\u001b[2J"}`, transcript.Recognized{Text: "<script>alert(1)</script> \x00\x1b[2J"},
		},
		{
			"times that are none", `{"text": "a", "words": [{"word": "a", "start": -1e300, "end": 1e300}]}`,
			transcript.Recognized{Text: "a", Words: []transcript.Word{{Text: "a", End: 24 * time.Hour, Confidence: transcript.Unknown}}},
		},
	} {
		recognized, err := client(t, speechtest.New(speechtest.Body(200, tt.body))).Transcribe(t.Context(), sound("en"))
		for i := range recognized.Words {
			if c := recognized.Words[i].Confidence; c != transcript.Unknown {
				recognized.Words[i].Confidence = float64(int(c*1000+0.5)) / 1000
			}
		}
		if diff := cmp.Diff(tt.want, recognized); diff != "" || err != nil {
			t.Errorf("%s: %v %s", tt.name, err, diff)
		}
	}
}

// Each failure ends with the right error, after the right number of attempts, and never contains the key.
func TestFailures(t *testing.T) {
	t.Parallel()
	good := speechtest.Says("Apples.", 0)
	for _, tt := range []struct {
		name   string
		script []http.HandlerFunc
		asked  int
		want   error // nil: it is transcribed
	}{
		{"busy once", []http.HandlerFunc{speechtest.Fails(429, ""), good}, 2, nil},
		{"down twice", []http.HandlerFunc{speechtest.Fails(503, ""), speechtest.Fails(502, "1"), good}, 3, nil},
		{"down for long", []http.HandlerFunc{speechtest.Fails(503, "")}, 3, speech.ErrBusy},
		{"broken off once", []http.HandlerFunc{speechtest.BreaksOff, good}, 2, nil},
		{"broken off always", []http.HandlerFunc{speechtest.BreaksOff}, 3, speech.ErrBusy},
		{"the wrong key", []http.HandlerFunc{speechtest.Fails(401, "")}, 1, speech.ErrRefused},
		{"no money", []http.HandlerFunc{speechtest.Fails(402, "")}, 1, speech.ErrRefused},
		{"no such address", []http.HandlerFunc{speechtest.Fails(404, "")}, 1, speech.ErrRefused},
		{"too large", []http.HandlerFunc{speechtest.Fails(413, "")}, 1, speech.ErrRefused},
		{"elsewhere", []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example.com/", http.StatusTemporaryRedirect)
		}}, 1, speech.ErrRefused},
		{"it takes the plain form alone", []http.HandlerFunc{speechtest.Fails(400, ""), good}, 2, nil},
		{"it takes no form", []http.HandlerFunc{speechtest.Fails(400, "")}, 2, speech.ErrRefused},
		{"a page", []http.HandlerFunc{speechtest.Body(200, "<!doctype html><title>Log in</title>")}, 1, speech.ErrRefused},
		{"no JSON", []http.HandlerFunc{speechtest.Body(200, "\x00\x01")}, 1, speech.ErrRefused},
		{"half of it", []http.HandlerFunc{speechtest.Body(200, `{"text": "App`)}, 1, speech.ErrRefused},
		{"an array", []http.HandlerFunc{speechtest.Body(200, `[]`)}, 1, speech.ErrRefused},
		{"a text that is none", []http.HandlerFunc{speechtest.Body(200, `{"text": 7}`)}, 1, speech.ErrRefused},
		{"no text", []http.HandlerFunc{speechtest.Body(200, `{}`)}, 1, speech.ErrRefused},
		{"null", []http.HandlerFunc{speechtest.Body(200, `null`)}, 1, speech.ErrRefused},
		{"a flood", []http.HandlerFunc{speechtest.Floods(9 << 20)}, 1, speech.ErrRefused},
		{"a flood behind an error", []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			speechtest.Floods(9<<20)(w, r)
		}}, 1, speech.ErrRefused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := speechtest.New(tt.script...)
				recognized, err := client(t, p).Transcribe(t.Context(), sound("en"))
				if !errors.Is(err, tt.want) || tt.want == nil && recognized.Text != "Apples." || tt.want != nil && recognized.Text != "" {
					t.Errorf("%q, %v; want %v", recognized.Text, err, tt.want)
				}
				if n := len(p.Asked()); n != tt.asked {
					t.Errorf("asked %d times, want %d", n, tt.asked)
				}
				if err != nil && (strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "example.com") || len(err.Error()) > 200) {
					t.Errorf("the error says too much: %v", err)
				}
			})
		})
	}
}

// A call waits as long as the service asks, or a little longer each time, and never beyond its deadline.
func TestPauses(t *testing.T) {
	t.Parallel()
	good := speechtest.Says("Apples.", 0)
	for _, tt := range []struct {
		name              string
		script            []http.HandlerFunc
		within            time.Duration
		shortest, longest time.Duration
		want              error
	}{
		{"its own pauses", []http.HandlerFunc{speechtest.Fails(503, ""), speechtest.Fails(503, ""), good}, time.Minute, 1500 * time.Millisecond, 3 * time.Second, nil},
		{"seconds", []http.HandlerFunc{speechtest.Fails(429, "7"), good}, time.Minute, 7 * time.Second, 7 * time.Second, nil},
		{"a date", []http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			speechtest.Fails(503, time.Now().Add(12*time.Second).UTC().Format(http.TimeFormat))(w, r)
		}, good}, time.Minute, 11 * time.Second, 12 * time.Second, nil},
		{"a date that is past", []http.HandlerFunc{speechtest.Fails(503, "Sun, 06 Nov 1994 08:49:37 GMT"), good}, time.Minute, 500 * time.Millisecond, time.Second, nil},
		{"nonsense", []http.HandlerFunc{speechtest.Fails(503, "soon"), good}, time.Minute, 500 * time.Millisecond, time.Second, nil},
		{"longer than there is time", []http.HandlerFunc{speechtest.Fails(429, "20"), good}, 10 * time.Second, 0, 0, speech.ErrBusy},
		{"longer than anybody waits", []http.HandlerFunc{speechtest.Fails(429, "3600"), good}, 2 * time.Hour, 0, 0, speech.ErrBusy},
		{"no answer", []http.HandlerFunc{speechtest.Hangs}, 20 * time.Second, 20 * time.Second, 20 * time.Second, context.DeadlineExceeded},
		{"no answer, and much time", []http.HandlerFunc{speechtest.Hangs, good}, time.Hour, 5 * time.Minute, 5*time.Minute + time.Second, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.within)
				defer cancel()
				begun := time.Now()
				_, err := client(t, speechtest.New(tt.script...)).Transcribe(ctx, sound("en"))
				took := time.Since(begun)
				if !errors.Is(err, tt.want) || took < tt.shortest || took > tt.longest {
					t.Errorf("%v after %v; want %v after %v to %v", err, took, tt.want, tt.shortest, tt.longest)
				}
			})
		})
	}
}

// If a service accepts only the plain form for a language, it is used from then on for that language.
func TestPlainFormIsRemembered(t *testing.T) {
	t.Parallel()
	p := speechtest.New(speechtest.Fails(400, ""), speechtest.Says("Apples.", 0))
	c := client(t, p)
	for _, language := range []string{"ay", "ay", "en"} {
		if _, err := c.Transcribe(t.Context(), sound(language)); err != nil {
			t.Fatal(err)
		}
	}
	var forms []string
	for _, a := range p.Asked() {
		forms = append(forms, a.Format+" "+a.Language)
	}
	if want := []string{"verbose_json ay", "json ", "json ", "verbose_json en"}; !slices.Equal(forms, want) {
		t.Errorf("asked %q, want %q", forms, want)
	}
}

// If there are more calls than slots, they wait for a slot.
func TestSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := speechtest.New(speechtest.Hangs)
		c := client(t, p)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		for range 40 {
			go func() {
				_, err := c.Transcribe(ctx, sound("en"))
				done <- err
			}()
		}
		synctest.Wait()
		if n := len(p.Asked()); n != 16 {
			t.Errorf("%d calls at once", n)
		}
		cancel()
		for range 40 {
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
	})
}

func TestConfig(t *testing.T) {
	t.Parallel()
	for _, config := range []speech.Config{
		{},
		{URL: "speech.example.com"},
		{URL: "ftp://a/"},
		{URL: "https://"},
		{URL: "https://user:" + secret + "@a/"},
		{URL: "https://a/?key=" + secret},
		{URL: "https://a/#x"},
		{URL: "https://a/", Key: secret + "\n"},
	} {
		if _, err := speech.New(config, nil); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%+v: %v", config, err)
		}
	}
}

func TestReach(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{200: nil, 404: nil, 405: nil, 401: speech.ErrRefused, 403: speech.ErrRefused, 503: speech.ErrBusy} {
		p := speechtest.New(speechtest.Fails(status, ""))
		if err := client(t, p).Reach(t.Context()); !errors.Is(err, want) || want != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%d: %v, want %v", status, err, want)
		}
		if got := p.Asked()[0]; got.Path != "/v1/models" || got.Authorization != "Bearer "+secret {
			t.Errorf("%+v", got)
		}
	}
	c, err := speech.New(speech.Config{URL: "http://127.0.0.1:1"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Reach(t.Context()); !errors.Is(err, speech.ErrBusy) {
		t.Errorf("nobody there: %v", err)
	}
}
