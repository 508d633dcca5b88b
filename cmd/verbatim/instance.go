package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/ffmpeg"
	"verbatim/internal/platform/llm"
	"verbatim/internal/platform/mail"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/instance"
	"verbatim/internal/service/mailing"
	"verbatim/internal/service/maintenance"
)

// instance returns the parts of the installation for the dashboard. objects is where recordings are stored, at the address blobs.
func (f serviceFlags) instance(s *store.Store, objects blob.Store, blobs string, mails *mailing.Service) (*instance.Service, error) {
	model, err := f.modelPart()
	if err != nil {
		return nil, err
	}
	spoken, err := f.speechPart()
	if err != nil {
		return nil, err
	}
	sender, err := f.mailFlags.sender()
	if err != nil {
		return nil, err
	}
	made := &instance.Service{Version: version, Parts: []instance.Part{
		databasePart(s), storagePart(objects, blobs), jobsPart(s), model, spoken, ffmpegPart(), mailPart(sender, mails),
	}}
	for _, secret := range []struct{ variable, flag, file string }{{"VERBATIM_LLM_KEY", "--llm-key-file", f.KeyFile}, {"VERBATIM_SPEECH_KEY", "--speech-key-file", f.SpeechKeyFile}, {"VERBATIM_SPEAK_KEY", "--speak-key-file", f.SpeakKeyFile}, {"VERBATIM_MAIL_PASSWORD", "--mail-password-file", f.MailPasswordFile}} {
		text, err := readLine(secret.variable, secret.flag, secret.file)
		if err != nil {
			return nil, err
		}
		made.Secrets = append(made.Secrets, text)
	}
	for _, variable := range []string{"PGPASSWORD", "VERBATIM_S3_ACCESS_KEY", "VERBATIM_S3_SECRET_KEY"} {
		made.Secrets = append(made.Secrets, os.Getenv(variable))
	}
	return made, nil
}

func databasePart(s *store.Store) instance.Part {
	return instance.Part{
		Name: "database", Configured: true,
		Facts: func(ctx context.Context) ([]instance.Fact, error) {
			facts := []instance.Fact{{Name: "address", Value: s.String()}}
			if file, is := s.File(); is {
				facts = append(facts, sizeFacts(file)...)
			}
			has, _, err := s.SchemaVersions(ctx)
			return append(facts, instance.Fact{Name: "schema", Value: strconv.FormatInt(has, 10)}), err
		},
		Try: func(ctx context.Context) (string, error) {
			if err := maintenance.CheckReady(ctx, s); err != nil {
				return "", err
			}
			return "", s.TryWrite(ctx)
		},
	}
}

// mailPart is the server for mails. Trying it connects and signs in there, and sends nothing: verbatim mail test sends a mail.
func mailPart(sender *mail.Sender, mails *mailing.Service) instance.Part {
	if sender == nil {
		return instance.Part{Name: "mail"}
	}
	return instance.Part{
		Name: "mail", Configured: true,
		Facts: func(ctx context.Context) ([]instance.Fact, error) {
			facts := []instance.Fact{{Name: "address", Value: sender.Server()}, {Name: "sender", Value: sender.From()}}
			counts, err := mails.Status(ctx)
			if err != nil {
				return facts, err
			}
			facts = append(facts, instance.Fact{Name: "ready", Value: strconv.Itoa(counts.Waiting)}, instance.Fact{Name: "dead", Value: strconv.Itoa(counts.Failed)})
			if counts.Problem != "" {
				facts = append(facts, instance.Fact{Name: "problem", Value: counts.Problem})
			}
			return facts, nil
		},
		Try: func(ctx context.Context) (string, error) { return "", sender.Reach(ctx) },
	}
}

// sizeFacts returns the size of a database file and the space beside it, as far as the system says.
func sizeFacts(file string) (facts []instance.Fact) {
	if info, err := os.Stat(file); err == nil {
		facts = append(facts, instance.Fact{Name: "size", Value: binarySize(uint64(info.Size()))})
	}
	if free, size, err := maintenance.DiskSpace(filepath.Dir(file)); err == nil {
		facts = append(facts, instance.Fact{Name: "free", Value: binarySize(free) + " / " + binarySize(size)})
	}
	return facts
}

func binarySize(n uint64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

func storagePart(objects blob.Store, blobs string) instance.Part {
	return instance.Part{
		Name: "storage", Configured: true,
		Facts: func(context.Context) ([]instance.Fact, error) {
			facts := []instance.Fact{{Name: "address", Value: blobs}}
			if space := diskSpaceOf(blobs); space != nil {
				free, size, err := space()
				if err != nil {
					return facts, err
				}
				facts = append(facts, instance.Fact{Name: "free", Value: binarySize(free) + " / " + binarySize(size)})
			}
			return facts, nil
		},
		Try: func(ctx context.Context) (string, error) { return "", tryObjects(ctx, objects) },
	}
}

// tryObjects stores an object, reads it, and removes it.
func tryObjects(ctx context.Context, objects blob.Store) (err error) {
	name, content := "checks/"+store.NewID(), []byte("A try of the dashboard. It can be removed.\n")
	if err := objects.Put(ctx, name, bytes.NewReader(content), int64(len(content)), "text/plain"); err != nil {
		return fmt.Errorf("storing an object: %w", err)
	}
	defer func() {
		if removed := objects.Delete(ctx, name); removed != nil && err == nil {
			err = fmt.Errorf("removing an object: %w", removed)
		}
	}()
	stored, err := objects.Get(ctx, name, 0, blob.ToEnd)
	if err != nil {
		return fmt.Errorf("reading an object: %w", err)
	}
	read, err := io.ReadAll(stored)
	if err = errors.Join(err, stored.Close()); err == nil && !bytes.Equal(read, content) {
		err = errors.New("another content was read than was stored")
	}
	return err
}

func jobsPart(s *store.Store) instance.Part {
	return instance.Part{
		Name: "jobs", Configured: true,
		Facts: func(ctx context.Context) (facts []instance.Fact, err error) {
			counts, err := s.View().JobCounts(ctx)
			if err != nil {
				return nil, err
			}
			for _, name := range []string{"ready", "running", "dead"} {
				facts = append(facts, instance.Fact{Name: name, Value: strconv.Itoa(counts[name])})
			}
			oldest, err := s.View().OldestJobs(ctx)
			for _, name := range slices.Sorted(maps.Keys(oldest)) {
				facts = append(facts, instance.Fact{Name: "oldest " + name, Value: oldest[name].Truncate(time.Second).String()})
			}
			return facts, err
		},
		Try: func(ctx context.Context) (string, error) {
			violations, err := s.View().AuditJobs(ctx)
			if err == nil && len(violations) > 0 {
				err = errors.New(strings.Join(violations, "\n"))
			}
			return "", err
		},
	}
}

// modelPart returns the language model. Tries are not counted, and no ceiling stops them.
func (f llmFlags) modelPart() (instance.Part, error) {
	client, err := f.languageModel(nil, nil)
	if err != nil || client == nil {
		return instance.Part{Name: "model"}, err
	}
	return instance.Part{
		Name: "model", Configured: true, Facts: serviceFacts(client.Provider(), client.Model()),
		Try: func(ctx context.Context) (string, error) {
			reply, err := client.Chat(ctx, llm.Request{Purpose: "check", MaxTokens: 200, Messages: []llm.Message{{Role: llm.User, Text: "Say in one short sentence what an apple is."}}})
			return strings.TrimSpace(reply.Text), err
		},
	}, nil
}

func (f speechFlags) speechPart() (instance.Part, error) {
	client, err := f.client()
	if err != nil || client == nil {
		return instance.Part{Name: "speech"}, err
	}
	return instance.Part{
		Name: "speech", Configured: true, Facts: serviceFacts(client.Provider(), client.Model()),
		Try: func(ctx context.Context) (string, error) { return "", client.Reach(ctx) },
	}, nil
}

// serviceFacts returns the facts of an outside service.
func serviceFacts(provider, model string) func(context.Context) ([]instance.Fact, error) {
	return func(context.Context) ([]instance.Fact, error) {
		return []instance.Fact{{Name: "provider", Value: provider}, {Name: "model", Value: model}}, nil
	}
}

// withoutCopyright returns what a program says of its version without the line's end about its authors.
func withoutCopyright(version string) string {
	version, _, _ = strings.Cut(version, " Copyright")
	return version
}

func ffmpegPart() instance.Part {
	return instance.Part{
		Name: "ffmpeg", Configured: true,
		Facts: func(ctx context.Context) ([]instance.Fact, error) {
			tool, err := findFFmpeg(ctx)
			if err != nil {
				return nil, err
			}
			return append([]instance.Fact{{Name: "version", Value: withoutCopyright(tool.Version)}}, missing(tool)...), nil
		},
		Try: func(ctx context.Context) (string, error) {
			tool, err := ffmpeg.Finder(sandboxProgram)(ctx)
			if err != nil {
				return "", err
			}
			return tool.Version, nil
		},
	}
}

// missing lists what the sandbox of ffmpeg lacks.
func missing(tool *ffmpeg.Tool) (facts []instance.Fact) {
	if without := tool.Confinement.Missing; len(without) > 0 {
		facts = append(facts, instance.Fact{Name: "sandbox", Value: "without " + strings.Join(without, "; ")})
	}
	return facts
}
