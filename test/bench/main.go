// Command bench measures the server against a baseline. It loads studies into a new database, starts the program on it, reads pages,
// searches, single responses and polls, starts interviews and takes complete ones. It sends the same requests to a second process, the
// baseline, which reads the same bytes from the same database by key, or writes a row, and encodes nothing. The figure that counts is the
// ratio of the two within one run. The results go to a table and a chart.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// options are the command's flags.
type options struct {
	binary    string
	responses int
	body      int
	growth    []int
	conns     []int
	span      time.Duration
	keep      string
	only      string
	answers   bool
	postgres  bool
	delays    []time.Duration // added to a round trip to PostgreSQL
	markdown  string
	chart     string
}

func main() {
	log.SetFlags(0)
	var o options
	var growth, conns, delays, baseline string
	flag.StringVar(&o.binary, "binary", "bin/verbatim", "the program to measure")
	flag.IntVar(&o.responses, "responses", 50_000, "responses of the study that is measured")
	flag.IntVar(&o.body, "body", 8000, "bytes of a response's list item; its single form has half as many")
	flag.StringVar(&growth, "growth", "10000,100000", "sizes of the studies of the growth table; add 1000000 where there is room for 14 GB; empty: none")
	flag.StringVar(&conns, "connections", "1,16,64", "numbers of clients at once")
	flag.DurationVar(&o.span, "span", 1500*time.Millisecond, "how long each figure is measured")
	flag.StringVar(&o.keep, "data", "", "folder for the database, kept and used again; empty: a temporary one")
	flag.StringVar(&o.only, "only", "", "measure only operations whose name contains this")
	flag.BoolVar(&o.answers, "answers", false, "measure answers on SQLite and on a PostgreSQL server, which is started, and nothing else")
	flag.BoolVar(&o.postgres, "postgres", false, "measure reads on a PostgreSQL server, which is started, in place of SQLite")
	flag.StringVar(&delays, "delay", "0s,2.6ms", "how much longer a round trip to PostgreSQL takes, several after each other")
	flag.StringVar(&o.markdown, "markdown", "", "file for the tables; empty: none")
	flag.StringVar(&o.chart, "chart", "", "file for the chart (SVG); empty: none")
	flag.StringVar(&baseline, "baseline", "", "serve the baseline on this database (the command starts itself with it)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if baseline != "" {
		err = serveBaseline(ctx, baseline)
	} else if o.answers {
		err = runAnswers(ctx, o)
	} else if o.growth, err = numbers(growth); err == nil {
		o.conns, err = numbers(conns)
		if err == nil && o.postgres {
			if o.delays, err = durations(delays); err == nil {
				err = runPostgres(ctx, o)
			}
		} else if err == nil {
			err = run(ctx, o)
		}
	}
	if err != nil {
		stop()
		log.Fatal(err)
	}
}

func numbers(list string) (all []int, err error) {
	for part := range strings.SplitSeq(list, ",") {
		if part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no list of numbers", list)
		}
		all = append(all, n)
	}
	return all, nil
}

func durations(list string) (all []time.Duration, err error) {
	for part := range strings.SplitSeq(list, ",") {
		d, err := time.ParseDuration(part)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

func run(ctx context.Context, o options) (err error) {
	dir := o.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "verbatim-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	begun := time.Now()
	data, err := load(ctx, filepath.Join(dir, "verbatim.db"), o)
	if err != nil {
		return fmt.Errorf("loading: %w", err)
	}
	fmt.Printf("loaded %d studies in %v\n", len(data.Studies), time.Since(begun).Round(time.Second))

	metrics, err := freeAddress()
	if err != nil {
		return err
	}
	server, err := start(ctx, exec.Command(o.binary, "serve", "--data", dir, "--rate-limit", "0", "--max-connections", "0", "--max-network-connections", "0", "--metrics-listen", metrics, "--listen"), "/readyz")
	if err != nil {
		return err
	}
	server.metrics = metrics
	defer func() { err = errors.Join(err, server.stop()) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	baseline, err := start(ctx, exec.Command(self, "-baseline", filepath.Join(dir, "verbatim.db")), "/readyz")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, baseline.stop()) }()

	if data, err = data.filled(ctx, server, baseline); err != nil {
		return err
	}
	r := &report{options: o}
	if strings.Contains("open interviews", o.only) {
		if err := r.openInterviews(ctx, data, server); err != nil {
			return err
		}
	}
	for _, op := range operations(data, data.Studies[0]) {
		if !strings.Contains(op.name, o.only) {
			continue
		}
		for _, n := range o.conns {
			if err := r.compare(ctx, op, n, server, baseline); err != nil {
				return err
			}
		}
	}
	if strings.Contains("running interviews", o.only) {
		if err := r.runningInterviews(ctx, data, server); err != nil {
			return err
		}
	}
	if strings.Contains("interviews", o.only) {
		if err := r.interviews(ctx, data, server); err != nil {
			return err
		}
	}
	if len(data.Studies) > 1 {
		for at, op := range operations(data, data.Studies[0]) {
			if op.grows && strings.Contains(op.name, o.only) {
				if err := r.grow(ctx, data, at, server, baseline); err != nil {
					return err
				}
			}
		}
	}
	if r.peak, err = server.peakMemory(); err != nil {
		return err
	}
	return r.finish()
}
