package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/domain/strictjson"
)

// insertRows inserts rows into a table.
func (tx *Tx) insertRows(ctx context.Context, t table, rows [][]any) error {
	var statement strings.Builder
	statement.WriteString(`insert into ` + quoted(t.name) + ` (` + t.columnList() + `) values `)
	args := make([]any, 0, len(rows)*len(t.columns))
	for i, row := range rows {
		if i > 0 {
			statement.WriteString(", ")
		}
		statement.WriteString(tx.d.placeholders(len(args)+1, len(row)))
		args = append(args, row...)
	}
	_, err := tx.q.ExecContext(ctx, statement.String(), args...)
	return err
}

// each calls fn with every row after a key, in the order of the keys, and with its approximate size in bytes.
func (t table) each(ctx context.Context, q querier, after []any, o CopyOptions, fn func(row []any, size int) error) error {
	key := make([]string, len(t.key))
	for i, name := range t.key {
		key[i] = quoted(name)
	}
	query, args := `select `+t.columnList()+` from `+quoted(t.name), []any(nil)
	if len(after) > 0 {
		places := make([]string, len(after))
		for i := range after {
			places[i] = "$" + strconv.Itoa(i+1)
		}
		query += ` where (` + strings.Join(key, ", ") + `) > (` + strings.Join(places, ", ") + `)`
		var err error
		if args, err = t.decodeKey(after); err != nil {
			return err
		}
	}
	rows, err := q.QueryContext(ctx, query+` order by `+strings.Join(key, ", "), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row := make([]any, len(t.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		size := 0
		for i, c := range t.columns {
			if row[i], err = c.kind.value(row[i]); err != nil {
				return fmt.Errorf("column %s: %w", c.name, err)
			}
			size += 8
			switch v := row[i].(type) {
			case string:
				size += len(v)
			case []byte:
				size += len(v)
			}
		}
		if t.leftOut(row, o) {
			continue
		}
		if err := fn(row, size); err != nil {
			return err
		}
	}
	return rows.Err()
}

// leftOut reports whether a row is not copied: a setting that is to be left out, that of the copy itself, or what the program
// notes of the schema.
func (t table) leftOut(row []any, o CopyOptions) bool {
	if t.name != "setting" {
		return false
	}
	name, _ := row[t.columnIndex("name")].(string)
	return name == unfinishedCopySetting || name == oldestReaderSetting || slices.Contains(o.LeaveOut, name)
}

func (t table) columnIndex(name string) int {
	return slices.IndexFunc(t.columns, func(c column) bool { return c.name == name })
}

func (t table) keyOf(row []any) []any {
	key := make([]any, len(t.key))
	for i, name := range t.key {
		key[i] = row[t.columnIndex(name)]
	}
	return key
}

// decodeKey decodes a key that was stored as JSON.
func (t table) decodeKey(stored []any) ([]any, error) {
	if len(stored) != len(t.key) {
		return nil, fmt.Errorf("the key of table %s has %d columns, not %d", t.name, len(t.key), len(stored))
	}
	key := slices.Clone(stored)
	for i := range key {
		if n, ok := key[i].(json.Number); ok {
			var err error
			if key[i], err = n.Int64(); err != nil {
				return nil, err
			}
		}
	}
	return key, nil
}

// columnList returns the columns of a table as a statement lists them.
func (t table) columnList() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = quoted(c.name)
	}
	return strings.Join(names, ", ")
}

// quoted returns a name of the schema as a statement quotes it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// value converts a value that an engine returned to the form that both store.
func (k kind) value(v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case bool:
		if k == kindBool {
			return v, nil
		}
	case int64:
		switch k {
		case kindInt:
			return v, nil
		case kindBool:
			return v != 0, nil
		case kindFloat:
			return float64(v), nil
		}
	case float64:
		if k == kindFloat {
			return v, nil
		}
	case string:
		if k == kindText {
			return strictjson.CleanText(v), nil // PostgreSQL may refuse what early versions stored
		}
	case []byte:
		switch k {
		case kindText:
			return strictjson.CleanText(string(v)), nil
		case kindBytes:
			return slices.Clone(v), nil
		}
	}
	return nil, fmt.Errorf("a value of type %T cannot be stored as %s", v, k)
}
