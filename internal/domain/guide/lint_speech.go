package guide

// Services lists the services of speech that an installation has.
type Services struct {
	Transcribes bool // turns speech into text
	Speaks      bool // reads questions aloud
}

// LintSpeech returns advice on what participants and researchers of a spoken study miss without services of speech, and on devices that
// cannot take part.
func LintSpeech(g *Guide, has Services) (all []Advice) {
	if !g.RecordsVoice() {
		return nil
	}
	if !has.Transcribes {
		text := "There is no speech to text (--speech-url), so a spoken answer stays a recording unless the participant also types it: it gets no follow-up question, " +
			"and is missing in transcripts, analysis, themes, quotes, search and exports of answers."
		if g.Config.Voice.HandsFree {
			text += " Hands-free interviews then have no words at all."
		}
		all = append(all, Advice{"config.interviewMode", text})
	}
	if g.Config.Voice.HandsFree && !has.Speaks {
		all = append(all, Advice{
			"config.verbatim.voice.handsFree",
			"No service reads questions aloud (--speak-url): participants hear a voice of their browser, which differs between devices and is missing on some; there they read the questions.",
		})
	}
	if g.RecordsScreen() {
		all = append(all, Advice{"config.interviewMode", "The study records the screen, which phones and tablets cannot: they show a link to open on a computer."})
	}
	return all
}
