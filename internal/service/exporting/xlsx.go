package exporting

import (
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"
)

// Limits of a sheet. Excelize cuts longer cells without a word.
const (
	maxCellUnits  = 32767 // UTF-16 code units
	maxColumns    = 16384
	maxRows       = 1048576
	columnWidth   = 14
	wideTextWidth = 40
)

// xlsxTable writes a workbook. Rows wait in a spool until the widest cell of each column is known, since a cell that is too long goes on in the
// columns beside it.
type xlsxTable struct {
	to        io.Writer
	title     string
	variables []variable
	export    *export
	spool     *spool
	columns   []int // that the variable needs
	cellUnits int
	rowLimit  int
}

func newXLSXTable(to io.Writer, title string, variables []variable, e *export) (*xlsxTable, error) {
	if len(variables) > maxColumns {
		return nil, ErrColumns
	}
	waiting, err := newSpool()
	if err != nil {
		return nil, err
	}
	t := &xlsxTable{to: to, title: title, variables: variables, export: e, spool: waiting, columns: make([]int, len(variables)), cellUnits: maxCellUnits, rowLimit: maxRows}
	for i := range t.columns {
		t.columns[i] = 1
	}
	return t, nil
}

func (t *xlsxTable) row(cells []cell) error {
	for i := range cells {
		if len(cells[i].text) > t.cellUnits { // else it is shorter in UTF-16, too
			t.columns[i] = max(t.columns[i], len(splitText(cells[i].text, t.cellUnits)))
		}
	}
	return t.spool.add(cells)
}

// Close removes the spool.
func (t *xlsxTable) Close() error { return t.spool.Close() }

// close writes the workbook: the rows, and the codebook behind them.
func (t *xlsxTable) close() (err error) {
	book := excelize.NewFile()
	defer func() {
		if closed := book.Close(); err == nil { // removes the temporary files of its sheets
			err = closed
		}
	}()
	w := &workbook{book: book, options: t.export.options, cellUnits: t.cellUnits, rowLimit: t.rowLimit}
	if w.header, err = book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}}); err != nil {
		return err
	}
	format := "yyyy-mm-dd hh:mm:ss"
	if w.time, err = book.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
		return err
	}
	if err := w.begin(t.title, t.variables, t.columns); err != nil {
		return err
	}
	if err := t.spool.each(len(t.variables), w.row); err != nil {
		return err
	}
	if err := w.end(); err != nil {
		return err
	}
	if t.title != "Codebook" {
		ones := make([]int, len(codebookVariables))
		for i := range ones {
			ones[i] = 1
		}
		if err := w.begin("Codebook", codebookVariables, ones); err != nil {
			return err
		}
		if err := t.export.codebook(w.row); err != nil {
			return err
		}
		if err := w.end(); err != nil {
			return err
		}
	}
	return book.Write(t.to)
}

// workbook writes rows into sheets.
type workbook struct {
	book         *excelize.File
	header, time int // styles
	options      Options
	cellUnits    int
	rowLimit     int

	title      string
	variables  []variable
	columns    []int
	worksheets int // of this title
	used       bool
	stream     *excelize.StreamWriter
	next       int // row
	line       []any
}

// begin begins a table in a sheet of its own.
func (w *workbook) begin(title string, variables []variable, columns []int) error {
	total := 0
	for _, n := range columns {
		total += n
	}
	if total > maxColumns {
		return ErrColumns
	}
	w.title, w.variables, w.columns, w.worksheets = title, variables, columns, 0
	return w.beginWorksheet()
}

func (w *workbook) beginWorksheet() (err error) {
	w.worksheets++
	name := w.title
	if w.worksheets > 1 {
		name = fmt.Sprintf("%s %d", w.title, w.worksheets)
	}
	if !w.used { // a new workbook has a sheet
		w.used = true
		err = w.book.SetSheetName("Sheet1", name)
	} else {
		_, err = w.book.NewSheet(name)
	}
	if err != nil {
		return err
	}
	if w.stream, err = w.book.NewStreamWriter(name); err != nil {
		return err
	}
	if err := w.stream.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	w.line = w.line[:0]
	for i := range w.variables {
		width := float64(columnWidth)
		if w.variables[i].kind == text {
			width = wideTextWidth
		}
		for n := range w.columns[i] {
			column := w.variables[i].name
			if n > 0 {
				column += " (" + strconv.Itoa(n+1) + ")"
			}
			w.line = append(w.line, excelize.Cell{StyleID: w.header, Value: column})
			if err := w.stream.SetColWidth(len(w.line), len(w.line), width); err != nil {
				return err
			}
		}
	}
	w.next = 1
	return w.flushLine()
}

func (w *workbook) flushLine() error {
	at, err := excelize.CoordinatesToCellName(1, w.next)
	if err != nil {
		return err
	}
	w.next++
	return w.stream.SetRow(at, w.line)
}

// row writes a row, in the next sheet if this one is full. Texts are typed as such, so that none is a formula.
func (w *workbook) row(cells []cell) error {
	if w.next > w.rowLimit {
		if err := w.end(); err != nil {
			return err
		}
		if err := w.beginWorksheet(); err != nil {
			return err
		}
	}
	w.line = w.line[:0]
	for i := range cells {
		v, begin := &w.variables[i], len(w.line)
		switch c := cells[i]; {
		case c.state == empty, c.state == missed && !w.options.Missing:
		case v.kind == number, v.kind == code && !w.options.Labels:
			w.line = append(w.line, c.number)
		case v.kind == timestamp:
			w.line = append(w.line, excelize.Cell{StyleID: w.time, Value: time.Unix(int64(c.number), 0).UTC()})
		default:
			for _, part := range splitText(v.plain(c, w.options.Labels, w.options.Missing), w.cellUnits) {
				if len(w.line)-begin < w.columns[i] {
					w.line = append(w.line, part)
				}
			}
		}
		for len(w.line)-begin < w.columns[i] {
			w.line = append(w.line, nil)
		}
	}
	return w.flushLine()
}

// end ends the sheet.
func (w *workbook) end() error { return w.stream.Flush() }

// splitText splits a text into parts of at most limit UTF-16 code units, between characters.
func splitText(s string, limit int) (all []string) {
	units, from := 0, 0
	for at, r := range s {
		size := max(utf16.RuneLen(r), 1)
		if units+size > limit {
			all = append(all, s[from:at])
			units, from = 0, at
		}
		units += size
	}
	return append(all, s[from:])
}
