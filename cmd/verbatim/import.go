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
	File string `arg:"" help:"v1 response items, one JSON object a line; - for standard input." type:"path"`
}

// Run imports the file, or says what is wrong with it, line by line.
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
		if faults, found := errors.AsType[*importing.ViolationsError](err); found {
			return c.refuseImport(inputName(cmd.File), faults)
		}
		if errors.Is(err, context.Canceled) {
			err = errors.New("stopped before the end")
		}
		if there := result.Stored + result.Skipped; err != nil && there > 0 {
			return fmt.Errorf("%w\n%d responses are there. Run the same command again: it passes them over", err, there)
		}
		if err != nil {
			return fmt.Errorf("%w; nothing was stored", err)
		}
		perSecond := 0
		if result.Took > 0 {
			perSecond = int(float64(result.Stored+result.Skipped) / result.Took.Seconds())
		}
		return c.print(row{
			{"study", into.LinkID},
			{"stored", result.Stored},
			{"skipped", result.Skipped},
			{"seconds", result.Took.Round(time.Millisecond).Seconds()},
			{"itemsPerSecond", perSecond},
		})
	})
}

// rereadable returns the name of a file that can be read twice, as an import reads it: of standard input a copy, which remove removes.
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

// refuseImport prints the faults and says that nothing was stored.
func (c *Common) refuseImport(file string, faults *importing.ViolationsError) error {
	var rows []row
	for _, f := range faults.Violations {
		rows = append(rows, row{{"line", f.Line}, {"fault", f.Text}})
	}
	if c.JSON {
		if err := c.printAll(rows, ""); err != nil {
			return err
		}
	} else {
		for _, f := range faults.Violations {
			c.stderr.printf("%v\n", f)
		}
		if more := faults.Total - len(faults.Violations); more > 0 {
			c.stderr.printf("... and %d more\n", more)
		}
	}
	hint := ""
	if faults.Unreadable {
		hint = "\nNo line of it is a response. It must hold one JSON object a line: jq -c . makes that of objects over several lines, jq -c '.[]' of an array"
	}
	return fmt.Errorf("%s is refused with %s; nothing was stored%s", file, counted(faults.Total, "fault"), hint)
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
