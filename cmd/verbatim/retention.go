package main

import (
	"context"
	"fmt"
	"strconv"

	"verbatim/internal/domain/org"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/erasure"
	"verbatim/internal/service/retention"
)

type retentionCommands struct {
	Show    retentionShow    `cmd:"" help:"Show how long an organization keeps responses and recordings, and what was deleted by its rules lately."`
	Set     retentionSet     `cmd:"" help:"Set a rule for an organization, or for one study. A rule that deletes more takes effect after a day."`
	Preview retentionPreview `cmd:"" help:"Say what the rules will delete, or would with other values. Nothing is changed."`
	Run     retentionRun     `cmd:"" help:"Delete now what the rules in effect delete. The server does this every hour by itself."`
}

type retentionShow struct {
	Org string `required:"" help:"The organization's id." placeholder:"ID"`
}

// Run prints the rules and the latest receipts.
func (cmd *retentionShow) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		rules, err := (&retention.Service{Store: s}).Rules(ctx, cmd.Org)
		if err != nil {
			return err
		}
		var rows []row
		if !rules.Organization.ChangedAt.IsZero() {
			rows = append(rows, ruleRow("all studies", rules.Organization))
		}
		for _, of := range rules.Studies {
			rows = append(rows, ruleRow(of.LinkID, of.RetentionRule))
		}
		return c.printAll(rows, "There is no rule: everything is kept until somebody deletes it.")
	})
}

func ruleRow(of string, r org.RetentionRule) row {
	transcripts := "keep"
	if r.DropTranscripts {
		transcripts = "delete"
	}
	hold := "off"
	if r.LegalHold {
		hold = "on"
	}
	return row{
		{"study", of},
		{"recordings", keptDays(r.RecordingDays)},
		{"responses", keptDays(r.ResponseDays)},
		{"transcripts", transcripts},
		{"hold", hold},
		{"effectiveAt", toSecond(r.EffectiveAt)},
		{"ranAt", toSecond(r.RanAt)},
	}
}

func keptDays(n int) string {
	if n == 0 {
		return "keep"
	}
	return strconv.Itoa(n)
}

// ruleFlags are the values of a rule. What is not given stays as it is.
type ruleFlags struct {
	Org         string `required:"" help:"The organization's id." placeholder:"ID"`
	Study       string `help:"The rule of this study alone, by its link id or its id. It stands in place of the organization's." placeholder:"ID"`
	Recordings  string `help:"Delete recordings this many days after the participant did something last; keep: with the response." placeholder:"DAYS|keep"`
	Responses   string `help:"Delete responses this many days after the participant did something last; keep: never." placeholder:"DAYS|keep"`
	Transcripts string `help:"Delete the words that speech to text found, with their times, together with the recordings: keep or delete. Answers stay in any case." placeholder:"keep|delete"`
	Hold        string `help:"Legal hold: while it is on, no rule deletes anything, and nothing is deleted from the trash." placeholder:"on|off"`
}

// given reports whether any value is given.
func (f ruleFlags) given() bool { return f.Recordings+f.Responses+f.Transcripts+f.Hold != "" }

// rule returns the values over those of the present rule.
func (f ruleFlags) rule(ctx context.Context, s *store.Store) (r org.Retention, err error) {
	studyID := ""
	if f.Study != "" {
		st, err := s.View().StudyByRef(ctx, f.Org, f.Study)
		if err != nil {
			return r, err
		}
		studyID = st.ID
	}
	rules, err := s.View().RetentionRules(ctx, f.Org)
	if err != nil {
		return r, err
	}
	for _, one := range rules { // that of the organization comes first
		if one.StudyID == "" || one.StudyID == studyID {
			r = one.Retention
		}
	}
	for _, days := range []struct {
		flag, value string
		to          *int
	}{{"--recordings", f.Recordings, &r.RecordingDays}, {"--responses", f.Responses, &r.ResponseDays}} {
		switch n, err := strconv.Atoi(days.value); {
		case days.value == "":
		case days.value == "keep":
			*days.to = 0
		case err != nil || n < 1 || n > org.MaxRetentionDays:
			return r, usageError(fmt.Sprintf("%s %q must be days from 1 to %d, or keep", days.flag, days.value, org.MaxRetentionDays))
		default:
			*days.to = n
		}
	}
	for _, choice := range []struct {
		flag, value, off, on string
		to                   *bool
	}{{"--transcripts", f.Transcripts, "keep", "delete", &r.DropTranscripts}, {"--hold", f.Hold, "off", "on", &r.LegalHold}} {
		switch choice.value {
		case "":
		case choice.on, choice.off:
			*choice.to = choice.value == choice.on
		default:
			return r, usageError(fmt.Sprintf("%s %q must be %s or %s", choice.flag, choice.value, choice.on, choice.off))
		}
	}
	if err := r.Check(); err != nil {
		return r, usageError(err.Error())
	}
	return r, nil
}

type retentionSet struct {
	ruleFlags
	Remove bool `help:"Remove the rule of the study, so that the organization's holds."`
}

// Run stores or removes the rule.
func (cmd *retentionSet) Run(ctx context.Context, c *Common) error {
	switch {
	case cmd.Remove && (cmd.Study == "" || cmd.given()):
		return usageError("--remove needs --study, and no value")
	case !cmd.Remove && !cmd.given():
		return usageError("nothing to set: give --recordings, --responses, --transcripts or --hold")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		rules, caller := &retention.Service{Store: s}, org.Caller{OrgID: cmd.Org}
		if cmd.Remove {
			if err := rules.Remove(ctx, caller, cmd.Study); err != nil {
				return err
			}
			return c.print(row{{"study", cmd.Study}, {"status", "removed"}})
		}
		wanted, err := cmd.rule(ctx, s)
		if err != nil {
			return err
		}
		set, err := rules.Set(ctx, caller, cmd.Study, wanted)
		if err != nil {
			return err
		}
		of := cmd.Study
		if of == "" {
			of = "all studies"
		}
		return c.print(ruleRow(of, set))
	})
}

type retentionPreview struct{ ruleFlags }

// Run prints what would be deleted.
func (cmd *retentionPreview) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		var proposed *org.Retention
		if cmd.given() {
			wanted, err := cmd.rule(ctx, s)
			if err != nil {
				return err
			}
			proposed = &wanted
		}
		p, err := (&retention.Service{Store: s}).Preview(ctx, cmd.Org, cmd.Study, proposed)
		if err != nil {
			return err
		}
		var rows []row
		for _, one := range p.Studies {
			rows = append(rows, row{
				{"study", one.LinkID},
				{"title", one.Title},
				{"hold", map[bool]string{true: "on", false: "off"}[one.Held]},
				{"firstRun", toSecond(p.EffectiveAt)},
				{"responses", one.First.Responses},
				{"recordingsOf", one.First.Recordings},
				{"responsesIn7Days", one.Week.Responses},
				{"recordingsIn7Days", one.Week.Recordings},
				{"responsesIn30Days", one.Month.Responses},
				{"recordingsIn30Days", one.Month.Recordings},
			})
		}
		return c.printAll(rows, "Nothing would be deleted within the next 30 days.")
	})
}

type retentionRun struct {
	Org string `required:"" help:"The organization's id." placeholder:"ID"`
}

// Run carries out the rules. Responses are out of every read at once; a server, or this command's last step, removes what is left of them.
func (cmd *retentionRun) Run(ctx context.Context, c *Common) error {
	objects, err := c.openObjects(c.blobsAddress(), blob.Links{})
	if err != nil {
		return err
	}
	return c.withStore(ctx, func(s *store.Store) error {
		sum, err := (&retention.Service{Store: s, Objects: objects, Erasure: &erasure.Service{Store: s}}).Run(ctx, cmd.Org)
		if err != nil {
			return err
		}
		if _, err := (&erasure.Worker{Store: s, Objects: objects}).Finish(ctx); err != nil {
			return err
		}
		return c.print(row{{"responses", sum.Responses}, {"recordings", sum.Recordings}, {"transcripts", sum.Transcripts}})
	})
}
