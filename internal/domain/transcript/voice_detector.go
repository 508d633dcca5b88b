package transcript

import (
	"math"
	"slices"
	"time"
)

// Rate is the number of samples per second that VoiceDetector expects, as package ffmpeg produces them: one channel, each
// sample a signed 16-bit integer, low byte first.
const Rate = 16_000

// Span is a part of a recording.
type Span struct{ Start, End time.Duration }

const (
	frame        = 20 * time.Millisecond
	frameSamples = Rate / 50

	// minLevel is the level, in dB of full scale, below which nothing is speech: about the level of a microphone in an empty
	// room.
	minLevel = -55
	// onset is the number of dB by which the beginning of speech must be louder than the noise around it. It continues as long as it is sustain dB
	// louder, which is less, so that it is not cut where a voice drops.
	onset, sustain = 9, 6
	// noiseReach is the distance on both sides of a frame in which its noise is measured; so long a stretch of speech has enough pauses that
	// noisePart of its frames are noise only.
	noiseReach = 125 // frames on each side: five seconds
	noiseStep  = 10  // frames between two measurements of the noise
	noisePart  = 0.15
	// hangover joins speech that is interrupted by a shorter pause: stops within a word and between words.
	hangover = 15 // frames: 0.3 s
	// minVoiced is the duration of the shortest vowel; a sound without one is not speech. Key presses and clicks are shorter,
	// however many there are.
	minVoiced = 4 // frames: 0.08 s
	// minVariation is by how many dB the frames of speech vary at least. A fan that is switched on is louder than the noise
	// before, but its level is constant.
	minVariation = 4
	// margin is added before and after speech, for soft beginnings and ends of words.
	margin = 200 * time.Millisecond
)

// VoiceDetector measures the level of a recording as it is written to it, and then returns where somebody speaks. It uses
// loudness only: speech is louder than the noise around it, long enough, and varies enough. So it recognizes silence, hum,
// fans and typing as no speech, but takes music and other people's voices for speech. Its zero value is ready to use.
type VoiceDetector struct {
	levels  []float32 // of each frame, in dB of full scale
	samples int64

	low      byte // the first byte of a sample that was split between two writes
	half     bool
	in, out  float64 // state of the filter
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

// sample adds one sample after a high-pass filter, which removes what is lower than a voice: offset and mains hum.
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

// Duration returns the duration of the samples so far.
func (m *VoiceDetector) Duration() time.Duration {
	return time.Duration(m.samples) * time.Second / Rate
}

// Speech returns where somebody speaks, in order and without overlaps, with a margin around each span; nil for silence.
func (m *VoiceDetector) Speech() []Span {
	noise := m.noise()
	var spans []Span
	for begin := 0; begin < len(m.levels); begin++ {
		if m.levels[begin] < max(noise[begin/noiseStep]+onset, minLevel) {
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

// noise returns the level of the noise at every noiseStep-th frame.
func (m *VoiceDetector) noise() []float32 {
	var noise, around []float32
	for at := 0; at < len(m.levels); at += noiseStep {
		around = append(around[:0], m.levels[max(at-noiseReach, 0):min(at+noiseReach, len(m.levels))]...)
		slices.Sort(around)
		noise = append(noise, around[int(float64(len(around))*noisePart)])
	}
	return noise
}

// utterance finds the end of the utterance that begins at a frame, and whether it is speech.
func (m *VoiceDetector) utterance(noise []float32, begin int) (end int, sure bool) {
	var loud []float32
	run, longest, last := 0, 0, begin
	for i := begin; i < len(m.levels) && i-last <= hangover; i++ {
		if m.levels[i] < max(noise[i/noiseStep]+sustain, minLevel) {
			run = 0
			continue
		}
		loud = append(loud, m.levels[i])
		run++
		longest, last = max(longest, run), i
	}
	slices.Sort(loud)
	uneven := loud[len(loud)*9/10] - loud[len(loud)/10]
	return last + 1, longest >= minVoiced && uneven >= minVariation
}

// add appends a range of frames to the spans, with its margins.
func (m *VoiceDetector) add(spans []Span, begin, end int) []Span {
	s := Span{max(time.Duration(begin)*frame-margin, 0), min(time.Duration(end)*frame+margin, m.Duration())}
	if last := len(spans) - 1; last >= 0 && s.Start <= spans[last].End {
		spans[last].End = s.End
		return spans
	}
	return append(spans, s)
}

// Total returns the sum of the spans' durations.
func Total(spans []Span) (total time.Duration) {
	for _, s := range spans {
		total += s.End - s.Start
	}
	return total
}

// Chunks groups spans of speech into chunks of at most limit, each to be transcribed separately. They are separated at
// pauses; speech itself is cut only where it goes on for longer than limit.
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
