// Command release builds a release for every platform: an archive with the program, a bill of materials, one file of checksums, and a
// signature of it if a key is given. The same commit gives the same bytes, wherever it is built with the same Go.
//
//	go run ./scripts/release -out dist [-key FILE] [-trial] [-only linux/amd64]
//
// docs/releasing.md describes its use.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// platforms are the systems and processors that a release is built for.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

// release describes what is built.
type release struct {
	Root    string    // of the source
	Out     string    // folder of the output
	Version string    // semantic, without a v
	Commit  string    // full hash; empty if unknown
	At      time.Time // of the commit; the time of every file in the archive
}

func main() {
	out := flag.String("out", "dist", "folder that the files are put into")
	key := flag.String("key", os.Getenv("VERBATIM_RELEASE_KEY"), "file of the private key that signs (ed25519, of ssh-keygen); also VERBATIM_RELEASE_KEY")
	trial := flag.Bool("trial", false, "build what is here, released or not")
	only := flag.String("only", strings.Join(platforms, ","), "platforms, with commas between")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *key, *trial, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, key string, trial bool, only []string) error {
	r, err := describe(ctx, ".", trial)
	if err != nil {
		return err
	}
	r.Out = out
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var made []string
	for _, platform := range only {
		files, err := r.build(ctx, platform)
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		made = append(made, files...)
		for _, file := range files {
			fmt.Println(filepath.Join(out, file))
		}
	}
	sums, err := r.checksums(made)
	if err != nil {
		return err
	}
	fmt.Println(sums)
	if key == "" {
		fmt.Println("not signed: no -key was given, and VERBATIM_RELEASE_KEY is not set")
		return nil
	}
	return sign(ctx, key, sums)
}

var numberLine = regexp.MustCompile(`(?m)^const number = "([^"]+)"$`)

// describe reads a source tree's version, commit and time. Unless it is a trial, the tree must be the tagged commit itself, and the
// changelog must begin with the version.
func describe(ctx context.Context, root string, trial bool) (*release, error) {
	r := &release{Root: root}
	source, err := os.ReadFile(filepath.Join(root, "cmd", "verbatim", "version.go"))
	if err != nil {
		return nil, err
	}
	number := numberLine.FindSubmatch(source)
	if number == nil {
		return nil, errors.New("cmd/verbatim/version.go names no number")
	}
	r.Version = string(number[1])
	commit, err := git(ctx, root, "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	hash, seconds, _ := strings.Cut(commit, " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, err
	}
	r.Commit, r.At = hash, time.Unix(at, 0).UTC()
	if trial {
		r.Version += "-dev+" + hash[:12]
		return r, nil
	}
	tags, err := git(ctx, root, "tag", "--points-at", "HEAD")
	if err != nil {
		return nil, err
	}
	if !strings.Contains("\n"+tags+"\n", "\nv"+r.Version+"\n") {
		return nil, fmt.Errorf("the commit does not have the tag v%s (-trial builds it all the same)", r.Version)
	}
	if changed, err := git(ctx, root, "status", "--porcelain"); err != nil || changed != "" {
		return nil, errors.Join(err, fmt.Errorf("the tree is not the tagged commit:\n%s", changed))
	}
	log, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	if top := regexp.MustCompile(`(?m)^## (.*)$`).FindSubmatch(log); top == nil || !strings.HasPrefix(string(top[1]), r.Version+" (") {
		return nil, fmt.Errorf("CHANGELOG.md does not begin with a heading of %s and its day", r.Version)
	}
	return r, nil
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// sign writes ssh-keygen's signature of a file beside it.
func sign(ctx context.Context, key, file string) error {
	if err := os.Remove(file + ".sig"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	cmd := exec.CommandContext(ctx, "ssh-keygen", "-Y", "sign", "-f", key, "-n", "verbatim-release", file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stderr, os.Stderr // it may ask for the key's passphrase
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("signing: %w", err)
	}
	fmt.Println(file + ".sig")
	return nil
}
