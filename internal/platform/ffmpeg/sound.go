package ffmpeg

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"
)

// Audio makes an m4a file of a file's audio. It fails with ErrUnreadable, also if there is no audio.
func (t *Tool) Audio(ctx context.Context, in, out string) (Info, error) {
	src, err := t.Probe(ctx, in)
	if err != nil {
		return Info{}, err
	}
	if src.AudioCodec == "" {
		return Info{}, fmt.Errorf("%w: it has no audio", ErrUnreadable)
	}
	args := append(inputOptions(in), "-map", "0:a:0")
	if src.AudioCodec == "aac" {
		args = append(args, "-c:a", "copy")
	} else {
		args = append(args, aac...)
	}
	args = append(append(args, outputOptions...), "-movflags", "+faststart", "-f", "ipod", "file:"+out)
	if err := t.encode(ctx, "", nil, args...); err != nil {
		return Info{}, err
	}
	want := src.Duration
	if src.VideoCodec != "" {
		want = 0 // the microphone may have stopped long before the camera
	}
	return t.check(ctx, out, want)
}

// PCM writes a file's audio to w: one channel, 16,000 samples per second, each a signed 16-bit integer, low byte first.
// Speech-to-text services accept this format. It fails with ErrUnreadable, also if there is no audio.
func (t *Tool) PCM(ctx context.Context, in string, w io.Writer) error {
	return t.samples(ctx, in, "16000", w)
}

func (t *Tool) samples(ctx context.Context, in, rate string, w io.Writer) error {
	args := append(append(inputOptions(in), "-map", "0:a:0"), outputOptions...)
	return t.encode(ctx, "", w, append(args, "-ac", "1", "-ar", rate, "-f", "s16le", "pipe:1")...)
}

// maxPeaks is the maximum number of values of a waveform.
const maxPeaks = 800

// Waveform measures the loudness of a file over time, as JSON for a drawing:
//
//	{"seconds":12.3,"peaks":[0.02,0.51, ...]}
//
// peaks has at most 800 values from 0 to 1, each the loudest sample of an equal part of the time; parts are at least 20 ms
// long. It fails with ErrUnreadable, also if there is no audio.
func (t *Tool) Waveform(ctx context.Context, in string) ([]byte, error) {
	var p peaks
	if err := t.samples(ctx, in, "8000", &p); err != nil {
		return nil, err
	}
	p.close()
	return json.Marshal(struct {
		Seconds float64   `json:"seconds"`
		Peaks   []float64 `json:"peaks"`
	}{math.Round(p.seconds().Seconds()*1000) / 1000, p.reduced()})
}

// peaks receives samples, 8,000 per second, and keeps the loudest of each 20 ms.
type peaks struct {
	loudest []uint16
	current uint16
	samples int
	low     byte // the first byte of a sample that was split between two writes
	half    bool
}

const window = 160 // samples

// Write implements io.Writer.
func (p *peaks) Write(data []byte) (int, error) {
	for _, b := range data {
		if !p.half {
			p.low, p.half = b, true
			continue
		}
		p.half = false
		sample := int(int16(uint16(p.low) | uint16(b)<<8))
		p.current = max(p.current, uint16(max(sample, -sample)))
		if p.samples++; p.samples%window == 0 {
			p.loudest, p.current = append(p.loudest, p.current), 0
		}
	}
	return len(data), nil
}

// close stores the last window, which is seldom full.
func (p *peaks) close() {
	if p.samples%window != 0 {
		p.loudest = append(p.loudest, p.current)
	}
}

func (p *peaks) seconds() time.Duration { return time.Duration(p.samples) * time.Second / 8000 }

// reduced reduces the windows to at most maxPeaks values.
func (p *peaks) reduced() []float64 {
	n := min(maxPeaks, len(p.loudest))
	values := make([]float64, n)
	for i := range values {
		var loudest uint16
		for _, v := range p.loudest[i*len(p.loudest)/n : (i+1)*len(p.loudest)/n] {
			loudest = max(loudest, v)
		}
		values[i] = math.Round(float64(loudest)/32768*1000) / 1000
	}
	return values
}
