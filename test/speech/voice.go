package speech

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Said is the spoken text, in words that PocketSphinx may know.
const Said = "I usually cook at home in the evening because it is cheaper than a restaurant. " +
	"My brother taught me how to make bread when we were very young. " +
	"The most important thing for me is that the food is fresh and simple."

// Speak writes a text, spoken by Festival's HTS voice slt, as a WAV of 48 kHz, which Chromium accepts as a microphone. lead is the number
// of seconds of silence before it; half as many follow.
func Speak(ctx context.Context, text, path string, lead int) error {
	spoken := path + ".festival.wav"
	defer os.Remove(spoken)
	voice := exec.CommandContext(ctx, "text2wave", "-eval", "(voice_cmu_us_slt_arctic_hts)", "-o", spoken)
	voice.Stdin = strings.NewReader(text)
	if out, err := voice.CombinedOutput(); err != nil {
		return fmt.Errorf("festival: %w: %s", err, out)
	}
	filter := fmt.Sprintf("adelay=%d:all=1,apad=pad_dur=%g", lead*1000, float64(lead)/2)
	convert := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", spoken, "-af", filter, "-ac", "1", "-ar", "48000", path)
	if out, err := convert.CombinedOutput(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, out)
	}
	return nil
}
