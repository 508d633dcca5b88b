package main

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"strings"
	"time"

	"verbatim/internal/domain/codeframe"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/reporting"
)

type themeCommands struct {
	List   themeList   `cmd:"" help:"List the stored themes of a study's open questions, with who named each."`
	Rename themeRename `cmd:"" help:"Give a theme another name."`
	Merge  themeMerge  `cmd:"" help:"Put the answers of themes into another theme."`
	Split  themeSplit  `cmd:"" help:"Put those answers of a theme that say a phrase into a new theme."`
	Recode themeRecode `cmd:"" help:"Give an answer a theme, or take one from it, by hand."`
	Reset  themeReset  `cmd:"" help:"Forget all changes to the themes of a question. The next report finds themes again."`
}

type themeList struct {
	Link    string `arg:"" help:"The study's link id, or its id."`
	Changes bool   `help:"List who changed what, and when, instead."`
}

// Run lists the themes. Their counts stand in the report.
func (cmd *themeList) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		frames, err := (&reporting.Service{Store: s, Now: time.Now}).Frames(ctx, st)
		if err != nil {
			return err
		}
		var rows []row
		for _, f := range frames {
			if cmd.Changes {
				for _, change := range f.Changes {
					rows = append(rows, row{{"question", f.Number}, {"version", change.Version}, {"at", toSecond(change.At)}, {"by", change.By}, {"action", change.Action}, {"detail", change.Detail}, {"questionId", f.QuestionID}})
				}
				continue
			}
			for _, t := range f.Live() {
				by := t.NamedBy
				if by == "" {
					by = "machine"
				}
				rows = append(rows, row{{"question", f.Number}, {"theme", t.Number}, {"name", t.Label}, {"namedBy", by}, {"standsFor", t.Meaning}, {"version", f.Version}, {"questionId", f.QuestionID}})
			}
		}
		if cmd.Changes {
			return c.printAll(rows, "Nobody changed the themes of this study.")
		}
		return c.printAll(rows, "There are no themes yet: make a report first with: verbatim study analyse "+st.LinkID)
	})
}

// themeChange has the arguments and flags that every change has.
type themeChange struct {
	Link      string `arg:"" help:"The study's link id, or its id."`
	Question  string `arg:"" help:"The open question: its number or its id."`
	As        string `help:"Who makes the change, for the record. Default: the name of the system's user." placeholder:"NAME"`
	IfVersion int    `help:"Change the themes only if they still have this version, as listed. Default: any." placeholder:"N"`
}

// run makes a change and prints the themes after it.
func (cmd *themeChange) run(ctx context.Context, c *Common, e reporting.ThemeEdit) error {
	e.Question, e.Version, e.By = cmd.Question, cmd.IfVersion, strings.Join(strings.Fields(cmd.As), " ")
	if e.By == "" {
		e.By = "operator"
		if u, err := user.Current(); err == nil && u.Username != "" {
			e.By = u.Username
		}
	}
	return c.withStore(ctx, func(s *store.Store) error {
		st, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		f, err := (&reporting.Service{Store: s, Now: time.Now}).EditThemes(ctx, st, e)
		if wrong, is := errors.AsType[*codeframe.ChangeError](err); is {
			return usageError(wrong.Error())
		}
		if errors.Is(err, response.ErrNotFound) {
			return fmt.Errorf("study %s has no response %d", st.LinkID, e.Recode.Response)
		}
		if err != nil {
			return err
		}
		var rows []row
		for _, t := range f.Live() {
			rows = append(rows, row{{"theme", t.Number}, {"name", t.Label}, {"version", f.Version}})
		}
		return c.printAll(rows, "The themes are forgotten. The next report finds themes again.")
	})
}

type themeRename struct {
	themeChange
	Theme string `arg:"" help:"The theme: its number or its name."`
	Name  string `arg:"" help:"Its new name."`
}

// Run renames a theme.
func (cmd *themeRename) Run(ctx context.Context, c *Common) error {
	return cmd.run(ctx, c, reporting.ThemeEdit{Rename: &reporting.RenameTheme{Theme: cmd.Theme, To: cmd.Name}})
}

type themeMerge struct {
	themeChange
	Themes []string `arg:"" help:"The themes to merge: their numbers or names."`
	Into   string   `help:"The theme that they are merged into: its number or its name." required:"" placeholder:"THEME"`
}

// Run merges themes.
func (cmd *themeMerge) Run(ctx context.Context, c *Common) error {
	return cmd.run(ctx, c, reporting.ThemeEdit{Merge: &reporting.MergeThemes{From: cmd.Themes, Into: cmd.Into}})
}

type themeSplit struct {
	themeChange
	Theme  string   `arg:"" help:"The theme: its number or its name."`
	Name   string   `arg:"" help:"The name of the new theme."`
	Phrase []string `help:"What the answers of the new theme say, in any form of the words. May be given several times." sep:"none" required:"" placeholder:"WORDS"`
}

// Run splits a theme.
func (cmd *themeSplit) Run(ctx context.Context, c *Common) error {
	return cmd.run(ctx, c, reporting.ThemeEdit{Split: &reporting.SplitTheme{Theme: cmd.Theme, To: cmd.Name, Phrases: cmd.Phrase}})
}

type themeRecode struct {
	themeChange
	Response int    `arg:"" help:"The response: its number within the study."`
	Theme    string `arg:"" help:"The theme: its number or its name."`
	Remove   bool   `help:"Take the theme from the answer."`
	Concept  string `help:"Only the answer about this concept, by its id. Default: all answers of this person to the question." placeholder:"ID"`
}

// Run recodes an answer.
func (cmd *themeRecode) Run(ctx context.Context, c *Common) error {
	return cmd.run(ctx, c, reporting.ThemeEdit{Recode: &reporting.RecodeAnswer{Response: cmd.Response, Concept: cmd.Concept, Theme: cmd.Theme, Remove: cmd.Remove}})
}

type themeReset struct{ themeChange }

// Run forgets what people changed.
func (cmd *themeReset) Run(ctx context.Context, c *Common) error {
	return cmd.run(ctx, c, reporting.ThemeEdit{Reset: true})
}
