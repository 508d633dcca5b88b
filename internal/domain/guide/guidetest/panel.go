package guidetest

import (
	"pgregory.net/rapid"

	"verbatim/internal/domain/panel"
)

// aPanel draws settings of a panel, or none. Its study can be taken from a link without parameters.
func aPanel(t *rapid.T) *panel.Settings {
	if rapid.IntRange(0, 2).Draw(t, "panel") > 0 {
		return nil
	}
	s := &panel.Settings{}
	if rapid.Bool().Draw(t, "participant") {
		s.Participant = panel.Participant{
			Parameter: "pid", Optional: true, Again: some(t, "again", panel.EarlierStates),
			Resume: rapid.SampledFrom([]panel.Resume{"", panel.ResumeToken, panel.ResumeAnywhere}).Draw(t, "resume"), RememberDeleted: rapid.Bool().Draw(t, "remember"),
		}
	}
	if outcomes := some(t, "redirects", panel.Outcomes); outcomes != nil {
		s.Redirects = panel.Redirects{Addresses: map[panel.Outcome]string{}, Manual: rapid.Bool().Draw(t, "manual")}
		for _, outcome := range outcomes {
			s.Redirects.Addresses[outcome] = "https://panel.example/{{param.x}}?s={{status}}&id={{responseId}}"
		}
	}
	if rapid.Bool().Draw(t, "signature") {
		s.Signature = &panel.Signature{
			Algorithm: rapid.SampledFrom([]panel.Algorithm{panel.SHA1, panel.SHA256, panel.SHA512}).Draw(t, "algorithm"), Parameter: "sig",
			Signs: rapid.SampledFrom([]string{"", "{{url}}&", "{{status}}:{{param.x}}"}).Draw(t, "signs"),
		}
	}
	if rapid.Bool().Draw(t, "postback") {
		s.Postback = &panel.Postback{
			URL: "https://panel.example/postback", Get: rapid.Bool().Draw(t, "get"),
			Outcomes: some(t, "outcomes", []panel.Outcome{panel.Complete, panel.Withdrawn}),
		}
	}
	if rapid.Bool().Draw(t, "code") {
		s.Code = panel.Code{PerResponse: true}
	}
	return s
}
