package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/keyring"
	"verbatim/internal/service/maintenance"
	"verbatim/internal/service/panels"
)

type doctorCommand struct {
	All         bool `help:"Compare the documents of every response with its rows, not just of a sample."`
	speechFlags `group:"Speech to text:"`
	speakFlags  `group:"Text to speech:"`
	llmFlags    `group:"Language model:"`
}

// Run prints the result of each check, and returns an error if something is wrong.
func (cmd *doctorCommand) Run(ctx context.Context, c *Common) error {
	err := c.withDatabase(ctx, func(s *store.Store) error {
		objects, err := c.objects()
		if err != nil {
			return err
		}
		findings, err := (&maintenance.Doctor{Store: s, Objects: objects, Expected: maintenance.ExpectedObjects(s.View()), All: cmd.All}).Examine(ctx)
		if err != nil {
			return err
		}
		if file, ok := c.databaseFile(); ok {
			findings = append(findings, maintenance.FolderFinding(filepath.Dir(file)))
		}
		secret, err := keyring.New(s, c.signingSource(), time.Now).Finding(ctx)
		if err != nil {
			secret = maintenance.Unchecked("signing secret", err)
		}
		findings = append(findings, secret)
		panelSecrets, err := panels.Finding(ctx, s)
		if err != nil {
			panelSecrets = maintenance.Unchecked("panel secrets", err)
		}
		findings = append(findings, panelSecrets)
		if s.Shared() {
			shared, err := sharedFindings(ctx, s)
			if err != nil {
				return err
			}
			findings = append(findings, shared...)
		}
		tool, err := findFFmpeg(ctx)
		findings = append(findings, maintenance.FFmpegFinding(err), maintenance.SandboxFinding(tool), cmd.speechFinding(ctx), cmd.speakFinding(ctx), cmd.modelFinding(ctx))
		return c.printFindings(findings)
	})
	if store.Damaged(err) {
		return c.printFindings([]maintenance.Finding{maintenance.Unchecked("database", err)})
	}
	return err
}

// printFindings prints the result of each check, and returns an error if something is wrong.
func (c *Common) printFindings(findings []maintenance.Finding) error {
	var rows []row
	wrong := 0
	for _, f := range findings {
		if len(f.Violations) == 0 {
			rows = append(rows, row{{"check", f.Check}, {"state", "ok"}, {"fault", nil}, {"mend", nil}})
			continue
		}
		state := "advice"
		if f.Wrong() {
			wrong++
			state = "wrong"
		}
		for _, violation := range f.Violations {
			rows = append(rows, row{{"check", f.Check}, {"state", state}, {"fault", violation}, {"mend", f.Remedy}})
		}
	}
	if err := c.printAll(rows, ""); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%s found something wrong", counted(wrong, "check"))
	}
	return nil
}

// sharedFindings runs the checks for a database that several servers share.
func sharedFindings(ctx context.Context, s *store.Store) ([]maintenance.Finding, error) {
	clock, err := maintenance.ClockFinding(ctx, s)
	if err != nil {
		return nil, err
	}
	connections, err := maintenance.ConnectionFinding(ctx, s)
	return []maintenance.Finding{clock, connections}, err
}

// objects opens the recordings and uploads for reading. It returns nil if their folder does not exist. The folder is not created here,
// because it would belong to the account that runs this command.
func (c *Common) objects() (blob.Store, error) {
	if folder, ok := strings.CutPrefix(c.blobsAddress(), "file:"); ok {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	return c.openObjects(c.blobsAddress(), blob.Links{})
}
