package main

import (
	"context"
	"log/slog"

	"verbatim/internal/domain/usage"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/maintenance"
)

// llmFlags select the language model and limit its cost. The key is in a variable or a file, so that process lists do not show it.
type llmFlags struct {
	URL             string `name:"llm-url" help:"Base URL of an OpenAI-compatible language model API, such as https://api.openai.com/v1; the key is in VERBATIM_LLM_KEY. Default: none; the built-in moderator and analyst are used." env:"VERBATIM_LLM_URL" placeholder:"URL"`
	Model           string `name:"llm-model" help:"Name of the language model; required with --llm-url." env:"VERBATIM_LLM_MODEL" placeholder:"NAME"`
	KeyFile         string `name:"llm-key-file" help:"File with the key of the language model, instead of VERBATIM_LLM_KEY." env:"VERBATIM_LLM_KEY_FILE" type:"path" placeholder:"FILE"`
	Masking         string `name:"model-masking" help:"Mask mail addresses, links, numbers and street addresses in all that is sent to the language model: on or off." enum:"on,off" default:"on" env:"VERBATIM_MODEL_MASKING" placeholder:"MODE"`
	Judge           string `name:"llm-judge" help:"Have the language model judge each of its follow-ups with a second prompt, after the guard accepted it: on or off. It can only refuse; participants wait for it." enum:"on,off" default:"off" env:"VERBATIM_LLM_JUDGE" placeholder:"MODE"`
	Parallel        int    `name:"llm-parallel" help:"Maximum number of simultaneous calls from one server." default:"8" env:"VERBATIM_LLM_PARALLEL" placeholder:"N"`
	PricePrompt     string `name:"llm-price-prompt" help:"Price of a million prompt tokens, in your currency." default:"0" env:"VERBATIM_LLM_PRICE_PROMPT" placeholder:"SUM"`
	PriceCompletion string `name:"llm-price-completion" help:"Price of a million completion tokens." default:"0" env:"VERBATIM_LLM_PRICE_COMPLETION" placeholder:"SUM"`
	MaxInterview    string `name:"llm-max-interview" help:"Maximum use for one interview: tokens=N, cost=SUM, or both separated by a comma. none: no limit." default:"tokens=500000" env:"VERBATIM_LLM_MAX_INTERVIEW" placeholder:"CEILING"`
	MaxStudy        string `name:"llm-max-study" help:"Maximum use for one study, in the same form." default:"tokens=100000000" env:"VERBATIM_LLM_MAX_STUDY" placeholder:"CEILING"`
	MaxDay          string `name:"llm-max-day" help:"Maximum use per day (UTC) of all servers together, in the same form." default:"tokens=50000000" env:"VERBATIM_LLM_MAX_DAY" placeholder:"CEILING"`
}

// prices returns the prices that the flags set; zero if no flags were parsed.
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

// ceilings returns the ceilings that the flags set.
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
			return l, usageError(ceiling.flag + ": a cost limit needs prices; see --llm-price-prompt")
		}
	}
	return l, nil
}

// unmasked reports whether masking is switched off.
func (f llmFlags) unmasked() bool { return f.Masking == "off" }

// languageModel returns a client of the language model, or nil if none is configured. ledger and log may be nil.
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
		Unmasked: f.unmasked(),
	}, nil)
	if err != nil {
		return nil, usageError("--llm-url, --llm-model or the key (VERBATIM_LLM_KEY, --llm-key-file): " + err.Error())
	}
	return client, nil
}

// counted returns a client of the language model whose use is recorded in the database, or nil if none is configured. It logs which.
func (f llmFlags) counted(s *store.Store, log *slog.Logger) (*llm.Client, error) {
	limits, err := f.ceilings()
	if err != nil {
		return nil, err
	}
	client, err := f.languageModel(maintenance.WatchedLedger{Ledger: &store.UsageMeter{Store: s, Limits: limits}, Ceilings: maintenance.NewCeilings(log)}, log)
	if err != nil {
		return nil, err
	}
	if client == nil {
		log.Info("no language model is configured: the built-in moderator and analyst are used")
		return nil, nil
	}
	log.Info("a language model is used", "provider", client.Provider(), "model", client.Model(),
		"masking", !f.unmasked(), "max_interview", f.MaxInterview, "max_study", f.MaxStudy, "max_day", f.MaxDay)
	return client, nil
}

// modelFinding checks whether the configured language model, if any, can be reached and accepts the key.
func (f llmFlags) modelFinding(ctx context.Context) maintenance.Finding {
	client, err := f.languageModel(nil, nil)
	if _, ceilingsErr := f.ceilings(); err == nil {
		err = ceilingsErr
	}
	var reach func(context.Context) error
	if client != nil {
		reach = client.Reach
	}
	return maintenance.ModelFinding(ctx, reach, err)
}

type llmCommands struct {
	Check   llmCheckCommand   `cmd:"" help:"Test whether a language model is suitable, with a few fixed questions."`
	Preview llmPreviewCommand `cmd:"" help:"Print exactly what a language model would be sent about a response."`
	Usage   llmUsageCommand   `cmd:"" help:"Show what the language model has cost, by day or for one study."`
}

type llmUsageCommand struct {
	Study string `help:"Only this study, by its link id or its id." placeholder:"LINK"`
	Days  int    `help:"Number of days to list, the latest first. Days without calls are left out." default:"31" placeholder:"N"`
}

// Run prints the use by day, or that of one study.
func (cmd *llmUsageCommand) Run(ctx context.Context, c *Common) error {
	if cmd.Days < 1 {
		return usageError("--days must be at least 1")
	}
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
		days, err := s.View().UsageByDay(ctx, cmd.Days)
		if err != nil {
			return err
		}
		var rows []row
		for _, day := range days {
			rows = append(rows, append(row{{"day", day.ID}}, usageFields(day)...))
		}
		return c.printAll(rows, "No language model has been used yet.")
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
