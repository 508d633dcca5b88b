package moderator

import "testing"

// TestWantsToStop: a phrase of stopping ends the follow-ups only where the sentence says hardly more.
func TestWantsToStop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, answer string
		stops            bool
	}{
		{"en", "I want to stop now, please.", true},
		{"en", "It was fine. I'd rather not say more about it.", true},
		{"en", "I have told you a lot about my week, and I really want to stop here now, thank you.", true},
		{"en", "I know it is bad, I want to stop, but every evening I buy another packet.", false},
		{"en", "I want to stop smoking but every evening I buy another packet.", false},
		{"en", "My boss told me he would rather not say how the bonus is made.", false},
		{"de", "Ich möchte aufhören.", true},
		{"de", "Ich möchte aufhören zu rauchen, aber abends klappt es nie.", false},
		{"nl", "Ik wil stoppen met roken, maar het lukt niet.", false},
		{"nl", "Ik wil stoppen, bedankt.", true},
		{"ja", "もうやめたいです。", true},
		{"ja", "たばこをもうやめたいと思っているのに、夜になるとつい買ってしまいます。", false},
		{"zh", "我不想继续了。", true},
		{"zh", "那份工作我真的不想继续做下去，可是每个月还有房贷要还。", false},
		{"ar", "أريد التوقف الآن من فضلك.", true},
		{"ar", "أريد التوقف عن التدخين لكن كل مساء أشتري علبة.", false},
	} {
		if got := bookFor(c.language).wantsToStop(c.answer) || bookFor("en").wantsToStop(c.answer); got != c.stops {
			t.Errorf("%s: %q stops: %v", c.language, c.answer, got)
		}
	}
}
