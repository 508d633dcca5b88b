package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"verbatim/internal/domain/interview"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

type replayCommand struct {
	Response string `arg:"" optional:"" help:"The response's id."`
	Study    string `help:"Replay all responses of the study with this link id or id." placeholder:"LINK"`
}

// Run rebuilds interviews from their logs, and returns an error if anything differs from what is stored.
func (cmd *replayCommand) Run(ctx context.Context, c *Common) error {
	if (cmd.Response == "") == (cmd.Study == "") {
		return usageError("give either a response's id or --study LINK")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		if cmd.Study != "" {
			return cmd.all(ctx, c, s)
		}
		if !study.IsUUID(cmd.Response) {
			return response.ErrNotFound
		}
		done, err := maintenance.NewReplayer(s).Replay(ctx, cmd.Response)
		if err != nil {
			return err
		}
		if c.JSON {
			err = c.print(replayedRow(done))
		} else {
			c.printReplay(done)
		}
		return errors.Join(err, difference(done))
	})
}

// all replays the responses of a study and prints the differences of each.
func (cmd *replayCommand) all(ctx context.Context, c *Common, s *store.Store) error {
	st, err := findStudy(ctx, s, cmd.Study)
	if err != nil {
		return err
	}
	bar := c.bar("replaying", responses)
	defer bar.end()
	done, err := maintenance.NewReplayer(s).ReplayStudy(ctx, st.ID, func(n, total int) { bar.draw(int64(n), int64(total)) })
	if err != nil {
		return err
	}
	bar.end()
	report := row{
		{"study", st.LinkID},
		{"responses", done.Responses},
		{"turns", done.Turns},
		{"followUps", done.FollowUps},
		{"unlogged", done.Unlogged},
		{"differing", len(done.Differing)},
	}
	var first error
	differing := []row{}
	for _, r := range done.Differing {
		first = cmp.Or(first, difference(r))
		differing = append(differing, row{{"response", r.Response.ID}, {"readableId", r.Response.ReadableID}, {"differences", r.Differences}})
	}
	if c.JSON {
		report = append(report, field{"differences", differing})
	}
	return errors.Join(c.print(report), first)
}

// difference returns the first difference of a replay as an error, or nil if there is none.
func difference(done maintenance.Replayed) error {
	if len(done.Differences) == 0 {
		return nil
	}
	return fmt.Errorf("response %s (number %d) differs from its log: %s", done.Response.ID, done.Response.ReadableID, done.Differences[0])
}

// printReplay prints the transcript and the result of a replay.
func (c *Common) printReplay(done maintenance.Replayed) {
	c.stdout.printf("Response %d, %s, %s: %d turns, %d follow-ups\n\n", done.Response.ReadableID, done.Response.ID, done.Response.Progress, done.Turns, done.FollowUps)
	for _, line := range done.Lines {
		action := "asked"
		if line.FollowUp {
			action = "followed up"
		}
		if d := line.Decision; d != nil {
			action += " (" + strings.Join([]string{string(d.Kind), d.Source()}, ", ") + ")"
		}
		c.stdout.printf("%s\n  %s\n", action, indented(line.Moderator, "  "))
		switch {
		case line.Statement:
		case line.User != "":
			c.stdout.printf("    > %s\n", indented(line.User, "    > "))
		default:
			c.stdout.printf("    > (recorded)\n")
		}
	}
	c.stdout.printf("\n")
	if done.Unlogged > 0 {
		c.stdout.printf("%d of the moderator's turns have no stored decision: they were made before decisions were stored.\n", done.Unlogged)
	}
	for _, d := range done.Differences {
		c.stdout.printf("DIFFERS: %s\n", d)
	}
	if len(done.Differences) == 0 {
		c.stdout.printf("The log can be replayed, each follow-up is what was decided, and the rebuilt documents are equal byte for byte.\nlist item        sha256 %s\nsingle response  sha256 %s\n", done.List, done.Single)
	}
}

// replayedRow returns the result of a replay as JSON fields.
func replayedRow(done maintenance.Replayed) row {
	lines := make([]row, 0, len(done.Lines))
	for _, l := range done.Lines {
		line := row{
			{"questionId", l.ItemID}, {"conceptId", orNil(l.ConceptID)}, {"followUp", l.FollowUp}, {"moderator", l.Moderator}, {"participant", l.User},
		}
		if l.Decision != nil {
			line = append(line, field{"decision", decisionRow(l.Decision)})
		}
		lines = append(lines, line)
	}
	return row{
		{"id", done.Response.ID},
		{"readableId", done.Response.ReadableID},
		{"progress", done.Response.Progress},
		{"turns", done.Turns},
		{"followUps", done.FollowUps},
		{"unlogged", done.Unlogged},
		{"same", len(done.Differences) == 0},
		{"differences", append([]string{}, done.Differences...)},
		{"listHash", orNil(done.List)},
		{"singleHash", orNil(done.Single)},
		{"transcript", lines},
	}
}

func decisionRow(d *interview.Decision) row {
	attempts := make([]row, 0, len(d.Attempts))
	for _, a := range d.Attempts {
		violations := make([]row, 0, len(a.Violations))
		for _, v := range a.Violations {
			violations = append(violations, row{{"kind", v.Kind}, {"detail", v.Detail}})
		}
		attempts = append(attempts, row{{"words", a.Words}, {"kind", a.Kind}, {"reason", a.Reason}, {"faults", violations}})
	}
	return row{
		{"kind", d.Kind},
		{"reason", d.Reason},
		{"provider", d.Provider},
		{"model", orNil(d.Model)},
		{"fallback", orNil(d.Fallback)},
		{"prompt", orNil(d.Prompt)},
		{"promptHash", orNil(d.PromptHash)},
		{"seed", fmt.Sprint(d.Seed)},
		{"attempts", attempts},
		{"promptTokens", d.PromptTokens},
		{"completionTokens", d.CompletionTokens},
		{"microCost", d.MicroCost},
		{"firstWordsSeconds", d.FirstWords.Seconds()},
		{"tookSeconds", d.Took.Seconds()},
	}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}
