package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"verbatim/internal/domain/guide"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

type moderationCommand struct {
	Link string `arg:"" help:"The study's link id, or its id."`
}

// Run prints the moderation report of a study.
func (cmd *moderationCommand) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		bar := c.bar("reading", responses)
		report, err := maintenance.ReportModeration(ctx, s, found, func(done, total int) { bar.draw(int64(done), int64(total)) })
		bar.end()
		if err != nil {
			return err
		}
		if c.JSON {
			return c.print(append(row{{"study", found.LinkID}, {"title", found.Title}}, moderationRow(&report)...))
		}
		return c.printModeration(found.Title, found.LinkID, &report)
	})
}

// printModeration prints the report as text: first the questions, then the moderator.
func (c *Common) printModeration(title, link string, report *maintenance.ModerationReport) error {
	c.stdout.printf("Moderation report\n\n%s (%s): %d responses, %d complete, %d screened out, %d in progress\n\n",
		title, link, report.Responses, report.Complete, report.ScreenedOut, report.InProgress)
	t := c.stdout.table()
	t.row("QUESTION", "ASKED", "ANSWERED", "SKIPPED", "WORDS", "ON SUBJECT", "FOLLOW-UPS", "KINDS")
	for _, q := range report.Questions {
		words, subject, kinds := "-", "-", "-"
		if q.Type == guide.OpenEnded && q.Answered > 0 {
			words = fmt.Sprintf("%.1f", average(q.Words, q.Answered))
			subject = percent(q.OnSubject, q.Words)
		}
		if q.FollowUps > 0 {
			kinds = counts(q.Kinds)
		}
		t.row(fmt.Sprintf("%d. %s", q.Number, shortened(q.Text, 40)), fmt.Sprint(q.Asked), fmt.Sprint(q.Answered), fmt.Sprint(q.Skipped), words, subject, fmt.Sprint(q.FollowUps), kinds)
	}
	t.row()
	for _, line := range [][2]string{
		{"follow-ups", fmt.Sprintf("%d asked, %d decided against", report.FollowUps, report.Declined)},
		{"by kind", counts(report.Kinds)},
		{"by moderator", counts(report.Sources)},
		{"repeats", fmt.Sprint(report.Repeats())},
		{"leading", fmt.Sprint(report.Leading())},
		{"unclear", fmt.Sprint(report.Unclear())},
		{"all violations in those asked", counts(report.Violations)},
		{"beyond the level", fmt.Sprint(report.OverBudget)},
		{"refused by the guard, never asked", counts(report.Refused)},
		{"built-in instead of the model", counts(report.Fallbacks)},
		{"seconds to the next question", spread(report.Wait)},
		{"seconds to the model's first words", spread(report.FirstWords)},
		{"tokens", fmt.Sprintf("%d in, %d out", report.PromptTokens, report.CompletionTokens)},
		{"without a stored decision", fmt.Sprint(report.Unlogged)},
		{"logs that cannot be replayed", fmt.Sprint(report.Unreadable)},
	} {
		t.row(line[0], line[1])
	}
	return t.end()
}

// moderationRow returns the report as JSON fields.
func moderationRow(report *maintenance.ModerationReport) row {
	questions := make([]row, 0, len(report.Questions))
	for _, q := range report.Questions {
		line := row{
			{"id", q.ID},
			{"number", q.Number},
			{"text", q.Text},
			{"type", q.Type},
			{"asked", q.Asked},
			{"answered", q.Answered},
			{"skipped", q.Skipped},
			{"followUps", q.FollowUps},
			{"kinds", q.Kinds},
		}
		if q.Type == guide.OpenEnded {
			line = append(line, field{"words", q.Words}, field{"wordsOnSubject", q.OnSubject})
		}
		questions = append(questions, line)
	}
	return row{
		{"responses", report.Responses},
		{"complete", report.Complete},
		{"screenedOut", report.ScreenedOut},
		{"inProgress", report.InProgress},
		{"questions", questions},
		{"followUps", report.FollowUps},
		{"declined", report.Declined},
		{"kinds", report.Kinds},
		{"sources", report.Sources},
		{"repeats", report.Repeats()},
		{"leading", report.Leading()},
		{"unclear", report.Unclear()},
		{"faults", report.Violations},
		{"budgetViolations", report.OverBudget},
		{"refused", report.Refused},
		{"fallbacks", report.Fallbacks},
		{"secondsToNext", spreadRow(report.Wait)},
		{"secondsToFirstWords", spreadRow(report.FirstWords)},
		{"promptTokens", report.PromptTokens},
		{"completionTokens", report.CompletionTokens},
		{"microCost", report.MicroCost},
		{"unlogged", report.Unlogged},
		{"unreadable", report.Unreadable},
	}
}

func spreadRow(s maintenance.Spread) row {
	return row{{"count", s.Count}, {"p50", s.P50.Round(time.Millisecond).Seconds()}, {"p95", s.P95.Round(time.Millisecond).Seconds()}}
}

func spread(s maintenance.Spread) string {
	if s.Count == 0 {
		return "-"
	}
	return fmt.Sprintf("p50 %.2f, p95 %.2f, of %d", s.P50.Seconds(), s.P95.Seconds(), s.Count)
}

// counts formats counts by kind, in the order of the kinds' names.
func counts[K ~string](byKind map[K]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		name := string(kind)
		if name == "" {
			name = "unnamed"
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, byKind[kind]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func average(sum, of int) float64 { return float64(sum) / float64(of) }

func percent(part, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*average(part, of))
}

// shortened returns text on one line, cut to at most limit characters.
func shortened(text string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}
