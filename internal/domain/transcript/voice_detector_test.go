package transcript_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim/internal/domain/transcript"
)

// sound holds samples as from a microphone.
type sound []float64

func quiet(long time.Duration) sound { return make(sound, int(long*transcript.Rate/time.Second)) }

func db(level float64) float64 { return math.Pow(10, level/20) }

// plus mixes in another sound, from the given time.
func (s sound) plus(at time.Duration, other sound) sound {
	from := int(at * transcript.Rate / time.Second)
	for i, x := range other {
		if from+i < len(s) {
			s[from+i] += x
		}
	}
	return s
}

// hiss is white noise with a level in dB of full scale.
func hiss(long time.Duration, level float64) sound {
	s, r := quiet(long), rand.New(rand.NewPCG(1, 2))
	for i := range s {
		s[i] = r.NormFloat64() * db(level)
	}
	return s
}

// hum is a steady tone with its overtones.
func hum(long time.Duration, level, hertz float64) sound {
	s := quiet(long)
	for i := range s {
		for overtone := 1.0; overtone <= 4; overtone++ {
			s[i] += math.Sin(2*math.Pi*hertz*overtone*float64(i)/transcript.Rate) * db(level) / overtone
		}
	}
	return s
}

// voice is a tone of 140 Hz and its overtones in syllables, four per second.
func voice(long time.Duration, level float64) sound {
	s := hum(long, level+3, 140)
	for i := range s {
		s[i] *= 0.02 + 0.98*math.Pow(math.Sin(math.Pi*4*float64(i)/transcript.Rate), 2)
	}
	return s
}

// keys are key strokes of 10 ms, six per second.
func keys(long time.Duration, level float64) sound {
	s := quiet(long)
	stroke := hiss(10*ms, level)
	for at := time.Duration(0); at < long; at += time.Second / 6 {
		s.plus(at, stroke)
	}
	return s
}

func (s sound) pcm() []byte {
	data := make([]byte, 0, 2*len(s))
	for _, x := range s {
		v := int16(max(-32768, min(32767, x*32768)))
		data = append(data, byte(v), byte(v>>8))
	}
	return data
}

func (s sound) speech() []transcript.Span {
	var m transcript.VoiceDetector
	_, _ = m.Write(s.pcm())
	return m.Speech()
}

func TestSpeech(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for _, tt := range []struct {
		name  string
		sound sound
		want  []transcript.Span // nil: nobody speaks
	}{
		{"nothing", nil, nil},
		{"one sample", sound{0.5}, nil},
		{"digital silence", quiet(5 * s), nil},
		{"an offset alone", hum(5*s, -10, 0).plus(0, func() sound {
			c := quiet(5 * s)
			for i := range c {
				c[i] = 0.4
			}
			return c
		}()), nil},
		{"a quiet room", hiss(5*s, -60), nil},
		{"a loud fan", hiss(8*s, -25), nil},
		{"a fan that is switched on", quiet(9*s).plus(3*s, hiss(6*s, -30)), nil},
		{"the hum of the mains", hum(8*s, -30, 50), nil},
		{"typing", hiss(8*s, -60).plus(0, keys(8*s, -20)), nil},
		{"a click", quiet(4*s).plus(2*s, hiss(15*ms, -10)), nil},
		{"a voice far below what can be heard", hiss(4*s, -75).plus(1*s, voice(2*s, -62)), nil},

		{"a voice in silence", quiet(6*s).plus(2*s, voice(2*s, -25)), []transcript.Span{{Start: 2 * s, End: 4 * s}}},
		{"a soft voice in a quiet room", hiss(6*s, -62).plus(2*s, voice(2*s, -42)), []transcript.Span{{Start: 2 * s, End: 4 * s}}},
		{"a voice beside a fan", hiss(8*s, -40).plus(3*s, voice(3*s, -20)), []transcript.Span{{Start: 3 * s, End: 6 * s}}},
		{"two sentences", hiss(9*s, -60).plus(1*s, voice(2*s, -25)).plus(6*s, voice(1*s, -25)), []transcript.Span{{Start: 1 * s, End: 3 * s}, {Start: 6 * s, End: 7 * s}}},
		{"a pause for breath", hiss(6*s, -60).plus(1*s, voice(1*s, -25)).plus(2250*ms, voice(1*s, -25)), []transcript.Span{{Start: 1 * s, End: 3250 * ms}}},
		{"one short word", quiet(3*s).plus(1*s, voice(250*ms, -25)), []transcript.Span{{Start: 1 * s, End: 1250 * ms}}},
		{"a voice from beginning to end", voice(7*s, -20), []transcript.Span{{Start: 0, End: 7 * s}}},
		{"a minute of silence and a sentence", quiet(70*s).plus(65*s, voice(2*s, -25)), []transcript.Span{{Start: 65 * s, End: 67 * s}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := tt.sound.speech()
			if len(got) != len(tt.want) {
				t.Fatalf("speech at %v, want %v", got, tt.want)
			}
			for i, w := range tt.want {
				if got[i].Start > w.Start+20*ms || got[i].End < w.End-60*ms || got[i].Start < w.Start-400*ms || got[i].End > w.End+400*ms {
					t.Errorf("speech at %v, want %v with a margin", got[i], w)
				}
			}
		})
	}
}

// Noise is not speech however loud it is; and a voice well above it is found completely.
func TestSpeechProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		level := rapid.Float64Range(-90, -30).Draw(r, "noise in dB")
		long := time.Duration(rapid.IntRange(1500, 3500).Draw(r, "milliseconds")) * ms
		room := hiss(long, level)
		if rapid.Bool().Draw(r, "with a hum") {
			room.plus(0, hum(long, rapid.Float64Range(-70, -45).Draw(r, "hum in dB"), rapid.SampledFrom([]float64{50, 60, 100}).Draw(r, "hertz")))
		}
		if got := room.speech(); len(got) > 0 {
			r.Fatalf("in noise: %v", got)
		}
		at := time.Duration(rapid.IntRange(0, int(long/ms)/2).Draw(r, "begins")) * ms
		until := min(at+time.Duration(rapid.IntRange(300, 4000).Draw(r, "speaks"))*ms, long)
		room.plus(at, voice(until-at, max(level+25, -22)))
		var m transcript.VoiceDetector
		for data := room.pcm(); len(data) > 0; { // in chunks that split samples
			n := min(rapid.SampledFrom([]int{1, 639, 9001, 40_000}).Draw(r, "piece"), len(data))
			_, _ = m.Write(data[:n])
			data = data[n:]
		}
		got := m.Speech()
		if diff := cmp.Diff(room.speech(), got); diff != "" {
			r.Fatalf("in pieces: %s", diff)
		}
		if m.Duration() != long {
			r.Fatalf("it lasts %v", m.Duration())
		}
		if got == nil && until-at > 500*ms {
			r.Fatal("the voice is not found")
		}
		for i, s := range got {
			if s.Start >= s.End || s.Start < 0 || s.End > long || i > 0 && s.Start <= got[i-1].End {
				r.Fatalf("%v", got)
			}
		}
	})
}

func TestChunks(t *testing.T) {
	t.Parallel()
	span := func(from, to int) transcript.Span {
		return transcript.Span{Start: time.Duration(from) * time.Second, End: time.Duration(to) * time.Second}
	}
	for _, tt := range []struct {
		name   string
		speech []transcript.Span
		want   []transcript.Span
	}{
		{"none", nil, nil},
		{"one", []transcript.Span{span(3, 5)}, []transcript.Span{span(3, 5)}},
		{"together", []transcript.Span{span(3, 5), span(7, 12)}, []transcript.Span{span(3, 12)}},
		{"parted in the pause", []transcript.Span{span(3, 5), span(7, 14)}, []transcript.Span{span(3, 5), span(7, 14)}},
		{"too long for one", []transcript.Span{span(3, 27), span(28, 31)}, []transcript.Span{span(3, 13), span(13, 23), span(23, 31)}},
		{"just one", []transcript.Span{span(0, 10)}, []transcript.Span{span(0, 10)}},
	} {
		if diff := cmp.Diff(tt.want, transcript.Chunks(tt.speech, 10*time.Second)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
	if got := transcript.Total([]transcript.Span{span(1, 3), span(5, 6)}); got != 3*time.Second {
		t.Errorf("Total = %v", got)
	}
}
