package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/strictjson"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/translation"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/translator"
)

// translationFlags configure when translations of guides are shown.
type translationFlags struct {
	AutoApproveTranslations bool `help:"Show machine translations of study guides to participants as soon as they are complete, without approval." env:"VERBATIM_AUTO_APPROVE_TRANSLATIONS"`
}

// translators returns the translation service. client is nil if no model is configured.
func (f translationFlags) translators(s *store.Store, client *llm.Client, log *slog.Logger) *translator.Service {
	service := &translator.Service{Store: s, AutoApprove: f.AutoApproveTranslations, Log: log}
	if client != nil {
		service.Model = client
	}
	return service
}

type studyTranslate struct {
	Link        string `arg:"" help:"The study's link id, or its id."`
	Language    string `help:"Language code, one of the study's availableLanguages. Default: all, for --status." placeholder:"CODE"`
	Status      bool   `help:"Only print the status of the translation."`
	Export      string `help:"Write the texts and their translations to a JSON file for editing; - for standard output." placeholder:"FILE"`
	Import      string `help:"Import the translations from an edited file; - for standard input. Participants see them once they are approved." placeholder:"FILE"`
	Approve     bool   `help:"Approve all texts, so that participants see the translation. With --import, those of the file."`
	AutoApprove *bool  `help:"Show machine translations as soon as they are complete, without approval. --no-auto-approve ends this." negatable:""`
	Again       bool   `help:"Ask the model again for texts whose translation was refused."`
	translationFlags
	llmFlags `group:"Language model:"`
}

// Run works on one translation, or prints the status of all. With no flag but --language, the model translates the missing texts.
func (cmd *studyTranslate) Run(ctx context.Context, c *Common) error {
	actions := 0
	for _, requested := range []bool{cmd.Status, cmd.Export != "", cmd.Import != "" || cmd.Approve || cmd.AutoApprove != nil, cmd.Again} {
		if requested {
			actions++
		}
	}
	if actions > 1 {
		return usageError("use --status, --export or --again alone; --import, --approve and --auto-approve can be combined")
	}
	if cmd.Language == "" && actions > 0 && !cmd.Status {
		return usageError("--language is required")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		client, err := cmd.counted(s, quiet(c.stderr))
		if err != nil {
			return err
		}
		service := cmd.translators(s, client, quiet(c.stderr))
		var translated *translation.Translation
		if cmd.Language == "" || cmd.Status {
			err = cmd.status(ctx, c, service, st)
		} else {
			translated, err = cmd.apply(ctx, c, service, st)
		}
		if errors.Is(err, translator.ErrOtherLanguage) {
			languages, _ := service.Languages(ctx, st, translator.Revision(st))
			return fmt.Errorf("study %s is not offered in %q: its availableLanguages are %v", st.LinkID, cmd.Language, languages)
		}
		if err != nil || translated == nil {
			return err
		}
		return c.print(translationRow(st, translated))
	})
}

// apply does what the flags request. It returns the translation, or nil if there is nothing more to print.
func (cmd *studyTranslate) apply(ctx context.Context, c *Common, service *translator.Service, st study.Study) (*translation.Translation, error) {
	revision := translator.Revision(st)
	switch {
	case cmd.Export != "":
		translated, err := service.Translation(ctx, st, revision, cmd.Language)
		if err != nil {
			return nil, err
		}
		return nil, c.writeFile(cmd.Export, translated.Export(st.LinkID))
	case cmd.Import != "" || cmd.Approve || cmd.AutoApprove != nil:
		return cmd.review(ctx, c, service, st, revision)
	}
	if service.Model == nil {
		return nil, errors.New("no language model is configured (VERBATIM_LLM_URL): translate by hand, with --export and --import")
	}
	return service.Translate(ctx, st, revision, cmd.Language, cmd.Again)
}

// review stores a person's decisions: an imported file, the approval, and whether machine translations are approved automatically.
func (cmd *studyTranslate) review(ctx context.Context, c *Common, service *translator.Service, st study.Study, revision int) (*translation.Translation, error) {
	var file translation.File
	if cmd.Import != "" {
		body, err := readFile(cmd.Import)
		if err == nil {
			file, err = translation.ReadFile(body)
		}
		if err != nil {
			return nil, cmd.printViolations(c, err)
		}
	}
	var remarks []translation.Remark
	translated, err := service.Change(ctx, st, revision, cmd.Language, func(translated *translation.Translation) error {
		if cmd.Import != "" {
			var refused bool
			if remarks, refused = translated.Import(file); refused {
				return errRefused
			}
		}
		if cmd.AutoApprove != nil {
			translated.Auto = *cmd.AutoApprove
			translated.Publish()
		}
		if cmd.Approve {
			return translated.Approve()
		}
		return nil
	})
	var rows []row
	for _, r := range remarks {
		rows = append(rows, row{{"level", level(r.Advice)}, {"place", r.Place}, {"text", r.Text}})
	}
	if errors.Is(err, errRefused) {
		return nil, errors.Join(c.printAll(rows, ""), fmt.Errorf("%s is invalid: nothing was stored", cmd.Import))
	}
	if err == nil && len(rows) > 0 && !c.JSON {
		err = c.printAll(rows, "")
	}
	return translated, err
}

var errRefused = errors.New("the file is invalid")

func level(advice bool) string {
	if advice {
		return "advice"
	}
	return "error"
}

// printViolations prints the schema violations of a file.
func (cmd *studyTranslate) printViolations(c *Common, err error) error {
	invalid, ok := errors.AsType[*strictjson.SchemaError](err)
	if !ok {
		return err
	}
	var rows []row
	for _, issue := range invalid.Issues {
		rows = append(rows, row{{"level", "error"}, {"place", guide.PlaceOf(issue.Path)}, {"text", issue.Message}})
	}
	return errors.Join(c.printAll(rows, ""), fmt.Errorf("%s is invalid: nothing was stored", cmd.Import))
}

// status prints the status of one language, or of all.
func (cmd *studyTranslate) status(ctx context.Context, c *Common, service *translator.Service, st study.Study) error {
	revision := translator.Revision(st)
	languages := []string{cmd.Language}
	if cmd.Language == "" {
		var err error
		if languages, err = service.Languages(ctx, st, revision); err != nil {
			return err
		}
	}
	var rows []row
	for _, language := range languages {
		translated, err := service.Translation(ctx, st, revision, language)
		if err != nil {
			return err
		}
		rows = append(rows, translationRow(st, translated))
	}
	return c.printAll(rows, "The study is offered only in its own language.")
}

func translationRow(st study.Study, translated *translation.Translation) row {
	count := translated.Count()
	shown := "own texts"
	if translated.Shown != nil && translated.Version > 0 {
		shown = "translation"
	}
	return row{
		{"study", st.LinkID},
		{"revision", translated.Revision},
		{"language", translated.Language},
		{"texts", len(translated.Entries)},
		{"untranslated", count[translation.Untranslated]},
		{"draft", count[translation.Draft]},
		{"edited", count[translation.Edited]},
		{"approved", count[translation.Approved]},
		{"autoApprove", translated.Auto},
		{"shown", shown},
	}
}
