package fieldwork_test

import (
	"strings"
	"testing"

	"verbatim/internal/domain/panel"
	"verbatim/internal/domain/wallet"
)

// TestPanelHearsOfFullQuotas: who is turned away by a quota goes back to the panel with that outcome, from the answer that settles the cell
// and from a link whose parameters settle it; the panel's server hears of the interview, and another one is begun only where the study allows it.
func TestPanelHearsOfFullQuotas(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} {
		g := withPanel(func(s *panel.Settings) {
			s.Postback.Outcomes = []panel.Outcome{panel.QuotaFull}
			if again {
				s.Participant.Again = []panel.Earlier{panel.EarlierQuotaFull}
			}
		})
		quota := grid(1)
		g.Blocks[0].Items, g.Config.Quotas = quota.Blocks[0].Items, quota.Config.Quotas
		f := setup(t, g, 100*wallet.Credit)
		token, at := f.screened("r=n&pid=p1", "young")
		if end := f.finish(token, at); !strings.HasSuffix(end.Exit.URL, "status=complete") {
			t.Errorf("the first ends with %q", end.Exit.URL)
		}
		token, turned := f.screened("r=n&pid=p2", "young")
		want := "https://panel.example/back?pid=p2&status=quota_full"
		if turned.Step.QuotaFull == nil || turned.Exit.URL != want {
			t.Fatalf("the second ends with %q at %+v, want %q", turned.Exit.URL, turned.Step, want)
		}
		if read, err := f.Current(t.Context(), token); err != nil || read.Exit.URL != want {
			t.Errorf("read again: %q, %v", read.Exit.URL, err)
		}
		if told := f.deliveries(); len(told) != 1 || told[0].Outcome != panel.QuotaFull {
			t.Errorf("the panel's server is told %+v", told)
		}
		_, _, err := f.enter("r=n&pid=p2")
		if !again {
			mustHaveParticipated(t, err, panel.EarlierQuotaFull)
		} else if err != nil {
			t.Errorf("another interview: %v", err)
		}
		if exit, err := f.LinkExit(t.Context(), f.study.LinkID, "pid=p3", panel.QuotaFull); err != nil || !strings.HasSuffix(exit.URL, "pid=p3&status=quota_full") {
			t.Errorf("from the link: %q, %v", exit.URL, err)
		}
	}
}
