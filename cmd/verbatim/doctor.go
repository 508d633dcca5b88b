package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/keyring"
	"verbatim/internal/service/maintenance"
)

type doctorCommand struct {
	All         bool `help:"Compare the documents of every response with its rows, not just of a sample."`
	speechFlags `group:"Speech to text:"`
	llmFlags    `group:"Language model:"`
}

// Run prints the result of each check, and returns an error if something is wrong.
func (cmd *doctorCommand) Run(ctx context.Context, c *Common) error {
	err := c.withDatabase(ctx, func(s *store.Store) error {
		objects, err := c.objects()
		if err != nil {
			return err
		}
		findings, err := (&maintenance.Doctor{Store: s, Objects: objects, Expected: expected(s.View()), All: cmd.All}).Examine(ctx)
		if err != nil {
			return err
		}
		if file, ok := c.databaseFile(); ok {
			disk, err := diskFinding(filepath.Dir(file))
			if err != nil {
				disk = maintenance.Unchecked("disk", err)
			}
			findings = append(findings, disk)
		}
		secret, err := keyring.New(s, c.signingSource(), time.Now).Finding(ctx)
		if err != nil {
			secret = maintenance.Unchecked("signing secret", err)
		}
		findings = append(findings, secret)
		if s.Shared() {
			shared, err := sharedFindings(ctx, s)
			if err != nil {
				return err
			}
			findings = append(findings, shared...)
		}
		tool, err := findFFmpeg(ctx)
		findings = append(findings, ffmpegFinding(tool, err), sandboxFinding(tool), cmd.speechFinding(ctx), cmd.modelFinding(ctx))
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
	clock, err := clockFinding(ctx, s)
	if err != nil {
		return nil, err
	}
	connections, err := connectionFinding(ctx, s)
	return []maintenance.Finding{clock, connections}, err
}

// expected yields the name of every object that a row of the database refers to.
func expected(view *store.View) func(context.Context) iter.Seq2[string, error] {
	return func(ctx context.Context) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			for _, all := range []iter.Seq2[string, error]{view.UploadObjects(ctx), view.RecordingObjects(ctx)} {
				for name, err := range all {
					if !yield(name, err) {
						return
					}
				}
			}
		}
	}
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

// A disk is nearly full if its free space is below both of these: a twentieth of a large disk is still a lot.
const (
	minFreeBytes = 1 << 30 // bytes
	minFreeShare = 20      // the divisor of the disk's size
)

// diskFinding checks whether the disk that holds the data is nearly full.
func diskFinding(folder string) (maintenance.Finding, error) {
	free, size, err := diskSpace(folder)
	if errors.Is(err, errors.ErrUnsupported) {
		return diskSpaceFinding(size, size), nil
	}
	if err != nil {
		return maintenance.Finding{}, fmt.Errorf("reading the free space of the disk: %w", err)
	}
	return diskSpaceFinding(free, size), nil
}

func diskSpaceFinding(free, size uint64) maintenance.Finding {
	f := maintenance.Finding{Check: "disk", Remedy: "free some space, or move the data to a larger disk"}
	if free < minFreeBytes && free < size/minFreeShare {
		f.Violations = []string{fmt.Sprintf("%.1f GiB of %.1f GiB are free", float64(free)/(1<<30), float64(size)/(1<<30))}
	}
	return f
}

// ffmpegFinding checks whether ffmpeg can transcode recordings on this machine. Without it the service works, with fewer features, so
// the finding is only advice.
func ffmpegFinding(_ *ffmpeg.Tool, err error) maintenance.Finding {
	f := maintenance.Finding{Check: "ffmpeg", Advice: true, Remedy: "install ffmpeg where verbatim serve runs, with libx264"}
	if err != nil {
		f.Violations = []string{err.Error() + ": recordings are served as the browser made them, without HLS, poster and waveform; those made in several sessions cannot be joined"}
	}
	return f
}

// sandboxFinding lists the sandbox measures for ffmpeg that are not in force.
func sandboxFinding(tool *ffmpeg.Tool) maintenance.Finding {
	f := maintenance.Finding{
		Check: "sandbox", Advice: true,
		Remedy: "run verbatim on Linux 5.13 or newer, as root or where users may create namespaces; see \"Recordings of strangers\" in docs/self-hosting.md",
	}
	if tool != nil {
		for _, missing := range tool.Confinement.Missing {
			f.Violations = append(f.Violations, "ffmpeg runs without "+missing)
		}
	}
	return f
}
