package exporting

import (
	"context"
	"errors"
	"io"
	"slices"

	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Format names a format of files.
type Format string

// The formats.
const (
	CSV   Format = "csv"
	XLSX  Format = "xlsx"
	JSONL Format = "jsonl"
	SAV   Format = "sav"
	ZIP   Format = "zip"
)

// Formats lists every format.
var Formats = []Format{CSV, XLSX, JSONL, SAV, ZIP}

// ContentType returns the media type of a format's files.
func (f Format) ContentType() string {
	switch f {
	case CSV:
		return "text/csv; charset=utf-8"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case JSONL:
		return "application/jsonl"
	case ZIP:
		return "application/zip"
	default:
		return "application/x-spss-sav"
	}
}

// Layout decides what a row is.
type Layout string

// The layouts.
const (
	Wide Layout = "wide" // a response
	Long Layout = "long" // a value of a response
)

// Options say what is written, and how.
type Options struct {
	Format   Format
	Layout   Layout   // empty: Wide
	Labels   bool     // the words of options in place of their codes
	Missing  bool     // the codes of missing values in place of empty cells; an SPSS file always has them
	Codebook bool     // nothing but the codebook, as a table
	Without  []string // names of variables that are left out
	Filter   response.ReviewFilter
	// Progress is called with the number of responses that were written, and about how many there are. It may be nil.
	Progress func(done, total int)
}

// Errors of options that do not go together.
var (
	ErrFormat  = errors.New("the format must be csv, xlsx, jsonl, sav or zip")
	ErrLayout  = errors.New("the layout must be wide or long, and an SPSS file is always wide")
	ErrLabels  = errors.New("an SPSS file has codes and labels: leave the choice to the program that opens it")
	ErrContent = errors.New("a codebook alone is written as csv, xlsx or jsonl")
	ErrColumns = errors.New("the study has more variables than a sheet has columns: take the long layout or csv")
)

// Check returns an error of options that do not go together.
func (o *Options) Check() error {
	switch {
	case !slices.Contains(Formats, o.Format):
		return ErrFormat
	case o.Layout != "" && o.Layout != Wide && o.Layout != Long, o.Format == SAV && o.Layout == Long:
		return ErrLayout
	case o.Format == SAV && o.Labels:
		return ErrLabels
	case o.Codebook && (o.Format == SAV || o.Format == ZIP):
		return ErrContent
	}
	return nil
}

// Service writes exports. Share one value.
type Service struct {
	Store   *store.Store
	Objects blob.Store // recordings, and the files of exports made in the background; nil: archives have no recordings
}

// Summary counts what was written.
type Summary struct {
	Responses  int
	Variables  int // of a codebook alone
	Unreadable int // of these, those whose answers could not be read
	Cut        int // texts that did not fit into a column of fixed width
	Missing    int // recordings and files that are not stored any more

	newest int // no response with a greater number was there
}

// Write writes the responses of a study. Memory does not depend on how many there are; XLSX and archives use temporary files. Errors: those
// of Options.Check, study.ErrNotFound, ErrColumns, *UnknownVariableError.
func (s *Service) Write(ctx context.Context, st study.Study, o Options, to io.Writer) (sum Summary, err error) {
	defer operation.Wrap(&err, "exporting.Write")
	if err := o.Check(); err != nil {
		return Summary{}, err
	}
	src, err := newSource(ctx, s.Store, st, o.Filter)
	if err != nil {
		return Summary{}, err
	}
	parameters, err := src.parameters(ctx, o.Format == SAV)
	if err != nil {
		return Summary{}, err
	}
	e := &export{summary: Summary{newest: src.newest}, source: src, options: o, dictionary: newDictionary(src.asked, parameters), objects: s.Objects}
	if err := e.leaveOut(o.Without); err != nil {
		return Summary{}, err
	}
	if o.Codebook {
		e.summary.Variables = len(e.written)
		return e.summary, e.writeCodebook(to)
	}
	switch o.Format {
	case SAV:
		err = e.writeSAV(ctx, to)
	case ZIP:
		err = e.writeZIP(ctx, to)
	default:
		err = e.writeTable(ctx, o.Format, to)
	}
	return e.summary, err
}

// export is one export being written.
type export struct {
	*source
	*dictionary
	options Options
	objects blob.Store
	summary Summary
}

// eachRecord calls do with every response and counts them.
func (e *export) eachRecord(ctx context.Context, do func(r *record) error) error {
	e.summary.Responses = 0
	err := e.each(ctx, func(r *record) error {
		if err := do(r); err != nil {
			return err
		}
		e.summary.Responses++
		if e.options.Progress != nil {
			e.options.Progress(e.summary.Responses, max(e.total, e.summary.Responses))
		}
		return nil
	})
	e.summary.Unreadable = e.unreadable
	return err
}

// table is a file of rows with a header.
type table interface {
	// row writes a row, with a cell for each variable.
	row(cells []cell) error
	// close writes what follows the last row.
	close() error
}

// writeTable writes the responses as rows, in the layout of the options.
func (e *export) writeTable(ctx context.Context, f Format, to io.Writer) error {
	if e.options.Layout == Long {
		return e.fillTable(ctx, f, to, longVariables, e.longRows)
	}
	return e.fillTable(ctx, f, to, chosen(e.dictionary, e.variables), func(r *record, row func([]cell) error) error { return row(chosen(e.dictionary, e.cells(r))) })
}

// fillTable writes a table with what rows makes of each response.
func (e *export) fillTable(ctx context.Context, f Format, to io.Writer, variables []variable, rows func(r *record, row func([]cell) error) error) (err error) {
	t, err := e.newTable(f, to, "Responses", variables)
	if err != nil {
		return err
	}
	if closer, ok := t.(io.Closer); ok { // removes temporary files
		defer func() { err = errors.Join(err, closer.Close()) }()
	}
	if err := e.eachRecord(ctx, func(r *record) error { return rows(r, t.row) }); err != nil {
		return err
	}
	return t.close()
}

func (e *export) newTable(f Format, to io.Writer, title string, variables []variable) (table, error) {
	switch f {
	case JSONL:
		return newJSONLTable(to, variables, e.options), nil
	case XLSX:
		return newXLSXTable(to, title, variables, e)
	default:
		return newCSVTable(to, variables, e.options)
	}
}
