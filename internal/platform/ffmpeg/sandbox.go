package ffmpeg

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// SandboxCommand is the first argument with which a program that calls Sandbox runs another program in a sandbox.
const SandboxCommand = "run-in-sandbox"

// Measures that isolate the programs that decode untrusted media from the rest of the machine. Each is used if the system
// supports it.
const (
	ownUser     = "own user"          // only if the service runs as root, which may change its user
	noNetwork   = "network namespace" // there is no network to reach
	noSockets   = "seccomp"           // no sockets, no tracing of other programs, no new namespaces
	ownFiles    = "Landlock"          // no files except the recording, the programs and their libraries
	noPrivilege = "no new privileges" // no process that it starts gains rights
	ownMemory   = "limits of memory, processor time and file size"
)

var measures = []string{ownUser, noNetwork, noSockets, ownFiles, noPrivilege, ownMemory}

const (
	maxMemory = 2 << 30 // bytes of private memory of one program
	// An output file may be this many times larger than its input: a short film that is hard to compress grows when it is
	// encoded for every player.
	maxGrowth    = 8
	minFileLimit = 1 << 30 // bytes that a file may have in any case
	sandboxUID   = 64250   // used by nobody else; used if the service runs as root
)

// sandboxConfig is the configuration passed to the sandbox process, as JSON in its arguments.
type sandboxConfig struct {
	Dirs     []string // may be read and written; other folders may not
	CPU      uint64   // seconds; 0: no limit
	FileSize uint64   // bytes; 0: no limit
	Without  []string // measures that are left out
	Report   bool     // print the measures in force instead of running a program
}

func (o *sandboxConfig) with(measure string) bool { return !slices.Contains(o.Without, measure) }

// report is the sandbox's report about itself.
type report struct {
	Missing map[string]string // the measures that are not in force, and why
}

// Confinement lists the measures in force for a tool's programs, and those that are not, with the reason.
type Confinement struct {
	InForce []string
	Missing []string
}

// Finder returns a function that finds ffmpeg and ffprobe in PATH. The tools that it returns run them in a sandbox, through a
// program that calls Sandbox if its first argument is SandboxCommand; if program is empty, without one. The error ErrMissing
// says what is missing.
func Finder(program string) func(context.Context) (*Tool, error) {
	return func(ctx context.Context) (*Tool, error) { return find(ctx, program) }
}

// confineTool finds out which measures this system supports and ffmpeg runs under, and makes the tool use those.
func (t *Tool) confineTool(ctx context.Context, program string) error {
	t.Confinement = Confinement{Missing: []string{"all: the programs run with the rights of the service"}}
	if program == "" || runtime.GOOS != "linux" {
		return nil
	}
	var first error
	for _, without := range retreats() {
		t.sandbox = &sandbox{program: program, without: without}
		reported, err := t.sandbox.ask(ctx)
		if err == nil {
			t.sandbox.without = append(t.sandbox.without, keys(reported.Missing)...)
			err = t.run(ctx, job{program: t.ffmpeg, args: []string{"-v", "error", "-encoders"}, stdout: &limitedBuffer{}})
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		t.Confinement = Confinement{}
		for _, m := range measures {
			reason, missing := reported.Missing[m]
			if slices.Contains(without, m) {
				reason, missing = fmt.Sprintf("ffmpeg does not start under it (%v)", first), true
			}
			if missing {
				t.Confinement.Missing = append(t.Confinement.Missing, m+": "+reason)
			} else {
				t.Confinement.InForce = append(t.Confinement.InForce, m)
			}
		}
		return nil
	}
	t.Confinement.Missing = append(t.Confinement.Missing, first.Error())
	t.sandbox = nil
	return ctx.Err()
}

// retreats returns the sets of measures to leave out, to be tried in order until ffmpeg starts: none, each alone, then more
// and more.
func retreats() (sets [][]string) {
	sets = append(sets, nil)
	for i := range measures {
		sets = append(sets, measures[i:i+1:i+1])
	}
	for i := 2; i <= len(measures); i++ {
		sets = append(sets, measures[:i:i])
	}
	return sets
}

func keys(m map[string]string) (all []string) {
	for key := range m {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}

// sandbox runs programs through another program, which gives up its rights first.
type sandbox struct {
	program string
	without []string
}

// ask asks the sandbox which measures are not in force.
func (s *sandbox) ask(ctx context.Context) (reported report, err error) {
	var out bytes.Buffer
	o := sandboxConfig{Report: true, Without: s.without}
	cmd := command(ctx, s.program, s.arguments(o, "", nil))
	cmd.Stdout = &out
	release := tether(cmd)
	s.setNamespaces(cmd.SysProcAttr)
	err = cmd.Run()
	release()
	if err != nil {
		return reported, fmt.Errorf("the sandbox does not start: %w", err)
	}
	return reported, json.Unmarshal(out.Bytes(), &reported)
}

func (s *sandbox) arguments(o sandboxConfig, program string, args []string) []string {
	encoded, _ := json.Marshal(o) // strings and numbers only
	return append([]string{SandboxCommand, string(encoded), program}, args...)
}

// wrap changes a run of a program into one in the sandbox. The sandbox may access the files that its arguments name, and
// the other files in their folders: each call works in a folder of its own. The paths are made relative to the folder that
// the program runs in, so that its user needs no rights to the folders above.
func (s *sandbox) wrap(ctx context.Context, j job) (job, error) {
	o := sandboxConfig{Without: s.without, FileSize: minFileLimit}
	var dirs []string
	if j.dir != "" {
		dirs = append(dirs, j.dir)
	}
	args := slices.Clone(j.args)
	for i, arg := range args {
		name, is := strings.CutPrefix(arg, "file:")
		if !is {
			continue
		}
		name, err := filepath.Abs(name)
		if err != nil {
			return j, err
		}
		if info, err := os.Stat(name); err == nil {
			o.FileSize += maxGrowth * uint64(info.Size())
		}
		if j.dir == "" {
			j.dir = filepath.Dir(name)
		}
		if dir := filepath.Dir(name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		if name, err = filepath.Rel(j.dir, name); err != nil {
			return j, err
		}
		args[i] = "file:" + name
	}
	for _, dir := range dirs {
		if err := s.chown(dir); err != nil {
			return j, err
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return j, err
		}
		o.Dirs = append(o.Dirs, dir)
	}
	if deadline, limited := ctx.Deadline(); limited {
		o.CPU = uint64(max(1, time.Until(deadline).Seconds()))*uint64(runtime.NumCPU()) + 1
	}
	return job{program: s.program, args: s.arguments(o, j.program, args), dir: j.dir, stdout: j.stdout}, nil
}

// chown changes the owner of a folder and its contents to the sandbox's user, if it has a user of its own.
func (s *sandbox) chown(dir string) error {
	if os.Geteuid() != 0 || slices.Contains(s.without, ownUser) {
		return nil
	}
	if err := os.Lchown(dir, sandboxUID, sandboxUID); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type()&(fs.ModeDir|fs.ModeSymlink) != 0 || e.Name() == workLock {
			continue
		}
		if err := os.Lchown(filepath.Join(dir, e.Name()), sandboxUID, sandboxUID); err != nil {
			return err
		}
	}
	return nil
}
