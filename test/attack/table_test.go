package attack

import (
	"fmt"
	"strings"
	"time"
)

// row is what one attack sent and cost.
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
	faults      []string
	passed      bool
}

// ratio is how much longer innocent requests took; latencies below the floor count as the floor.
func (r row) ratio() float64 {
	return float64(max(r.busy.p99, latencyFloor)) / float64(max(r.quiet.p99, latencyFloor))
}

func (r row) verdict() string {
	if r.passed {
		return "passed"
	}
	return "FAILED: " + strings.Join(r.faults, "; ")
}

// cells are the columns after the name.
func (r row) cells() []string {
	return []string{
		fmt.Sprint(r.sent), fmt.Sprintf("%.1f s", r.took.Seconds()), fmt.Sprintf("%d MiB", r.peak/mib), fmt.Sprintf("%.1f s", r.cpu.Seconds()),
		fmt.Sprintf("%.1f MiB", float64(r.disk)/mib), millis(r.quiet.p99), millis(r.busy.p99), fmt.Sprintf("%d/%d", r.busy.asked-r.busy.refused, r.busy.asked),
		r.mark, r.notes, r.verdict(),
	}
}

var headings = []string{
	"point", "attack", "requests", "took", "peak memory", "CPU", "disk", "innocent p99 before", "during", "served", "pass mark", "figures", "result",
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

// table is the rows for a terminal.
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

// page is the table as Markdown.
func page(w *world, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Attacks\n\nWritten by `make attack-table`; the attacks are in `test/attack`. %s. "+
		"The latency of innocent requests below %v is noise of a small machine.\n\n", w.describe(), latencyFloor)
	fmt.Fprintf(&b, "| %s |\n|%s\n", strings.Join(headings, " | "), strings.Repeat("---|", len(headings)))
	escape := strings.NewReplacer("|", "\\|", "\n", " ")
	for _, r := range rows {
		cells := []string{fmt.Sprint(r.point), r.name}
		for _, cell := range r.cells() {
			cells = append(cells, escape.Replace(cell))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	return b.String()
}
