package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/reporting"
)

type studyAnalyse struct {
	Link     string `arg:"" help:"The study's link id, or its id."`
	By       string `help:"Compare subgroups: the id or number of a multiple choice question, or param:NAME for a parameter of the link." placeholder:"QUESTION|param:NAME"`
	CSV      string `help:"Write every table as a CSV file into this folder, which is created if it is missing." name:"csv" type:"path" placeholder:"DIR"`
	Markdown string `help:"Write the report as Markdown into this file; - for standard output. Without --csv, --markdown and --json it is printed." placeholder:"FILE"`
	NoModel  bool   `help:"Sort open answers into keyword groups, even if a language model is configured."`
	llmFlags `group:"Language model:"`
}

// Run reports on a complete study. A server may be running.
func (cmd *studyAnalyse) Run(ctx context.Context, c *Common) error {
	if cmd.CSV == "-" {
		return usageError("--csv - means standard output, but the tables are several files: name a folder")
	}
	return c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		service := reporting.Service{Store: s, Now: time.Now}
		if service.Themer, err = cmd.themer(s, c); err != nil {
			return err
		}
		report, err := service.Analyse(ctx, found, cmd.By)
		if by, wrong := errors.AsType[*reporting.ByError](err); wrong {
			return usageError(by.Error())
		}
		if err != nil {
			return err
		}
		return cmd.write(c, report)
	})
}

// themer returns what sorts open answers into themes: the language model, or nil for keyword groups.
func (cmd *studyAnalyse) themer(s *store.Store, c *Common) (reporting.Themer, error) {
	if cmd.NoModel {
		return nil, nil
	}
	client, err := cmd.counted(s, quiet(c.stderr))
	if err != nil || client == nil {
		return nil, err
	}
	return reporting.ModelThemer{Chat: client}, nil
}

// write writes the report in every requested format: CSV, Markdown and JSON.
func (cmd *studyAnalyse) write(c *Common, report *tables.Report) error {
	if cmd.CSV != "" {
		if err := writeTables(cmd.CSV, report); err != nil {
			return err
		}
	}
	switch {
	case cmd.Markdown == "-" || cmd.Markdown == "" && cmd.CSV == "" && !c.JSON:
		if err := c.writeFile("-", report.Markdown()); err != nil {
			return err
		}
	case cmd.Markdown != "":
		if err := c.writeFile(cmd.Markdown, report.Markdown()); err != nil {
			return err
		}
	}
	if !c.JSON {
		return nil
	}
	body, err := report.JSON()
	if err != nil {
		return err
	}
	return c.writeFile("-", body)
}

func writeTables(folder string, report *tables.Report) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	files, err := report.CSV()
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(folder, file.Name), file.Body, 0o600); err != nil {
			return err
		}
	}
	return nil
}
