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

// translationFlags say when translations of guides are shown.
type translationFlags struct {
	AutoApproveTranslations bool `help:"Show machine translations of study guides to participants as soon as they are complete, before anybody has approved them." env:"VERBATIM_AUTO_APPROVE_TRANSLATIONS"`
}

// translators has no model where none is configured: client is nil then.
func (f translationFlags) translators(s *store.Store, client *llm.Client, log *slog.Logger) *translator.Service {
	work := &translator.Service{Store: s, AutoApprove: f.AutoApproveTranslations, Log: log}
	if client != nil {
		work.Model = client
	}
	return work
}

type studyTranslate struct {
	Link        string `arg:"" help:"The study's link id, or its id."`
	Language    string `help:"Code of the language, one of the study's availableLanguages. Default: all, for --status." placeholder:"CODE"`
	Status      bool   `help:"Only tell how far the translation is."`
	Export      string `help:"Write the texts and their translations to a JSON file, to be edited; - for standard output." placeholder:"FILE"`
	Import      string `help:"Take over the translations of an edited file; - for standard input. Participants see them once they are approved." placeholder:"FILE"`
	Approve     bool   `help:"Release every text: participants see the translation from now on. With --import, of the file."`
	AutoApprove *bool  `help:"Show machine translations as soon as they are complete, before anybody has approved them; --no-auto-approve ends it." negatable:""`
	Again       bool   `help:"Ask the model once more for texts whose translation was refused."`
	translationFlags
	llmFlags `group:"Language model:"`
}

// Run works on one translation, or tells of all. Without another flag than --language it has the model translate what is
// missing.
func (cmd *studyTranslate) Run(ctx context.Context, c *Common) error {
	deeds := 0
	for _, asked := range []bool{cmd.Status, cmd.Export != "", cmd.Import != "" || cmd.Approve || cmd.AutoApprove != nil, cmd.Again} {
		if asked {
			deeds++
		}
	}
	if deeds > 1 {
		return usageError("--status, --export and --again go alone; of the others, --import, --approve and --auto-approve go together")
	}
	if cmd.Language == "" && deeds > 0 && !cmd.Status {
		return usageError("--language must be given")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		of, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		client, err := cmd.counted(s, quiet(c.stderr))
		if err != nil {
			return err
		}
		work := cmd.translators(s, client, quiet(c.stderr))
		var translated *translation.Translation
		if cmd.Language == "" || cmd.Status {
			err = cmd.status(ctx, c, work, of)
		} else {
			translated, err = cmd.apply(ctx, c, work, of)
		}
		if errors.Is(err, translator.ErrOtherLanguage) {
			languages, _ := work.Languages(ctx, of, translator.Revision(of))
			return fmt.Errorf("study %s is not offered in %q: its availableLanguages are %v", of.LinkID, cmd.Language, languages)
		}
		if err != nil || translated == nil {
			return err
		}
		return c.print(translationRow(of, translated))
	})
}

// do does what the flags ask for; no sheet where there is no more to tell.
func (cmd *studyTranslate) apply(ctx context.Context, c *Common, work *translator.Service, of study.Study) (*translation.Translation, error) {
	revision := translator.Revision(of)
	switch {
	case cmd.Export != "":
		translated, err := work.Translation(ctx, of, revision, cmd.Language)
		if err != nil {
			return nil, err
		}
		return nil, c.writeFile(cmd.Export, translated.Export(of.LinkID))
	case cmd.Import != "" || cmd.Approve || cmd.AutoApprove != nil:
		return cmd.review(ctx, c, work, of, revision)
	}
	if work.Model == nil {
		return nil, errors.New("no language model is configured (VERBATIM_LLM_URL): write the translation by hand, with --export and --import")
	}
	return work.Translate(ctx, of, revision, cmd.Language, cmd.Again)
}

// review takes over what a person decided.
func (cmd *studyTranslate) review(ctx context.Context, c *Common, work *translator.Service, of study.Study, revision int) (*translation.Translation, error) {
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
	translated, err := work.Change(ctx, of, revision, cmd.Language, func(translated *translation.Translation) error {
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
		return nil, errors.Join(c.printAll(rows, ""), fmt.Errorf("%s is refused: nothing was stored", cmd.Import))
	}
	if err == nil && len(rows) > 0 && !c.JSON {
		err = c.printAll(rows, "")
	}
	return translated, err
}

var errRefused = errors.New("the file is refused")

func level(advice bool) string {
	if advice {
		return "advice"
	}
	return "error"
}

// refused lists what is wrong with the shape of a file.
func (cmd *studyTranslate) printViolations(c *Common, err error) error {
	wrong, ok := errors.AsType[*strictjson.SchemaError](err)
	if !ok {
		return err
	}
	var rows []row
	for _, issue := range wrong.Issues {
		rows = append(rows, row{{"level", "error"}, {"place", guide.PlaceOf(issue.Path)}, {"text", issue.Message}})
	}
	return errors.Join(c.printAll(rows, ""), fmt.Errorf("%s is refused: nothing was stored", cmd.Import))
}

// status tells of one language, or of all.
func (cmd *studyTranslate) status(ctx context.Context, c *Common, work *translator.Service, of study.Study) error {
	revision := translator.Revision(of)
	languages := []string{cmd.Language}
	if cmd.Language == "" {
		var err error
		if languages, err = work.Languages(ctx, of, revision); err != nil {
			return err
		}
	}
	var rows []row
	for _, language := range languages {
		translated, err := work.Translation(ctx, of, revision, language)
		if err != nil {
			return err
		}
		rows = append(rows, translationRow(of, translated))
	}
	return c.printAll(rows, "The study is offered in no other language than its own.")
}

func translationRow(of study.Study, translated *translation.Translation) row {
	count := translated.Count()
	shown := "own texts"
	if translated.Shown != nil && translated.Version > 0 {
		shown = "translation"
	}
	return row{
		{"study", of.LinkID},
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
