package transcript

import (
	"math"
	"slices"
	"time"
)

// Rate is how many samples a second the Meter takes, as transcode gives them: one channel, each a signed 16-bit number, low
// byte first.
const Rate = 16_000

// Span is a part of a sound.
type Span struct{ Start, End time.Duration }

const (
	frame        = 20 * time.Millisecond
	frameSamples = Rate / 50

	// quietest is the level below which nothing is speech, in dB of full scale: what a microphone makes of an empty room.
	quietest = -55
	// above is by how many dB speech stands out of the noise around it. goOn, which is less, keeps it from being cut where a
	// voice drops.
	above, goOn = 9, 6
	// noiseReach is how far around a frame its noise is looked for; in any so long stretch of speech there are pauses enough
	// for noisePart of the frames to be noise alone.
	noiseReach = 125 // frames on each side: five seconds
	noiseStep  = 10  // frames for which the noise is measured once
	noisePart  = 0.15
	// hangover joins what is parted by a shorter pause: stops within a word and between words.
	hangover = 15 // frames: 0.3 s
	// voiced is the shortest vowel that makes something speech. Keys and clicks are shorter, however many there are.
	voiced = 4 // frames: 0.08 s
	// lively is by how many dB the frames of speech differ at least. A fan that is switched on stands out, and stays as loud.
	lively = 4
	// margin is what is heard before and after speech: soft beginnings and ends of words.
	margin = 200 * time.Millisecond
)

// Meter measures a sound as it is written to it, and then tells where somebody speaks. It goes by loudness alone: what
// rises out of the noise around it, long enough and unevenly enough. So it knows silence, hum, fans and typing; music and
// other people's voices it takes for speech. Its zero value is ready.
type VoiceDetector struct {
	levels  []float32 // of each frame, in dB of full scale
	samples int64

	low      byte // the first half of a sample that was cut in two
	half     bool
	in, out  float64 // of the filter
	power    float64
	inFrame  int
	measured bool
}

// Write implements io.Writer. It never fails.
func (m *VoiceDetector) Write(data []byte) (int, error) {
	for _, b := range data {
		if !m.half {
			m.low, m.half = b, true
			continue
		}
		m.half = false
		m.sample(float64(int16(uint16(m.low) | uint16(b)<<8)))
	}
	return len(data), nil
}

// sample takes one sample, without what lies below a voice: offset and the hum of the mains.
func (m *VoiceDetector) sample(x float64) {
	if !m.measured {
		m.in, m.measured = x, true // the filter starts at rest
	}
	m.out = x - m.in + 0.95*m.out
	m.in = x
	m.samples++
	m.power += m.out * m.out
	if m.inFrame++; m.inFrame == frameSamples {
		rms := math.Sqrt(m.power / frameSamples)
		m.levels = append(m.levels, float32(20*math.Log10(max(rms, 1)/32768)))
		m.power, m.inFrame = 0, 0
	}
}

// Duration is how long the sound is so far.
func (m *VoiceDetector) Duration() time.Duration {
	return time.Duration(m.samples) * time.Second / Rate
}

// Speech tells where somebody speaks, in order and apart from each other, with a margin around; none in silence.
func (m *VoiceDetector) Speech() []Span {
	noise := m.noise()
	var spans []Span
	for begin := 0; begin < len(m.levels); begin++ {
		if m.levels[begin] < max(noise[begin/noiseStep]+above, quietest) {
			continue
		}
		end, sure := m.utterance(noise, begin)
		if sure {
			spans = m.add(spans, begin, end)
		}
		begin = end
	}
	return spans
}

// noise is the level of the noise at each noiseStep frames.
func (m *VoiceDetector) noise() []float32 {
	var noise, around []float32
	for at := 0; at < len(m.levels); at += noiseStep {
		around = append(around[:0], m.levels[max(at-noiseReach, 0):min(at+noiseReach, len(m.levels))]...)
		slices.Sort(around)
		noise = append(noise, around[int(float64(len(around))*noisePart)])
	}
	return noise
}

// utterance finds the end of what begins at a frame, and whether it is speech.
func (m *VoiceDetector) utterance(noise []float32, begin int) (end int, sure bool) {
	var loud []float32
	run, longest, last := 0, 0, begin
	for i := begin; i < len(m.levels) && i-last <= hangover; i++ {
		if m.levels[i] < max(noise[i/noiseStep]+goOn, quietest) {
			run = 0
			continue
		}
		loud = append(loud, m.levels[i])
		run++
		longest, last = max(longest, run), i
	}
	slices.Sort(loud)
	uneven := loud[len(loud)*9/10] - loud[len(loud)/10]
	return last + 1, longest >= voiced && uneven >= lively
}

// add puts a run of frames behind the spans, with its margins.
func (m *VoiceDetector) add(spans []Span, begin, end int) []Span {
	s := Span{max(time.Duration(begin)*frame-margin, 0), min(time.Duration(end)*frame+margin, m.Duration())}
	if last := len(spans) - 1; last >= 0 && s.Start <= spans[last].End {
		spans[last].End = s.End
		return spans
	}
	return append(spans, s)
}

// Total is how long the spans are together.
func Total(spans []Span) (total time.Duration) {
	for _, s := range spans {
		total += s.End - s.Start
	}
	return total
}

// Pieces gathers spans of speech into pieces of at most a length, each to be heard on its own. They are parted in pauses,
// and within speech only where it goes on for longer than a piece.
func Chunks(speech []Span, limit time.Duration) (chunks []Span) {
	for _, s := range speech {
		if last := len(chunks) - 1; last >= 0 && s.End-chunks[last].Start <= limit {
			chunks[last].End = s.End
			continue
		}
		for ; s.End-s.Start > limit; s.Start += limit {
			chunks = append(chunks, Span{s.Start, s.Start + limit})
		}
		chunks = append(chunks, s)
	}
	return chunks
}
