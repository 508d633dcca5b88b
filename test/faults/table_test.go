package faults

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// row is the result of one fault.
type row struct {
	name       string
	mark       string
	out        time.Duration // longest time that somebody was without a good answer, beyond what the mark allows
	requests   int64
	failed     int
	answers    int // acknowledged
	lost       int
	doubled    int
	took       time.Duration
	notes      []string
	violations []string
}

func (r row) verdict() string {
	if len(r.violations) == 0 {
		return "passed"
	}
	return "FAILED: " + strings.Join(r.violations, "; ")
}

var headings = []string{"fault", "pass mark", "seconds out", "requests", "failed", "answers acknowledged", "lost", "doubled", "took", "figures", "result"}

func (r row) cells() []string {
	return []string{
		r.name, r.mark, fmt.Sprintf("%.1f", r.out.Seconds()), fmt.Sprint(r.requests), fmt.Sprint(r.failed), fmt.Sprint(r.answers), fmt.Sprint(r.lost), fmt.Sprint(r.doubled),
		fmt.Sprintf("%.0f s", r.took.Seconds()), strings.Join(r.notes, "; "), r.verdict(),
	}
}

// table formats the rows for a terminal.
func table(rows []row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%-34s out %5.1f s, %6d requests, %5d failed, %6d answers, %d lost, %d doubled, took %3.0f s\n    mark: %s\n    %s\n", r.name,
			r.out.Seconds(), r.requests, r.failed, r.answers, r.lost, r.doubled, r.took.Seconds(), r.mark, r.verdict())
		if len(r.notes) > 0 {
			fmt.Fprintf(&b, "    %s\n", strings.Join(r.notes, "; "))
		}
	}
	return b.String()
}

// The page keeps the tables of the two tests that write it between these marks.
const (
	beginFaults = "<!-- faults: begin -->"
	endFaults   = "<!-- faults: end -->"
	beginStorm  = "<!-- storm: begin -->"
	endStorm    = "<!-- storm: end -->"
)

// write puts a table into the page, between two marks.
func write(path, begin, end string, rows []row) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s has no place for a table: the lines %s and %s", path, begin, end)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s\n%d processors, %s, %s form.\n\n| %s |\n|%s\n", before, begin, runtime.NumCPU(), time.Now().UTC().Format("2006-01-02"), form(),
		strings.Join(headings, " | "), strings.Repeat("---|", len(headings)))
	escape := strings.NewReplacer("|", "\\|", "\n", " ", "<", "&lt;")
	for _, r := range rows {
		cells := r.cells()
		for i := range cells {
			cells[i] = escape.Replace(cells[i])
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	b.WriteString("\n" + end + after)
	return os.WriteFile(path, []byte(b.String()), 0o600)
}

func form() string {
	if *long {
		return "long"
	}
	return "short"
}
