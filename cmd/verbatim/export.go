package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"verbatim/internal/api/dashboard"
	"verbatim/internal/api/httpx"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/store"
	"verbatim/internal/service/exporting"
)

type studyExport struct {
	Link     string   `arg:"" help:"The study's link id, or its id."`
	Format   string   `help:"csv, xlsx (Excel), jsonl (JSON lines), sav (SPSS), or zip (CSV with all recordings and files)." required:"" placeholder:"FORMAT"`
	Layout   string   `help:"wide: a row is a response; long: a row is a value." default:"wide" placeholder:"wide|long"`
	Labels   bool     `help:"Write the words of options in place of their codes."`
	Missing  bool     `help:"Write the codes of missing values (-99 not asked, -98 not answered, -97 not offered) in place of empty cells."`
	Without  []string `help:"Variables to leave out, by their names in the codebook, such as summary,transcript." placeholder:"NAME,..."`
	Codebook bool     `help:"Write the codebook alone: what each variable and each code means."`
	Filter   string   `help:"Only responses that pass a filter, as the address of the dashboard's list has it: 'progress=complete&qualityFrom=3'." placeholder:"FILTER"`
	Output   string   `help:"File to write; - for standard output. Default: the link id with the format as its ending." short:"o" placeholder:"FILE"`
	Replace  bool     `help:"Write over a file that exists."`
}

// Run writes the responses of a study into a file. A server may be running.
func (cmd *studyExport) Run(ctx context.Context, c *Common) error {
	options := exporting.Options{Format: exporting.Format(cmd.Format), Layout: exporting.Layout(cmd.Layout), Labels: cmd.Labels, Missing: cmd.Missing, Without: cmd.Without, Codebook: cmd.Codebook}
	if err := options.Check(); err != nil {
		return usageError(err.Error())
	}
	filter, err := dashboard.ParseFilter(cmd.Filter)
	if err == nil {
		options.Filter, err = filter.Prepared()
	}
	if err != nil {
		if refused := (*httpx.Error)(nil); errors.As(err, &refused) { // its status is of no use here
			err = errors.New(refused.Message)
		}
		return usageError("--filter: " + err.Error())
	}
	err = c.withStore(ctx, func(s *store.Store) error {
		found, err := findStudy(ctx, s, cmd.Link)
		if err != nil {
			return err
		}
		service := &exporting.Service{Store: s}
		if options.Format == exporting.ZIP {
			if service.Objects, err = c.openObjects(c.blobsAddress(), blob.Links{}); err != nil {
				return err
			}
		}
		written := c.bar("exporting", responses)
		defer written.end()
		options.Progress = func(done, total int) { written.draw(int64(done), int64(total)) }
		if cmd.Output == "-" {
			return cmd.print(ctx, c, service, found, options)
		}
		return cmd.save(ctx, c, service, found, options)
	})
	if unknown := (*exporting.UnknownVariableError)(nil); errors.As(err, &unknown) {
		return usageError("--without: " + unknown.Error())
	}
	return err
}

// print writes the export to standard output.
func (cmd *studyExport) print(ctx context.Context, c *Common, service *exporting.Service, st study.Study, o exporting.Options) error {
	to, plain := c.stdout.raw()
	if !plain && o.Format != exporting.CSV && o.Format != exporting.JSONL {
		return usageError("a terminal cannot show this format: name a file by -o, or send the output to one")
	}
	sum, err := service.Write(ctx, st, o, to)
	if err != nil {
		return err
	}
	for _, f := range exportProblems(sum) {
		c.stderr.printf("%s: %v\n", label(f.name), f.value)
	}
	return nil
}

// save writes the export into a file, which appears under its name when it is complete.
func (cmd *studyExport) save(ctx context.Context, c *Common, service *exporting.Service, st study.Study, o exporting.Options) (err error) {
	name := cmd.Output
	if name == "" {
		name = exporting.FileName(st.LinkID, o)
	}
	if _, err := os.Lstat(name); !cmd.Replace && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists already: name another file by -o, or write over it by --replace", name)
	}
	part := name + ".part"
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part) // the error says what is wrong
		}
	}()
	sum, err := service.Write(ctx, st, o, file)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, name); err != nil {
		return err
	}
	written := field{"responses", sum.Responses}
	if o.Codebook {
		written = field{"variables", sum.Variables}
	}
	return c.print(append(row{{"file", name}, written}, exportProblems(sum)...))
}

// exportProblems lists what an export could not write as it is.
func exportProblems(sum exporting.Summary) (all row) {
	for _, one := range []struct {
		name  string
		count int
	}{{"unreadableResponses", sum.Unreadable}, {"textsCut", sum.Cut}, {"missingFiles", sum.Missing}} {
		if one.count > 0 {
			all = append(all, field{one.name, one.count})
		}
	}
	return all
}

// raw returns standard output as it is, unless it is a terminal: a program that reads an export must get every byte of it. plain is false on a
// terminal, where everything is filtered.
func (t *terminal) raw() (to io.Writer, plain bool) {
	if t.tty {
		return t, false
	}
	return t.to, true
}
