package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

// llmFlags say which language model is asked, and how much it may cost. The key is in a variable or a file, so that no list of
// processes shows it.
type llmFlags struct {
	URL             string `name:"llm-url" help:"Address of a language model's service, as OpenAI's is, such as https://api.openai.com/v1; its key is VERBATIM_LLM_KEY. Default: none, and the built-in moderator and analyst work alone." env:"VERBATIM_LLM_URL" placeholder:"URL"`
	Model           string `name:"llm-model" help:"The model that it is asked for; needed with an address." env:"VERBATIM_LLM_MODEL" placeholder:"NAME"`
	KeyFile         string `name:"llm-key-file" help:"File with the key of the language model, instead of VERBATIM_LLM_KEY." env:"VERBATIM_LLM_KEY_FILE" type:"path" placeholder:"FILE"`
	Parallel        int    `name:"llm-parallel" help:"Most calls at once from one server." default:"8" env:"VERBATIM_LLM_PARALLEL" placeholder:"N"`
	PricePrompt     string `name:"llm-price-prompt" help:"What a million tokens of what it is told cost, in your currency." default:"0" env:"VERBATIM_LLM_PRICE_PROMPT" placeholder:"SUM"`
	PriceCompletion string `name:"llm-price-completion" help:"What a million tokens of what it answers cost." default:"0" env:"VERBATIM_LLM_PRICE_COMPLETION" placeholder:"SUM"`
	MaxInterview    string `name:"llm-max-interview" help:"Most that it may be used for one interview; tokens=N, cost=SUM, or both with a comma between; none: no bound." default:"tokens=500000" env:"VERBATIM_LLM_MAX_INTERVIEW" placeholder:"CEILING"`
	MaxStudy        string `name:"llm-max-study" help:"The same for one study." default:"tokens=100000000" env:"VERBATIM_LLM_MAX_STUDY" placeholder:"CEILING"`
	MaxDay          string `name:"llm-max-day" help:"The same for a day (UTC) of the whole installation, on all servers together." default:"tokens=50000000" env:"VERBATIM_LLM_MAX_DAY" placeholder:"CEILING"`
}

// prices are those of the flags; of flags that nobody filled in, none.
func (f llmFlags) prices() (p usage.Prices, err error) {
	for _, price := range []struct {
		flag, value string
		to          *int64
	}{{"--llm-price-prompt", f.PricePrompt, &p.Prompt}, {"--llm-price-completion", f.PriceCompletion, &p.Completion}} {
		if price.value == "" {
			continue
		}
		if *price.to, err = usage.ParseMoney(price.value); err != nil {
			return p, usageError(price.flag + ": " + err.Error())
		}
	}
	return p, nil
}

// ceilings are those of the flags.
func (f llmFlags) ceilings() (l usage.Limits, err error) {
	prices, err := f.prices()
	if err != nil {
		return l, err
	}
	for _, ceiling := range []struct {
		flag, value string
		to          *usage.Ceiling
	}{
		{"--llm-max-interview", f.MaxInterview, &l.Interview},
		{"--llm-max-study", f.MaxStudy, &l.Study},
		{"--llm-max-day", f.MaxDay, &l.Day},
	} {
		if *ceiling.to, err = usage.ParseCeiling(ceiling.value); err != nil {
			return l, usageError(ceiling.flag + ": " + err.Error())
		}
		if ceiling.to.MicroCost > 0 && prices == (usage.Prices{}) {
			return l, usageError(ceiling.flag + ": a cost needs prices; see --llm-price-prompt")
		}
	}
	return l, nil
}

// languageModel is nil where no service is configured. meter and log may be nil.
func (f llmFlags) languageModel(ledger llm.Ledger, log *slog.Logger) (*llm.Client, error) {
	if f.URL == "" {
		return nil, nil
	}
	prices, err := f.prices()
	if err != nil {
		return nil, err
	}
	if f.Parallel < 0 {
		return nil, usageError("--llm-parallel must not be negative")
	}
	key, err := readLine("VERBATIM_LLM_KEY", "--llm-key-file", f.KeyFile)
	if err != nil {
		return nil, err
	}
	client, err := llm.New(llm.Config{
		URL: f.URL, Model: f.Model, Key: key, Prices: prices, Parallel: f.Parallel, Ledger: ledger, Log: log,
	}, nil)
	if err != nil {
		return nil, usageError("--llm-url, --llm-model or the key (VERBATIM_LLM_KEY, --llm-key-file): " + err.Error())
	}
	return client, nil
}

// counted is the model with its books in the database; nil where no service is configured. It says so in the log.
func (f llmFlags) counted(s *store.Store, log *slog.Logger) (*llm.Client, error) {
	limits, err := f.ceilings()
	if err != nil {
		return nil, err
	}
	client, err := f.languageModel(watchedLedger{&store.UsageMeter{Store: s, Limits: limits}, newCeilings(log)}, log)
	if err != nil {
		return nil, err
	}
	if client == nil {
		log.Info("no language model: the built-in moderator and analyst work alone")
		return nil, nil
	}
	log.Info("a language model is asked", "provider", client.Provider(), "model", client.Model(),
		"max_interview", f.MaxInterview, "max_study", f.MaxStudy, "max_day", f.MaxDay)
	return client, nil
}

// modelFinding tells whether the service that is configured, if any is, can be reached and takes the key.
func (f llmFlags) modelFinding(ctx context.Context) maintenance.Finding {
	found := maintenance.Finding{Check: "model", Advice: true, Mend: "see docs/providers.md, and try verbatim llm check"}
	client, err := f.languageModel(nil, nil)
	if _, ceilingsErr := f.ceilings(); err == nil {
		err = ceilingsErr
	}
	if err == nil && client != nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		if err = client.Reach(ctx); errors.Is(err, context.DeadlineExceeded) {
			err = llm.ErrUnavailable
		}
	}
	if err != nil {
		found.Violations = []string{err.Error() + ": the built-in moderator and analyst stand in for it"}
	}
	return found
}

type llmCommands struct {
	Check llmCheckCommand `cmd:"" help:"Ask a language model a few fixed questions, and say whether it will do."`
	Usage llmUsageCommand `cmd:"" help:"What the language model cost, by day or for one study."`
}

type llmUsageCommand struct {
	Study string `help:"Of one study, by its link id or its id." placeholder:"LINK"`
	Days  int    `help:"How many days with calls are listed, the latest first." default:"31" placeholder:"N"`
}

// Run lists days, or tells of one study.
func (cmd *llmUsageCommand) Run(ctx context.Context, c *Common) error {
	return c.withDatabase(ctx, func(s *store.Store) error {
		if cmd.Study != "" {
			st, err := findStudy(ctx, s, cmd.Study)
			if err != nil {
				return err
			}
			total, err := s.View().UsageOfStudy(ctx, st.ID)
			if err != nil {
				return err
			}
			return c.print(append(row{{"study", st.LinkID}}, usageFields(total)...))
		}
		if cmd.Days < 1 {
			return usageError("--days must be at least 1")
		}
		days, err := s.View().UsageByDay(ctx, cmd.Days)
		if err != nil {
			return err
		}
		var rows []row
		for _, day := range days {
			rows = append(rows, append(row{{"day", day.ID}}, usageFields(day)...))
		}
		return c.printAll(rows, "No language model was asked yet.")
	})
}

func usageFields(t store.UsageTotal) row {
	return row{
		{"calls", t.Calls},
		{"promptTokens", t.PromptTokens},
		{"completionTokens", t.CompletionTokens},
		{"cost", usage.Money(t.MicroCost)},
	}
}
