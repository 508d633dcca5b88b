package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// kind is the type of a column's values; both engines have these kinds.
type kind string

const (
	kindText  kind = "text"
	kindInt   kind = "bigint"
	kindBool  kind = "boolean"
	kindFloat kind = "double precision"
	kindBytes kind = "bytes"
)

// kinds maps the engines' names of types to kinds.
var kinds = map[string]kind{
	"text": kindText, "bigint": kindInt, "integer": kindInt, "smallint": kindInt, "boolean": kindBool,
	"double precision": kindFloat, "real": kindFloat, "bytea": kindBytes, "blob": kindBytes,
}

type column struct {
	name string
	kind kind
}

// table describes a table for a copy.
type table struct {
	name    string
	columns []column // in the order of their names
	key     []string // the columns of the primary key, in its order
	parents []string // the tables that its foreign keys name
}

// transient reports whether a table is not copied: goose's own, that of the servers that run now, the index of passages,
// which is made again from the documents, previews, which nobody needs after a day, who has a guide open, and what lets people in: a backup must not bring
// back sessions that were ended or one-time links that were used, nor the mails that bring such links.
func transient(table string) bool {
	return table == "goose_db_version" || table == "node" || table == "passage" || strings.HasPrefix(table, "passage_") ||
		table == "preview" || table == "guide_presence" || table == "web_session" || table == "one_time_token" || table == "mail" || table == "used_challenge"
}

// tables returns the tables to copy, each after those that its foreign keys name.
func (s *Store) tables(ctx context.Context) ([]table, error) {
	type entry struct{ table, column, kind, parent string }
	entries, err := collect(ctx, &View{q: s.read}, func(r scanner) (e entry, err error) {
		var place int
		return e, r.Scan(&e.table, &e.column, &e.kind, &e.parent, &place)
	}, s.dialect.catalog())
	if err != nil {
		return nil, err
	}
	// By table: its columns with their kinds; its key, in order, with the kind "key"; its parents with the kind "parent".
	found := map[string]*table{}
	for _, e := range entries {
		if transient(e.table) {
			continue
		}
		t := found[e.table]
		if t == nil {
			t = &table{name: e.table}
			found[e.table] = t
		}
		switch e.kind {
		case "key":
			t.key = append(t.key, e.column)
		case "parent":
			if e.parent != t.name {
				t.parents = append(t.parents, e.parent)
			}
		default:
			k, known := kinds[strings.ToLower(e.kind)]
			if !known {
				return nil, fmt.Errorf("the column %s of table %s has the unknown type %s", e.column, e.table, e.kind)
			}
			t.columns = append(t.columns, column{e.column, k})
		}
	}
	return sortByParents(found)
}

// sortByParents sorts tables by name, but each after its parents.
func sortByParents(found map[string]*table) (all []table, err error) {
	var names []string
	for name, t := range found {
		if len(t.key) == 0 {
			return nil, fmt.Errorf("table %s has no primary key", name)
		}
		slices.SortFunc(t.columns, func(a, b column) int { return strings.Compare(a.name, b.name) })
		names = append(names, name)
	}
	slices.Sort(names)
	placed := map[string]bool{}
	for len(all) < len(names) {
		before := len(all)
		for _, name := range names {
			if placed[name] || slices.ContainsFunc(found[name].parents, func(p string) bool { return !placed[p] }) {
				continue
			}
			placed[name] = true
			all = append(all, *found[name])
		}
		if len(all) == before {
			return nil, errors.New("the foreign keys of the tables form a cycle")
		}
	}
	return all, nil
}

// catalog implements dialect. It selects the table, the column, its type or "key" or "parent", and the parent.
func (sqliteDialect) catalog() string {
	return `select m.name, c.name, lower(c.type), '', 0 as place
		from sqlite_schema m, pragma_table_info(m.name) c
		where m.type = 'table' and m.name not like 'sqlite!_%' escape '!'
		union all select m.name, c.name, 'key', '', c.pk
		from sqlite_schema m, pragma_table_info(m.name) c
		where m.type = 'table' and m.name not like 'sqlite!_%' escape '!' and c.pk > 0
		union all select m.name, f."from", 'parent', f."table", 0
		from sqlite_schema m, pragma_foreign_key_list(m.name) f
		where m.type = 'table'
		order by 1, 3, 5`
}

func (postgresDialect) catalog() string {
	const ours = `c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`
	return `select c.relname::text, a.attname::text, format_type(a.atttypid, null), '', 0 as place
		from pg_class c
		join pg_attribute a on a.attrelid = c.oid
		where ` + ours + ` and a.attnum > 0 and not a.attisdropped
		union all select c.relname::text, a.attname::text, 'key', '', k.place
		from pg_class c
		join pg_index i on i.indrelid = c.oid and i.indisprimary
		cross join unnest(i.indkey::smallint[]) with ordinality as k (attnum, place)
		join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
		where ` + ours + `
		union all select c.relname::text, '', 'parent', p.relname::text, 0
		from pg_constraint f
		join pg_class c on c.oid = f.conrelid
		join pg_class p on p.oid = f.confrelid
		where f.contype = 'f' and f.conparentid = 0 and ` + ours + `
		order by 1, 3, 5`
}
