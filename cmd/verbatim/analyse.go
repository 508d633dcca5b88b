package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"verbatim/internal/domain/study"
	"verbatim/internal/domain/tables"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/reporting"
)

type studyAnalyse struct {
	Link     string   `arg:"" help:"The study's link id, or its id."`
	By       string   `help:"Compare subgroups: the id or number of a multiple choice question, or param:NAME for a parameter of the link." placeholder:"QUESTION|param:NAME"`
	Only     string   `help:"Count only the responses with this answer or parameter: a question or param:NAME, =, and an option or value." placeholder:"QUESTION=OPTION|param:NAME=VALUE"`
	Scale    []string `help:"Take the options of a matrix or a multiple choice question as points of a scale, in their order, for means; QUESTION:down if the first is the highest. Numbered options need no flag." placeholder:"QUESTION"`
	Weights  string   `help:"Weight people by a table of targets: CSV with the columns by, value, percent." type:"path" placeholder:"FILE"`
	CSV      string   `help:"Write every table as a CSV file into this folder, which is created if it is missing." name:"csv" type:"path" placeholder:"DIR"`
	Markdown string   `help:"Write the report as Markdown into this file; - for standard output. Without --csv, --markdown and --json it is printed." placeholder:"FILE"`
	NoWait   bool     `help:"Let a running server make the report in the background, and print its id. Read it with: verbatim study reports."`
	NoModel  bool     `help:"Sort open answers into keyword groups, even if a language model is configured."`
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
		if cmd.NoWait {
			return cmd.start(ctx, c, &service, found)
		}
		if service.Themer, err = cmd.themer(s, c); err != nil {
			return err
		}
		options := reporting.Options{By: cmd.By, Only: cmd.Only, Scales: cmd.Scale, Progress: progressOf(c)}
		if options.Targets, err = cmd.targets(); err != nil {
			return err
		}
		report, err := service.Analyse(ctx, found, options)
		if wrong := reporting.Usage(err); wrong != nil {
			return usageError(wrong.Error())
		}
		if err != nil {
			return err
		}
		return cmd.write(c, report)
	})
}

// start asks for the report in the background.
func (cmd *studyAnalyse) start(ctx context.Context, c *Common, service *reporting.Service, of study.Study) error {
	if cmd.CSV != "" || cmd.Markdown != "" {
		return usageError("--no-wait prints no report: leave out --csv and --markdown")
	}
	targets, err := cmd.targets()
	if err != nil {
		return err
	}
	made, err := service.Start(ctx, of, reporting.Request{By: cmd.By, Only: cmd.Only, Scales: cmd.Scale, Targets: targets, NoModel: cmd.NoModel})
	if wrong := reporting.Usage(err); wrong != nil {
		return usageError(wrong.Error())
	}
	if err != nil {
		return err
	}
	return c.print(reportRow(made))
}

// targets reads the table of targets, if there is one.
func (cmd *studyAnalyse) targets() ([]reporting.Target, error) {
	if cmd.Weights == "" {
		return nil, nil
	}
	file, err := os.Open(cmd.Weights)
	if err != nil {
		return nil, usageError("--weights: " + reasonOf(cmd.Weights, err) + "; name a CSV file with the columns by,value,percent")
	}
	defer file.Close()
	targets, err := reporting.ReadTargets(file)
	if wrong := reporting.Usage(err); wrong != nil {
		return nil, usageError(wrong.Error())
	}
	return targets, err
}

// progressOf shows on a terminal how far a report is.
func progressOf(c *Common) func(step reporting.Step, done, total int) {
	bars := map[reporting.Step]*bar{
		reporting.Reading:    c.bar(string(reporting.Reading), responses),
		reporting.Coding:     c.bar(string(reporting.Coding), unit{"answers", 1}),
		reporting.Estimating: c.bar(string(reporting.Estimating), unit{"questions", 1}),
	}
	return func(step reporting.Step, done, total int) { bars[step].draw(int64(done), int64(total)) }
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

// reasonOf returns the path that was given and why the system refused it, without the name of a system call.
func reasonOf(path string, err error) string {
	if failed, is := errors.AsType[*fs.PathError](err); is {
		err = failed.Err
	}
	return fmt.Sprintf("%q: %v", path, err)
}

func writeTables(folder string, report *tables.Report) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return usageError("--csv: the folder cannot be made: " + reasonOf(folder, err) + "; name another one")
	}
	for _, file := range report.CSV() {
		if err := writeTable(filepath.Join(folder, file.Name), &file); err != nil {
			return err
		}
	}
	return nil
}

func writeTable(path string, table *tables.File) (err error) {
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	w := bufio.NewWriter(to)
	if err := table.Write(w); err != nil {
		return err
	}
	return w.Flush()
}
