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

// Run prints how the interviewer did over a study.
func (cmd *moderationCommand) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		of, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		bar := c.bar("reading", responses)
		report, err := maintenance.ReportModeration(ctx, s, of, func(done, total int) { bar.draw(int64(done), int64(total)) })
		bar.end()
		if err != nil {
			return err
		}
		if c.JSON {
			return c.print(append(row{{"study", of.LinkID}, {"title", of.Title}}, moderationRow(&report)...))
		}
		return c.printModeration(of.Title, of.LinkID, &report)
	})
}

// tellCard prints the card for people: the questions, and then the interviewer.
func (c *Common) printModeration(title, link string, report *maintenance.ModerationReport) error {
	c.stdout.printf("%s (%s): %d responses, %d complete, %d screened out, %d in progress\n\n",
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
		{"follow-ups", fmt.Sprintf("%d asked, %d times none", report.FollowUps, report.Declined)},
		{"by kind", counts(report.Kinds)},
		{"by whom", counts(report.Sources)},
		{"repeats", fmt.Sprint(report.Repeats())},
		{"leading", fmt.Sprint(report.Leading())},
		{"unclear", fmt.Sprint(report.Unclear())},
		{"all faults of those asked", counts(report.Violations)},
		{"beyond the level", fmt.Sprint(report.OverBudget)},
		{"refused by the guard, unread", counts(report.Refused)},
		{"built-in instead of a model", counts(report.Fallbacks)},
		{"seconds to the next question", spread(report.Wait)},
		{"seconds to a model's first words", spread(report.FirstWords)},
		{"tokens", fmt.Sprintf("%d in, %d out", report.PromptTokens, report.CompletionTokens)},
		{"from before decisions were kept", fmt.Sprint(report.Unlogged)},
		{"logs that do not play", fmt.Sprint(report.Unreadable)},
	} {
		t.row(line[0], line[1])
	}
	return t.end()
}

// cardRow is the card for programs.
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

// counts writes what was counted by kind, in the order of the kinds' names.
func counts[K ~string](of map[K]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(of)) {
		name := string(kind)
		if name == "" {
			name = "unnamed"
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, of[kind]))
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

// shortened is a text of one line that has so many characters at most.
func shortened(text string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}
