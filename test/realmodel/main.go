// Command realmodel puts a language model to the trials that this project's tests put their fakes to: the moderator with its prompt and its
// guard, as the program runs it, with participants who answer and participants who attack. It prints the questions, and those that the
// guard refused. VERBATIM_LLM_URL, _KEY and _MODEL name the model.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"verbatim/internal/domain/guardrail/guardrailtest"
	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/interview"
	"verbatim/internal/platform/llm"
	"verbatim/internal/service/moderator"
)

func main() {
	log.SetFlags(0)
	parallel := flag.Int("parallel", 4, "questions at once")
	within := flag.Duration("within", 8*time.Second, "how long a participant waits for a follow-up")
	judge := flag.Bool("judge", false, "have the model judge each follow-up with a second prompt")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client, err := llm.New(llm.Config{
		URL: os.Getenv("VERBATIM_LLM_URL"), Key: os.Getenv("VERBATIM_LLM_KEY"), Model: os.Getenv("VERBATIM_LLM_MODEL"), Parallel: *parallel,
	}, nil)
	if err != nil {
		log.Fatalf("set VERBATIM_LLM_URL and VERBATIM_LLM_MODEL: %v", err)
	}
	if err := run(ctx, os.Stdout, &moderator.Model{LLM: client, Within: *within, SecondJudge: *judge}, *parallel); err != nil {
		stop()
		log.Fatal(err)
	}
}

// trial is one follow-up to be found.
type trial struct {
	group, name string
	ask         interview.Ask
	attack      *guardrailtest.Attack
}

type outcome struct {
	trial
	decided interview.Decision
}

// run runs every trial and prints each follow-up and a summary. It returns an error if the model answered nothing at all.
func run(ctx context.Context, out io.Writer, m *moderator.Model, parallel int) error {
	trials := append(answers(), attacks()...)
	done := make([]outcome, len(trials))
	next := make(chan int)
	var all sync.WaitGroup
	for range max(1, parallel) {
		all.Go(func() {
			for i := range next {
				done[i] = outcome{trials[i], m.Decide(ctx, trials[i].ask)}
			}
		})
	}
	for i := range trials {
		next <- i
	}
	close(next)
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	answered := false
	for _, o := range done {
		answered = answered || len(o.decided.Attempts) > 0
		o.print(out)
	}
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PARTICIPANTS\tFOLLOW-UPS\tASKED AT ONCE\tASKED AFTER A REASON\tNOT ASKED\tBUILT-IN INSTEAD\tREFUSED FOR\tWENT FOR THE ORDER\tMEDIAN\t95 OF 100")
	for _, group := range []string{"answer", "attack"} {
		fmt.Fprintln(table, sum(group, done))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if !answered {
		return fmt.Errorf("the model answered nothing: %s", done[0].decided.Fallback)
	}
	return nil
}

// print prints the question, or why there is none.
func (o outcome) print(out io.Writer) {
	fmt.Fprintf(out, "\n%s, %s (%.1f s)\n  they said: %s\n", o.group, o.name, o.decided.Took.Seconds(), clip(o.ask.Answer))
	for _, a := range o.decided.Attempts {
		switch {
		case len(a.Violations) > 0:
			fmt.Fprintf(out, "  refused:   %s\n", clip(a.Words))
			for _, f := range a.Violations {
				fmt.Fprintf(out, "             %s: %s\n", f.Kind, f.Detail)
			}
		case a.Words == "":
			fmt.Fprintf(out, "  asks nothing: %s\n", clip(a.Reason))
		default:
			fmt.Fprintf(out, "  asks:      %s (%s)\n", clip(a.Words), a.Kind)
		}
	}
	if o.decided.Fallback != "" {
		fmt.Fprintf(out, "  built-in instead (%s): %s\n", o.decided.Fallback, cmp.Or(clip(o.decided.Words), "nothing"))
	}
}

// clip returns a text on one line, truncated.
func clip(text string) string {
	const limit = 160
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + " …"
	}
	return text
}

// sum returns the summary line of one group.
func sum(group string, done []outcome) string {
	n, first, second, none, fell, obeyed := 0, 0, 0, 0, 0, 0
	violations := map[string]int{}
	var took []time.Duration
	for _, o := range done {
		if o.group != group {
			continue
		}
		n++
		took = append(took, o.decided.Took)
		d := o.decided
		switch {
		case d.Fallback != "":
			fell++
		case d.Words == "":
			none++
		case len(d.Attempts) > 1:
			second++
		default:
			first++
		}
		for _, a := range d.Attempts {
			for _, f := range a.Violations {
				violations[f.Kind]++
			}
			if o.attack != nil && strings.EqualFold(strings.TrimSpace(a.Words), strings.TrimSpace(o.attack.Obedient)) {
				obeyed++
			}
		}
	}
	slices.Sort(took)
	why := make([]string, 0, len(violations))
	for _, kind := range slices.Sorted(maps.Keys(violations)) {
		why = append(why, fmt.Sprintf("%s %d", kind, violations[kind]))
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%.1f s\t%.1f s", group, n, first, second, none, fell,
		cmp.Or(strings.Join(why, ", "), "-"), obeyed, took[n/2].Seconds(), took[n*95/100].Seconds())
}

// askOf returns a follow-up that is due about one question of a small study.
func askOf(language, question, answer string, seed uint64, asked ...string) interview.Ask {
	g := &guide.Guide{
		Title: "Commuters", ExternalTitle: "Trains", StudyGoal: "How commuters live with the train", Background: guardrailtest.Prompt,
		Blocks: []guide.Block{{Items: []guide.Item{{ID: "q1", Type: guide.OpenEnded, Text: question, FollowUp: guide.FollowUpMedium}}}},
	}
	return interview.Ask{
		Guide: g, Item: &g.Blocks[0].Items[0], Language: language, Answer: answer, Asked: asked, Seed: seed, Left: 2,
		Exchanges: []interview.Exchange{{ItemID: "q1", Moderator: question, User: answer}},
		Words:     func(string) {}, // as on the page, where the words are shown while they are written
	}
}
