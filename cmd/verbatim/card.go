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
		of, err := anyStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		bar := c.bar("reading", responses)
		card, err := maintenance.ReportModeration(ctx, s, of, func(done, total int) { bar.draw(int64(done), int64(total)) })
		bar.leave()
		if err != nil {
			return err
		}
		if c.JSON {
			return c.print(append(row{{"study", of.LinkID}, {"title", of.Title}}, moderationRow(&card)...))
		}
		return c.tellCard(of.Title, of.LinkID, &card)
	})
}

// tellCard prints the card for people: the questions, and then the interviewer.
func (c *Common) tellCard(title, link string, card *maintenance.ModerationReport) error {
	c.stdout.printf("%s (%s): %d responses, %d complete, %d screened out, %d in progress\n\n",
		title, link, card.Responses, card.Complete, card.ScreenedOut, card.InProgress)
	t := c.stdout.table()
	t.row("QUESTION", "ASKED", "ANSWERED", "SKIPPED", "WORDS", "ON SUBJECT", "FOLLOW-UPS", "KINDS")
	for _, q := range card.Questions {
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
		{"follow-ups", fmt.Sprintf("%d asked, %d times none", card.FollowUps, card.Declined)},
		{"by kind", counts(card.Kinds)},
		{"by whom", counts(card.Sources)},
		{"repeats", fmt.Sprint(card.Repeats())},
		{"leading", fmt.Sprint(card.Leading())},
		{"unclear", fmt.Sprint(card.Unclear())},
		{"all faults of those asked", counts(card.Violations)},
		{"beyond the level", fmt.Sprint(card.OverBudget)},
		{"refused by the guard, unread", counts(card.Refused)},
		{"built-in instead of a model", counts(card.Fallbacks)},
		{"seconds to the next question", spread(card.Wait)},
		{"seconds to a model's first words", spread(card.FirstWords)},
		{"tokens", fmt.Sprintf("%d in, %d out", card.PromptTokens, card.CompletionTokens)},
		{"from before decisions were kept", fmt.Sprint(card.Unlogged)},
		{"logs that do not play", fmt.Sprint(card.Unreadable)},
	} {
		t.row(line[0], line[1])
	}
	return t.end()
}

// cardRow is the card for programs.
func moderationRow(card *maintenance.ModerationReport) row {
	questions := make([]row, 0, len(card.Questions))
	for _, q := range card.Questions {
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
		{"responses", card.Responses},
		{"complete", card.Complete},
		{"screenedOut", card.ScreenedOut},
		{"inProgress", card.InProgress},
		{"questions", questions},
		{"followUps", card.FollowUps},
		{"declined", card.Declined},
		{"kinds", card.Kinds},
		{"sources", card.Sources},
		{"repeats", card.Repeats()},
		{"leading", card.Leading()},
		{"unclear", card.Unclear()},
		{"faults", card.Violations},
		{"budgetViolations", card.OverBudget},
		{"refused", card.Refused},
		{"fallbacks", card.Fallbacks},
		{"secondsToNext", spreadRow(card.Wait)},
		{"secondsToFirstWords", spreadRow(card.FirstWords)},
		{"promptTokens", card.PromptTokens},
		{"completionTokens", card.CompletionTokens},
		{"microCost", card.MicroCost},
		{"unlogged", card.Unlogged},
		{"unreadable", card.Unreadable},
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
func shortened(text string, most int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
