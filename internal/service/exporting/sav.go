package exporting

import (
	"context"
	"io"
	"time"

	"verbatim/internal/platform/sav"
)

// writeSAV writes an SPSS file.
func (e *export) writeSAV(ctx context.Context, to io.Writer) error {
	written := chosen(e.dictionary, e.variables)
	variables := make([]sav.Variable, len(written))
	for i := range written {
		variables[i] = savVariable(&written[i])
	}
	w, err := sav.NewWriter(to, variables, "Verbatim", cut(oneLine(e.study.Title), 60), e.at)
	if err != nil {
		return err
	}
	row := make([]sav.Cell, len(variables))
	err = e.eachRecord(ctx, func(r *record) error {
		for i, c := range chosen(e.dictionary, e.cells(r)) {
			row[i] = sav.Cell{Number: c.number, Text: c.text, Missing: c.state == empty}
			if written[i].kind == timestamp && c.state == filled {
				row[i].Number = sav.Time(time.Unix(int64(c.number), 0))
			}
		}
		shortened, err := w.Write(row)
		e.summary.Cut += shortened
		return err
	})
	if err != nil {
		return err
	}
	return w.Close()
}

func savVariable(v *variable) sav.Variable {
	s := sav.Variable{Name: v.name, Label: v.label(sav.MaxLabel), Nominal: v.kind == code, Time: v.kind == timestamp}
	if v.kind == text {
		s.Width = v.width
	}
	if v.decimals {
		s.Decimals = 1
	}
	values := v.values
	if v.missing {
		values = append(values[:len(values):len(values)], missingLabels...)
		s.Missing = []float64{notAsked, notAnswered, notOffered}
	}
	for _, one := range values {
		s.Values = append(s.Values, sav.Value{Number: float64(one.code), Label: cut(oneLine(one.label), sav.MaxValueLabel)})
	}
	return s
}
