package attack

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

// row is the result of one attack.
type row struct {
	point       int
	name        string
	mark        string
	sent        int64
	took        time.Duration
	peak        int64 // bytes of memory
	cpu         time.Duration
	disk        int64 // bytes by which the data folder grew
	quiet, busy latencies
	notes       string
	violations  []string
	passed      bool
}

// ratio returns how much longer innocent requests took; latencies below latencyNoise count as latencyNoise.
func (r row) ratio() float64 {
	return float64(max(r.busy.P99, latencyNoise)) / float64(max(r.quiet.P99, latencyNoise))
}

func (r row) verdict() string {
	if r.passed {
		return "passed"
	}
	return "FAILED: " + strings.Join(r.violations, "; ")
}

// cells returns the columns after the name.
func (r row) cells() []string {
	return []string{
		fmt.Sprint(r.sent), fmt.Sprintf("%.1f s", r.took.Seconds()), fmt.Sprintf("%d MiB", r.peak/mib), fmt.Sprintf("%.1f s", r.cpu.Seconds()),
		fmt.Sprintf("%.1f MiB", float64(r.disk)/mib), millis(r.quiet.P99), millis(r.busy.P99), fmt.Sprintf("%d/%d", r.busy.Asked-r.busy.Refused, r.busy.Asked),
		r.mark, r.notes, r.verdict(),
	}
}

var headings = []string{
	"point", "attack", "requests", "took", "peak memory", "CPU", "disk", "innocent p99 before", "during", "served", "pass mark", "figures", "result",
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// table formats the rows for a terminal.
func table(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-5s %-44s %7s %8s %9s %7s %10s %9s %9s %10s  %s\n", "point", "attack", "sent", "took", "peak", "CPU", "disk", "before", "during", "served", "result: pass mark (figures)")
	for _, r := range rows {
		c := r.cells()
		fmt.Fprintf(&b, "%-5d %-44s %7s %8s %9s %7s %10s %9s %9s %10s  %s: %s", r.point, r.name, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], r.verdict(), r.mark)
		if r.notes != "" {
			fmt.Fprintf(&b, " (%s)", r.notes)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// past is the result of another server, such as that of an earlier version, under an attack.
type past struct {
	Peak   int64
	CPU    float64 // seconds
	Disk   int64
	Notes  string
	Result string
}

// write writes the figures and the page if they are asked for.
func write(w *world, rows []row) error {
	if *figures != "" {
		all := map[string]past{}
		for _, r := range rows {
			all[r.name] = past{Peak: r.peak, CPU: r.cpu.Seconds(), Disk: r.disk, Notes: r.notes, Result: r.verdict()}
		}
		encoded, err := json.MarshalIndent(all, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(*figures, append(encoded, '\n'), 0o600); err != nil {
			return err
		}
	}
	if *markdown == "" {
		return nil
	}
	earlier := map[string]past{}
	if *before != "" {
		encoded, err := os.ReadFile(*before)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(encoded, &earlier); err != nil {
			return err
		}
	}
	return os.WriteFile(*markdown, []byte(page(w, rows, earlier)), 0o600)
}

// page formats the table as Markdown.
func page(w *world, rows []row, earlier map[string]past) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Attacks\n\nWritten by `make attack-table`; the attacks are in `test/attack`. %s. "+
		"The latency of innocent requests below %v is noise of a small machine.\n\n", w.describe(), latencyNoise)
	columns := headings
	if len(earlier) > 0 {
		columns = append(columns, "result before")
	}
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
	escape := strings.NewReplacer("|", "\\|", "\n", " ")
	for _, r := range rows {
		cells := []string{fmt.Sprint(r.point), r.name}
		for _, cell := range r.cells() {
			cells = append(cells, escape.Replace(cell))
		}
		if len(earlier) > 0 {
			was := "not tried"
			if p, known := earlier[r.name]; known {
				was = fmt.Sprintf("%s (peak %d MiB, CPU %.1f s, disk %.1f MiB)", p.Result, p.Peak/mib, p.CPU, float64(p.Disk)/mib)
			}
			cells = append(cells, escape.Replace(was))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}
