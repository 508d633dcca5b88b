package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"verbatim/internal/platform/store"
	"verbatim/internal/service/importing"
)

type importCommand struct {
	Link string `arg:"" help:"The study's link id, or its id."`
	File string `arg:"" help:"File of v1 response items, one JSON object per line; - for standard input." type:"path"`
}

// Run imports the file, or prints what is wrong with it, line by line.
func (cmd *importCommand) Run(ctx context.Context, c *Common) error {
	file, remove, err := rereadable(cmd.File)
	if err != nil {
		return err
	}
	defer remove()
	return c.withStore(ctx, func(s *store.Store) error {
		into, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		bars := map[importing.Stage]*bar{
			importing.Checking: c.bar(string(importing.Checking), mebibytes),
			importing.Storing:  c.bar(string(importing.Storing), responses),
		}
		service := importing.Service{Store: s, Progress: func(stage importing.Stage, done, total int64) { bars[stage].draw(done, total) }}
		result, err := service.Import(ctx, into, file)
		for _, b := range bars {
			b.end()
		}
		if invalid, ok := errors.AsType[*importing.ViolationsError](err); ok {
			return c.refuseImport(inputName(cmd.File), invalid)
		}
		if errors.Is(err, context.Canceled) {
			err = errors.New("the import was stopped before the end")
		}
		if stored := result.Stored + result.Skipped; err != nil && stored > 0 {
			return fmt.Errorf("%w\n%d responses are stored. Run the same command again: it skips them", err, stored)
		}
		if err != nil {
			return fmt.Errorf("%w; nothing was stored", err)
		}
		perSecond := 0
		if result.Duration > 0 {
			perSecond = int(float64(result.Stored+result.Skipped) / result.Duration.Seconds())
		}
		return c.print(row{
			{"study", into.LinkID},
			{"stored", result.Stored},
			{"skipped", result.Skipped},
			{"seconds", result.Duration.Round(time.Millisecond).Seconds()},
			{"itemsPerSecond", perSecond},
		})
	})
}

// rereadable returns the name of a file that can be read twice, because an import reads its input twice. For standard input it makes a
// copy, which remove deletes.
func rereadable(name string) (file string, remove func(), err error) {
	if name != "-" {
		return name, func() {}, nil
	}
	copied, err := os.CreateTemp("", "verbatim-import-*.ndjson")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.Remove(copied.Name()) }
	_, err = io.Copy(copied, os.Stdin)
	if err = errors.Join(err, copied.Close()); err != nil {
		remove()
		return "", nil, err
	}
	return copied.Name(), remove, nil
}

// refuseImport prints the violations, and returns an error that says that nothing was stored.
func (c *Common) refuseImport(file string, invalid *importing.ViolationsError) error {
	var rows []row
	for _, v := range invalid.Violations {
		rows = append(rows, row{{"line", v.Line}, {"fault", v.Text}})
	}
	if c.JSON {
		if err := c.printAll(rows, ""); err != nil {
			return err
		}
	} else {
		for _, v := range invalid.Violations {
			c.stderr.printf("%v\n", v)
		}
		if more := invalid.Total - len(invalid.Violations); more > 0 {
			c.stderr.printf("... and %d more\n", more)
		}
	}
	hint := ""
	if invalid.Unreadable {
		hint = "\nNo line is a response. The file must have one JSON object per line: convert objects that span several lines with jq -c ., and an array with jq -c '.[]'"
	}
	return fmt.Errorf("%s is invalid: %s; nothing was stored%s", file, counted(invalid.Total, "error"), hint)
}

// counted returns a number with its noun, which gets an s for the plural.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
