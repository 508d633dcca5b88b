package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"verbatim/internal/store"
	"verbatim/internal/upkeep"
)

type doctorCommand struct {
	All bool `help:"Compare the documents of every response with its rows, not of a sample."`
}

// Run prints what each check found, and refuses when something is wrong.
func (cmd *doctorCommand) Run(ctx context.Context, c *Common) error {
	return c.withDatabase(ctx, func(s *store.Store) error {
		findings, err := (&upkeep.Doctor{Store: s, All: cmd.All}).Examine(ctx)
		if err != nil {
			return err
		}
		if file, ok := c.databaseFile(); ok {
			disk, err := diskFinding(filepath.Dir(file))
			if err != nil {
				return err
			}
			findings = append(findings, disk)
		}
		var rows []row
		wrong := 0
		for _, f := range findings {
			if !f.Wrong() {
				rows = append(rows, row{{"check", f.Check}, {"state", "ok"}, {"fault", nil}, {"mend", nil}})
				continue
			}
			wrong++
			for _, fault := range f.Faults {
				rows = append(rows, row{{"check", f.Check}, {"state", "wrong"}, {"fault", fault}, {"mend", f.Mend}})
			}
		}
		if err := c.printAll(rows, ""); err != nil {
			return err
		}
		if wrong > 0 {
			return fmt.Errorf("%d check(s) found something wrong", wrong)
		}
		return nil
	})
}

// Room is running out below both of these: a twentieth of a large disk is much still.
const (
	leastRoom = 1 << 30 // bytes
	leastPart = 20      // one so-manieth of the disk
)

// diskFinding tells whether the disk that the data is on runs full.
func diskFinding(folder string) (upkeep.Finding, error) {
	free, size, err := diskRoom(folder)
	if errors.Is(err, errors.ErrUnsupported) {
		return roomFinding(size, size), nil
	}
	if err != nil {
		return upkeep.Finding{}, fmt.Errorf("asking for the room on the disk: %w", err)
	}
	return roomFinding(free, size), nil
}

func roomFinding(free, size uint64) upkeep.Finding {
	f := upkeep.Finding{Check: "disk", Mend: "make room, or move the data to a larger disk"}
	if free < leastRoom && free < size/leastPart {
		f.Faults = []string{fmt.Sprintf("%d MiB of %d MiB are free", free>>20, size>>20)}
	}
	return f
}
