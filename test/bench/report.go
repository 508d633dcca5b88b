package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report collects the measurements.
type report struct {
	options options
	rows    []row
	open    *openFigures    // nil: not measured
	running *runningFigures // nil: not measured
	answers []answerFigures
	growth  []growthRow
	peak    int64
}

type row struct {
	op             operation
	conns          int
	ours, baseline figures
}

func (r row) ratio() float64 { return r.ours.perSecond() / r.baseline.perSecond() }

type answerFigures struct {
	readers   int
	perSecond float64
	p50, p99  time.Duration
	pages     float64 // a second, of all readers together
}

type growthRow struct {
	name     string
	size     int
	figures  figures
	baseline figures
}

// rounds is the number of turns that baseline and server each take for one figure, so that both meet the machine in the same state.
const rounds = 2

// compare measures an operation of the baseline and of the server.
func (r *report) compare(ctx context.Context, op operation, conns int, server, baseline *process) error {
	one := row{op: op, conns: conns}
	for range rounds {
		f, err := measure(ctx, baseline, op.baseline, conns, r.options.span/rounds)
		if err != nil {
			return fmt.Errorf("%s by the baseline: %w", op.name, err)
		}
		one.baseline = one.baseline.and(f)
		if f, err = measure(ctx, server, op.ours, conns, r.options.span/rounds); err != nil {
			return fmt.Errorf("%s: %w", op.name, err)
		}
		one.ours = one.ours.and(f)
	}
	r.rows = append(r.rows, one)
	fmt.Println(one.line())
	return nil
}

func (r row) line() string {
	return fmt.Sprintf("| %s | %d | %s | %s | %.0f | %.0f | %.2f | %s | %s | %.0f |", r.op.name, r.conns, short(r.ours.p50()), short(r.ours.p99()),
		r.ours.perSecond(), r.baseline.perSecond(), r.ratio(), short(r.ours.cpu()), short(r.baseline.cpu()), float64(r.ours.memory)/1e6)
}

// short formats a duration in milliseconds.
func short(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()*1000) }

// growthRounds is the number of turns that each size takes for one figure of the growth table, so that a machine that is busier for a while is so for
// all of them.
const growthRounds = 5

// grow measures an operation on studies of all sizes, with one connection.
func (r *report) grow(ctx context.Context, d dataset, at int, server, baseline *process) error {
	rows := make([]growthRow, 0, len(d.Studies)-1)
	for round := range growthRounds {
		for i, l := range d.Studies[1:] {
			op := operations(d, l)[at]
			f, err := measure(ctx, server, op.ours, 1, r.options.span/growthRounds)
			if err != nil {
				return fmt.Errorf("%s at %d responses: %w", op.name, l.Size, err)
			}
			under, err := measure(ctx, baseline, op.baseline, 1, r.options.span/growthRounds)
			if err != nil {
				return fmt.Errorf("the baseline of %s at %d responses: %w", op.name, l.Size, err)
			}
			if round == 0 {
				rows = append(rows, growthRow{name: op.name, size: l.Size})
			}
			rows[i].figures, rows[i].baseline = rows[i].figures.and(f), rows[i].baseline.and(under)
		}
	}
	r.growth = append(r.growth, rows...)
	for _, row := range rows {
		fmt.Printf("%s at %d responses: p50 %s ms, baseline %s ms\n", row.name, row.size, short(row.figures.p50()), short(row.baseline.p50()))
	}
	return nil
}

// finish prints the tables and writes the files.
func (r *report) finish() error {
	var err error
	if r.options.markdown != "" {
		err = os.WriteFile(r.options.markdown, r.tables(), 0o644)
	}
	if r.options.chart != "" {
		err = errors.Join(err, os.WriteFile(r.options.chart, r.svg(), 0o644))
	}
	fmt.Printf("the server's peak memory: %.0f MB\n", float64(r.peak)/1e6)
	return err
}

const intro = `# Benchmarks

Written by ` + "`make bench`" + `. Read the ratios: milliseconds depend on the machine and on what else it does.

The **baseline** is a second process of the same run, in Go and with the same SQLite driver, that reads the same bytes from the
same file by key, with prepared statements, and writes them to the socket: no key is checked, nothing is counted, tagged,
logged or encoded. Of a search it sends as many bytes as the server does. Its create is one row of 8 KB, inserted and forced to
disk for each request alone. Clients are on the same machine and share its processors with the server; nothing is compressed; every commit is forced to disk (synchronous
FULL). CPU is the server's, user and system, in steps of 10 ms over the whole measurement.

`

const bounds = `
## What bounds reads

By CPU profiles of the server under 4 to 8 clients, and by ` + "`explain`" + `:

- **Pages.** A document is copied twice: from SQLite's page cache into a slice of Go's, which the driver makes, and from there
  into the buffer that is written. What is left beside the baseline is one statement that finds the page and its ETag in the
  covering index, an entry for each item.
- **One response.** Four fifths of the handler's time is its one statement, and of that nearly all is SQLite: the API key and its
  user, the link id, the study and the item are five look-ups in five trees, where the baseline does one. Routing, limits,
  the log and the ETag are the rest.
- **Search of 100 hits.** Three quarters of the handler's time is its one statement: the primary key's index finds the hits, but
  each needs its row as well, and the hits are gathered in a temporary table because they are read twice, for their text and
  for their studies. The baseline does the first half of that. Encoding and the ETag, a hash of 29 KB, take an eighth.
`

func (r *report) tables() []byte {
	var b bytes.Buffer
	b.WriteString(intro)
	fmt.Fprintf(&b, "Machine: %s, %d processors for the server, the baseline and the clients together; %s. A study of %d responses with list items of %d bytes; %v a figure.\n\n",
		processor(), runtime.NumCPU(), runtime.Version(), r.options.responses, r.options.body, r.options.span)
	b.WriteString("![Requests a second as a share of the baseline's](benchmarks.svg)\n\n")
	b.WriteString("| operation | clients | p50 ms | p99 ms | req/s | baseline req/s | ratio | CPU ms | baseline CPU ms | memory MB |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, one := range r.rows {
		b.WriteString(one.line() + "\n")
	}
	fmt.Fprintf(&b, "\nThe server's peak memory over the run: %.0f MB.\n", float64(r.peak)/1e6)
	b.WriteString("\n## Complete interviews\n\n16 participants at once: alone as fast as they go, and at up to 200 answers a second beside readers of pages of 1,000 as fast as they go. Each answer is on the disk before the next step leaves.\n\n| readers | answers/s | p50 ms | p99 ms | pages/s |\n|--:|--:|--:|--:|--:|\n")
	for _, a := range r.answers {
		fmt.Fprintf(&b, "| %d | %.0f | %s | %s | %.0f |\n", a.readers, a.perSecond, short(a.p50), short(a.p99), a.pages)
	}
	if r.running != nil {
		b.WriteString("\n" + r.running.lines() + "\n")
	}
	if r.open != nil {
		b.WriteString("\n" + r.open.line() + "\n")
	}
	b.WriteString(bounds)
	if len(r.options.growth) == 0 {
		return b.Bytes()
	}
	b.WriteString("\n## Growth\n\nThe same operations, one client, on studies of other sizes in the same database, which take turns: p50 in ms, the server's and the baseline's; how much longer it takes on the largest study than on the smallest; and how much of that is the server's share: the machine's caches, too, hold less of a larger study.\n\n")
	r.growthTable(&b)
	return b.Bytes()
}

func (r *report) growthTable(b *bytes.Buffer) {
	b.WriteString("| operation |")
	for _, size := range r.options.growth {
		fmt.Fprintf(b, " %d |", size)
	}
	b.WriteString(" growth | growth of the baseline | beyond it |\n|---|" + strings.Repeat("--:|", len(r.options.growth)+3) + "\n")
	for sizes := range slices.Chunk(r.growth, max(1, len(r.options.growth))) {
		fmt.Fprintf(b, "| %s |", sizes[0].name)
		for _, g := range sizes {
			fmt.Fprintf(b, " %s / %s |", short(g.figures.p50()), short(g.baseline.p50()))
		}
		first, last := sizes[0], sizes[len(sizes)-1]
		ours := last.figures.p50().Seconds() / first.figures.p50().Seconds()
		baseline := last.baseline.p50().Seconds() / first.baseline.p50().Seconds()
		fmt.Fprintf(b, " %.2f | %.2f | %.2f |\n", ours, baseline, ours/baseline)
	}
}

// processor returns the name of the machine's processor, where the system reports it.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		if _, after, found := strings.Cut(string(info), "model name"); found {
			name, _, _ := strings.Cut(after, "\n")
			return strings.Trim(name, "\t: ")
		}
	}
	return "unknown processor"
}

// svg draws a bar for each operation and number of clients: the ratio to the baseline, with the goal as a line.
func (r *report) svg() []byte {
	const left, width, height, top = 290, 480, 20, 30
	var b bytes.Buffer
	total := top + height*len(r.rows) + 30
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img" aria-label="Requests a second as a share of the baseline's">`+"\n", left+width+70, total)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/><text x="10" y="18" font-weight="bold">Requests a second as a share of the baseline's (line: goal)</text>`+"\n")
	for i, one := range r.rows {
		y := top + i*height
		bar := min(one.ratio(), 1.2) / 1.2 * width
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s, %d</text><rect x="%d" y="%d" width="%.0f" height="%d" fill="#3b6ea5"/><text x="%.0f" y="%d">%.2f</text>`+"\n",
			left-8, y+14, one.op.name, one.conns, left, y+3, bar, height-6, left+bar+6, y+14, one.ratio())
		if one.op.goal > 0 {
			x := left + one.op.goal/1.2*width
			fmt.Fprintf(&b, `<line x1="%.0f" y1="%d" x2="%.0f" y2="%d" stroke="#c0392b" stroke-width="2"/>`+"\n", x, y+1, x, y+height-1)
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}
