package tables

import (
	"encoding/json"
	"fmt"
)

// FindFile returns a table of a report that Report.JSON encoded, as a file. It finds no table without rows, since the JSON does not hold
// those of the longest tables.
func FindFile(report []byte, section, table string) (f File, found bool, err error) {
	var r struct {
		Sections []struct {
			Key    string
			Number int
			Tables []struct {
				Key     string
				Columns []Column
				Rows    []map[string]json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(report, &r); err != nil {
		return File{}, false, err
	}
	for _, s := range r.Sections {
		for _, t := range s.Tables {
			if s.Key != section || t.Key != table || len(t.Rows) == 0 {
				continue
			}
			made := &Table{Key: t.Key, Columns: t.Columns}
			for _, row := range t.Rows {
				cells := make([]Cell, len(t.Columns))
				for i, c := range t.Columns {
					if cells[i], err = decodeCell(row[c.Key]); err != nil {
						return File{}, false, err
					}
				}
				made.Rows = append(made.Rows, cells)
			}
			return File{fmt.Sprintf("%s.csv", fileName(Section{Key: s.Key, Number: s.Number}, made)), made}, true, nil
		}
	}
	return File{}, false, nil
}

// decodeCell reads what Cell.MarshalJSON wrote.
func decodeCell(raw json.RawMessage) (Cell, error) {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return None, nil
	case raw[0] != '"':
		return Cell{text: string(raw), number: true}, nil
	}
	var text string
	err := json.Unmarshal(raw, &text)
	return Cell{text: text}, err
}
