package speech

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Utterance is a text that was spoken, with what it is recognized by: how loud each 20 ms of it are.
type Utterance struct {
	Text   string
	levels []float64
}

// Seconds returns how long the utterance is.
func (u Utterance) Seconds() float64 { return float64(len(u.levels)) / levelsPerSec }

const (
	reciteRate   = 48000 // samples per second, as Chromium accepts of a microphone
	sentRate     = 16000 // as the service sends them
	levelsPerSec = 50
)

// Recite speaks texts one after the other into a WAV: lead, and then a gap of silence after each.
func Recite(ctx context.Context, texts []string, path string, lead, gap time.Duration) (all []Utterance, err error) {
	silence := func(d time.Duration) []byte { return make([]byte, 2*int(d.Seconds()*reciteRate)) }
	sound := silence(lead)
	for _, text := range texts {
		if err := Speak(ctx, text, path, 0); err != nil {
			return nil, err
		}
		decode := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-i", path, "-ac", "1", "-ar", fmt.Sprint(reciteRate), "-f", "s16le", "-")
		pcm, err := decode.Output()
		if err != nil {
			return nil, fmt.Errorf("ffmpeg: %w", err)
		}
		all = append(all, Utterance{text, levels(pcm, reciteRate)})
		sound = append(append(sound, pcm...), silence(gap)...)
	}
	return all, os.WriteFile(path, wav(sound, reciteRate), 0o600)
}

// KnownProvider returns a server that recognizes utterances that it knows by their loudness, whatever a recorder, a browser and a network made of
// them, and reads every text aloud as a short tone. Both over OpenAI's protocol.
func KnownProvider(known []Utterance) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/audio/transcriptions", func(w http.ResponseWriter, r *http.Request) {
		file, _, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		defer file.Close()
		sound, err := io.ReadAll(file)
		if err != nil || len(sound) < wavHeader {
			http.Error(w, "no WAV", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"text": recognize(levels(sound[wavHeader:], sentRate), known)})
	})
	mux.HandleFunc("POST /v1/audio/speech", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Input string }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || strings.TrimSpace(body.Input) == "" {
			http.Error(w, "no input", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "audio/wav")
		_, _ = w.Write(wav(tone(400*time.Millisecond), sentRate))
	})
	return mux
}

// recognize returns the text of the utterance that a sound is most like.
func recognize(sound []float64, known []Utterance) (text string) {
	best := math.Inf(-1)
	for _, u := range known {
		if like := likeness(sound, u.levels); like > best {
			best, text = like, u.Text
		}
	}
	return text
}

// likeness returns the highest correlation of two curves, the shorter of which is moved along the longer one, by up to a second beyond its ends.
func likeness(a, b []float64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	best := math.Inf(-1)
	for shift := -levelsPerSec; shift <= len(b)-len(a)+levelsPerSec; shift++ {
		from, to := max(0, shift), min(len(b), shift+len(a))
		if to-from < levelsPerSec/2 {
			continue
		}
		best = max(best, correlation(a[from-shift:to-shift], b[from:to]))
	}
	return best
}

func correlation(a, b []float64) float64 {
	var sumA, sumB float64
	for i := range a {
		sumA, sumB = sumA+a[i], sumB+b[i]
	}
	meanA, meanB := sumA/float64(len(a)), sumB/float64(len(b))
	var ab, aa, bb float64
	for i := range a {
		x, y := a[i]-meanA, b[i]-meanB
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb+1e-9)
}

// levels returns how loud each 20 ms of 16-bit samples are, in decibels above the faintest sound that counts.
func levels(pcm []byte, rate int) (all []float64) {
	size := 2 * rate / levelsPerSec
	for ; len(pcm) >= size; pcm = pcm[size:] {
		var sum float64
		for i := 0; i < size; i += 2 {
			sample := float64(int16(binary.LittleEndian.Uint16(pcm[i:]))) / 32768
			sum += sample * sample
		}
		all = append(all, max(0, 10*math.Log10(sum/float64(size/2)+1e-10)+50))
	}
	return all
}

func tone(length time.Duration) (pcm []byte) {
	for i := range int(length.Seconds() * sentRate) {
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(3000*math.Sin(2*math.Pi*440*float64(i)/sentRate))))
	}
	return pcm
}

const wavHeader = 44 // bytes

// wav returns 16-bit samples of one channel as a WAV.
func wav(pcm []byte, rate int) []byte {
	var b bytes.Buffer
	b.WriteString("RIFF")
	_ = binary.Write(&b, binary.LittleEndian, uint32(wavHeader-8+len(pcm)))
	b.WriteString("WAVEfmt ")
	_ = binary.Write(&b, binary.LittleEndian, struct {
		Size                uint32
		Format, Channels    uint16
		Rate, BytesPerSec   uint32
		BytesPerFrame, Bits uint16
	}{16, 1, 1, uint32(rate), uint32(2 * rate), 2, 16})
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, uint32(len(pcm)))
	b.Write(pcm)
	return b.Bytes()
}
