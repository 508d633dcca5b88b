package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim/internal/platform/store"
	"verbatim/internal/service/asking"
	"verbatim/internal/service/interviewlog"
)

type studyAsk struct {
	Link       string `arg:"" help:"The study's link id, or its id."`
	Question   string `arg:"" help:"The question, in the language of the answers: \"What do people say about the price?\""`
	AllStudies bool   `help:"Ask all studies of the study's organization."`
	Passages   int    `help:"How many passages to list where no model writes an answer, from 1 to 50." default:"10" placeholder:"N"`
	NoModel    bool   `help:"List the best passages, even if a language model is configured."`
	llmFlags   `group:"Language model:"`
}

// Run answers a question from what participants said. A server may be running.
func (cmd *studyAsk) Run(ctx context.Context, c *Common) error {
	if cmd.Passages < 1 || cmd.Passages > asking.MaxPassages {
		return usageError(fmt.Sprintf("--passages must be from 1 to %d", asking.MaxPassages))
	}
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		service := &asking.Service{Store: s, Interviews: &interviewlog.Loader{}}
		if !cmd.NoModel {
			client, err := cmd.counted(s, quiet(c.stderr))
			if err != nil {
				return err
			}
			if client != nil {
				service.Chat = client
			}
		}
		q := asking.Question{OrgID: found.OrgID, Text: cmd.Question, Passages: cmd.Passages}
		if !cmd.AllStudies {
			q.Study = &found
		}
		if err := service.IndexAll(ctx, q); err != nil {
			return err
		}
		answer, err := service.Ask(ctx, q)
		if errors.Is(err, asking.ErrNoQuestion) {
			return usageError(err.Error())
		}
		if err != nil {
			return err
		}
		if c.JSON || c.Field != "" {
			return c.print(askRow(answer))
		}
		printAnswer(c.stdout.printf, answer)
		return nil
	})
}

// printAnswer prints an answer for people, line by line, because it has words of participants.
func printAnswer(printf func(format string, args ...any), a asking.Answer) {
	line := func(format string, args ...any) { printf(format+"\n", args...) }
	why := askReasons[a.Reason]
	if some := func(w asking.Word) bool { return w.Responses > 0 }; a.Reason == asking.NoMatch && slices.ContainsFunc(a.Words, some) {
		why = "Not answered: no answer speaks of most of what the question names."
	}
	if why != "" {
		line("%s", why)
	}
	for _, s := range a.Sentences {
		line("%s (%s)", s.Text, counted(s.Responses, "response"))
		for _, q := range s.Quotes {
			line("    %s  “%s”", askPlace(q.Place), oneLine(q.Text))
		}
	}
	if a.Status != asking.Answered {
		for _, p := range a.Passages {
			line("%s  %s", askPlace(p.Place), oneLine(p.Asked))
			line("    “%s”", oneLine(p.Said))
		}
	}
	var words []string
	for _, w := range a.Words {
		words = append(words, fmt.Sprintf("“%s” %d", w.Text, w.Responses))
	}
	line("")
	line("Searched %d of %s. Responses with the words of the question: %s.", a.Searched, counted(a.Ended, "response"), orNone(strings.Join(words, ", ")))
	if a.Dropped > 0 {
		line("%s of the model could not be proved and were left out.", counted(a.Dropped, "sentence"))
	}
}

// askReasons say why there are no sentences.
var askReasons = map[asking.Reason]string{
	asking.NoWords:          "Not answered: the question has no word to search for. Name what it is about.",
	asking.NoMatch:          "Not answered: no answer speaks of what the question names.",
	asking.NotSupported:     "Not answered: nothing that participants said proves an answer. These passages come closest:",
	asking.NoModel:          "No language model is used. The passages that fit best:",
	asking.ModelUnavailable: "The language model could not be used. The passages that fit best:",
}

func askPlace(p asking.Place) string {
	return fmt.Sprintf("%s #%d row %d", p.LinkID, p.ReadableID, p.Row)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// askRow returns an answer for programs, with the keys of the API.
func askRow(a asking.Answer) row {
	place := func(p asking.Place) row {
		return row{{"studyId", p.StudyID}, {"linkId", p.LinkID}, {"responseId", p.ResponseID}, {"readableResponseId", p.ReadableID}, {"row", p.Row}}
	}
	sentences, passages, words := []row{}, []row{}, []row{}
	for _, s := range a.Sentences {
		quotes := []row{}
		for _, q := range s.Quotes {
			quotes = append(quotes, append(place(q.Place), field{"text", q.Text}))
		}
		sentences = append(sentences, row{{"text", s.Text}, {"responses", s.Responses}, {"quotes", quotes}})
	}
	for _, p := range a.Passages {
		passages = append(passages, append(place(p.Place), field{"question", p.Asked}, field{"text", p.Said}))
	}
	for _, w := range a.Words {
		words = append(words, row{{"word", w.Text}, {"responses", w.Responses}})
	}
	return row{
		{"status", a.Status},
		{"reason", a.Reason},
		{"answer", a.Text()},
		{"sentences", sentences},
		{"passages", passages},
		{"words", words},
		{"responses", a.Ended},
		{"searchedResponses", a.Searched},
		{"unverifiedDropped", a.Dropped},
		{"model", a.Model},
	}
}
