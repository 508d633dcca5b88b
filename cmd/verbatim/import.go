package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"verbatim/internal/importing"
	"verbatim/internal/store"
)

type importCommand struct {
	Link string `arg:"" help:"The study's link id, or its id."`
	File string `arg:"" help:"v1 response items, one JSON object a line." type:"path"`
}

// Run imports the file, or says what is wrong with it, line by line.
func (cmd *importCommand) Run(ctx context.Context, c *Common) error {
	return c.withStore(ctx, func(s *store.Store) error {
		into, err := anyStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		checking, storing := c.bar(string(importing.Checking), "MiB", 1<<20), c.bar(string(importing.Storing), "responses", 1)
		service := importing.Service{Store: s, Progress: func(stage importing.Stage, done, total int64) {
			if stage == importing.Checking {
				checking(done, total)
			} else {
				storing(done, total)
			}
		}}
		result, err := service.Import(ctx, into, cmd.File)
		if faults, found := errors.AsType[*importing.FaultsError](err); found {
			return c.refuseImport(cmd.File, faults)
		}
		if err != nil {
			return fmt.Errorf("%w\nRun the same command again: the %d responses that are stored are passed over", err, result.Stored+result.Skipped)
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

// refuseImport prints the faults and says that nothing was stored.
func (c *Common) refuseImport(file string, faults *importing.FaultsError) error {
	var rows []row
	for _, f := range faults.Faults {
		rows = append(rows, row{{"line", f.Line}, {"fault", f.Text}})
	}
	if c.JSON {
		if err := c.printAll(rows, ""); err != nil {
			return err
		}
	} else {
		for _, f := range faults.Faults {
			fmt.Fprintln(c.stderr, f)
		}
		if more := faults.Total - len(faults.Faults); more > 0 {
			fmt.Fprintf(c.stderr, "... and %d more\n", more)
		}
	}
	return fmt.Errorf("%s is refused: %d fault(s); nothing was stored", file, faults.Total)
}
