package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/google/uuid"

	"verbatim/internal/domain/guide"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/store"
	"verbatim/internal/simulation"
)

type studyCommands struct {
	List      studyList      `cmd:"" help:"List the studies of all organizations."`
	Show      studyShow      `cmd:"" help:"Show one study: its status, its wallet, and its interviews by progress."`
	Quota     studyQuota     `cmd:"" help:"Show the quotas of a study: of each cell its limit, the interviews in progress, and those that are complete."`
	Preview   studyPreview   `cmd:"" help:"Print a link by which a draft or live study can be tried on the participants' pages. Nothing is stored in the results or charged."`
	Pause     studyPause     `cmd:"" help:"Stop accepting participants for a while: the link says so. Interviews in progress continue."`
	Close     studyClose     `cmd:"" help:"Stop accepting participants: the link answers like an unknown one. Interviews in progress continue."`
	Reopen    studyReopen    `cmd:"" help:"Accept participants again, after a pause or a close."`
	Lint      studyLint      `cmd:"" help:"Check a study guide without storing it."`
	Simulate  studySimulate  `cmd:"" help:"Let simulated participants take a live study."`
	Analyse   studyAnalyse   `cmd:"" help:"Report on all responses of a study: counts with intervals, MaxDiff, themes with quotes, subgroups."`
	Reports   studyReports   `cmd:"" help:"List the reports that are made in the background, with their progress, or print one."`
	Export    studyExport    `cmd:"" help:"Write the responses of a study into a file: CSV, Excel, JSON lines, SPSS, or an archive with all recordings."`
	Ask       studyAsk       `cmd:"" help:"Ask a question of what participants said: sentences with quotes that prove them, or the best passages."`
	Theme     themeCommands  `cmd:"" help:"List and change the themes of open questions: rename, merge, split, recode."`
	Panel     panelCommands  `cmd:"" help:"Set up the panel that a study's participants come from: secrets, signed links, deliveries, codes."`
	Translate studyTranslate `cmd:"" help:"Translate a study for its participants, and review the translation."`
}

type studyLint struct {
	File      string `arg:"" help:"JSON file with the payload of studies/create; - for standard input."`
	SpeechURL string `help:"As serve has it: whether the server of the study turns speech into text." env:"VERBATIM_SPEECH_URL" placeholder:"URL"`
	SpeakURL  string `help:"As serve has it: whether it reads questions aloud." env:"VERBATIM_SPEAK_URL" placeholder:"URL"`
}

// finding is one message of lint about a guide.
type finding struct {
	level, place, text string // level: error or advice
}

// Run checks the guide. It returns an error if there are errors; advice alone is accepted.
func (cmd *studyLint) Run(c *Common) error {
	body, err := readFile(cmd.File)
	if err != nil {
		return err
	}
	g, err := guide.Decode(body, guide.Options{NewID: uuid.NewString})
	findings, err := violations(err)
	if err != nil {
		return err
	}
	refused := len(findings)
	if g != nil {
		for _, a := range append(guide.Lint(g), guide.LintSpeech(g, guide.Services{Transcribes: cmd.SpeechURL != "", Speaks: cmd.SpeakURL != ""})...) {
			findings = append(findings, finding{"advice", a.Place, a.Text})
		}
	}
	var rows []row
	for _, f := range findings {
		rows = append(rows, row{{"level", f.level}, {"place", f.place}, {"text", f.text}})
	}
	if err := c.printAll(rows, inputName(cmd.File)+" is a valid study guide."); err != nil {
		return err
	}
	if refused > 0 {
		return fmt.Errorf("%s is refused: %s", inputName(cmd.File), counted(refused, "error"))
	}
	return nil
}

// inputName returns the name of an input file for messages.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

func readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(os.Stdin)
	}
	return os.ReadFile(name)
}

// violations lists what is wrong with a guide. Any other error is returned unchanged.
func violations(err error) ([]finding, error) {
	var findings []finding
	if err == nil {
		return nil, nil
	}
	if syntax, ok := errors.AsType[*guide.SyntaxError](err); ok {
		return []finding{{"error", "", syntax.Error()}}, nil
	}
	if schema, ok := errors.AsType[*guide.SchemaError](err); ok {
		for _, issue := range schema.Issues {
			findings = append(findings, finding{"error", guide.PlaceOf(issue.Path), issue.Message})
		}
		return findings, nil
	}
	if rules, ok := errors.AsType[*guide.RulesError](err); ok {
		for _, v := range rules.Violations {
			findings = append(findings, finding{"error", v.Place, v.Message})
		}
		return findings, nil
	}
	return nil, err
}

type studySimulate struct {
	Link         string `arg:"" help:"The study's link id, or its id."`
	Participants int    `help:"Number of simulated interviews." default:"10" placeholder:"N"`
	Seed         uint64 `help:"Seed of the participants. The same seed makes the same participants." default:"1" placeholder:"N"`
}

// Run takes the interviews through the participant's protocol, within this process. No server need be running.
func (cmd *studySimulate) Run(ctx context.Context, c *Common) error {
	if cmd.Participants < 1 || cmd.Participants > 100_000 {
		return usageError("--participants must be from 1 to 100000")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		if found.Status != study.Live {
			return notLive(found)
		}
		load := simulatedLoad{store: s, blobs: c.blobsAddress(), secrets: c.secretFlags, size: cmd.Participants, seed: cmd.Seed, progress: c.progress("interviews")}
		done, err := load.run(ctx, found, quiet(c.stderr))
		if err != nil {
			return err
		}
		return c.print(row{
			{"study", found.LinkID},
			{"participants", cmd.Participants},
			{"complete", done["complete"]},
			{"screenedOut", done["screened_out"]},
			{"quotaFull", done[simulation.QuotaFull]},
			{"tookPartBefore", done[simulation.Before]},
			{"leftHalfWay", done["left"]},
			{"analysed", done["analysed"]},
		})
	})
}

// notLive returns the error for a study that does not accept participants.
func notLive(s study.Study) error {
	if s.Status == study.Closed || s.Status == study.Paused {
		return fmt.Errorf("study %s is %s: reopen it first with: verbatim study reopen %s", s.LinkID, s.Status, s.LinkID)
	}
	return fmt.Errorf("study %s is a draft: launch it first with: POST /api/public/v1/studies/%s/launch", s.LinkID, s.ID)
}

// findStudy returns the study with a link id or an id, in any organization.
func findStudy(ctx context.Context, s *store.Store, ref string) (study.Study, error) {
	if study.IsUUID(ref) {
		return s.View().OperatorStudy(ctx, ref)
	}
	return s.View().PublicStudy(ctx, ref)
}
