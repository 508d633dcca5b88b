package store

import (
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// releasedSchema is the schema version of the latest release: its programs may still run beside those of this source. A
// release sets it to store.SchemaVersion() of what was released (docs/releasing.md). Before the first release: the schema
// before versions had numbers.
const releasedSchema = 16

// contractions match statements that remove or demand something that earlier programs do not know of.
var contractions = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile(`^drop (table|view)\b`), "drops a table"},
	{regexp.MustCompile(`^alter table .* drop (column |constraint )?`), "drops a column or its default"},
	{regexp.MustCompile(`^alter table .* rename\b`), "renames"},
	{regexp.MustCompile(`^alter table .* alter (column )?\S+ (set|type|drop)\b`), "changes a column"},
	{regexp.MustCompile(`^alter table .* add (constraint|check|unique|primary|foreign)\b`), "adds a constraint"},
	{regexp.MustCompile(`^alter table .* add (column )?.*\bnot null\b`), "adds a column that rows must have"},
	{regexp.MustCompile(`^create unique index\b`), "adds a constraint"},
	{regexp.MustCompile(`^create trigger\b`), "adds a trigger"},
}

var (
	newTable  = regexp.MustCompile(`^create table (?:if not exists )?(\w+)`)
	onTable   = regexp.MustCompile(`^(?:create unique index \S+ on|create trigger .* on|alter table|drop table) (?:if exists )?(\w+)`)
	unread    = regexp.MustCompile(`^-- contracts: unread since schema (\d+)$`)
	spaces    = regexp.MustCompile(`\s+`)
	downwards = regexp.MustCompile(`(?m)^-- \+goose Down\b`)
)

// contracted returns the statements of a migration that remove or demand something without a line that says since when no
// program depends on it. A line "-- contracts: unread since schema N" before a statement says so; N must be released, and no
// greater than oldest.
func contracted(migration string, released, oldest int) (wrong []string) {
	up := migration
	if at := downwards.FindStringIndex(up); at != nil {
		up = up[:at[0]]
	}
	own := map[string]bool{} // tables that are created here: nobody reads them yet
	since, text := 0, ""
	for line := range strings.SplitSeq(up, "\n") {
		line = strings.TrimSpace(line)
		if says := unread.FindStringSubmatch(line); says != nil {
			since, _ = strconv.Atoi(says[1]) // digits
			continue
		}
		if line, _, _ = strings.Cut(line, "--"); strings.TrimSpace(line) == "" {
			continue
		}
		if text += " " + line; !strings.HasSuffix(strings.TrimSpace(line), ";") {
			continue
		}
		statement := strings.TrimSpace(spaces.ReplaceAllString(strings.ToLower(text), " "))
		text = ""
		if made := newTable.FindStringSubmatch(statement); made != nil {
			own[made[1]] = true
		}
		if on := onTable.FindStringSubmatch(statement); on == nil || !own[on[1]] {
			for _, c := range contractions {
				if !c.pattern.MatchString(statement) || c.what == "adds a column that rows must have" && strings.Contains(statement, " default ") {
					continue
				}
				switch {
				case since == 0:
					wrong = append(wrong, fmt.Sprintf("%s without saying since when that is unread: %s", c.what, statement))
				case since > released:
					wrong = append(wrong, fmt.Sprintf("%s that schema %d still reads, which is released: %s", c.what, released, statement))
				case since > oldest:
					wrong = append(wrong, fmt.Sprintf("%s that programs below schema %d need, and oldestReader admits %d: %s", c.what, since, oldest, statement))
				default:
					continue
				}
				break
			}
		}
		since = 0
	}
	return wrong
}

// TestMigrationsExpand: migrations after the latest release remove nothing that its programs read or write, so that old and
// new nodes run side by side.
func TestMigrationsExpand(t *testing.T) {
	t.Parallel()
	if oldestReader > releasedSchema {
		t.Errorf("oldestReader is %d: the latest release, of schema %d, could not run beside this", oldestReader, releasedSchema)
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		number, err := strconv.Atoi(strings.TrimPrefix(file, "migrations/")[:5])
		if err != nil {
			t.Fatal(err)
		}
		if number <= releasedSchema {
			continue
		}
		read, err := migrations.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, wrong := range contracted(string(read), releasedSchema, oldestReader) {
			t.Errorf("%s %s", file, wrong)
		}
	}
}

func TestContractionsAreFound(t *testing.T) {
	t.Parallel()
	for migration, want := range map[string]string{
		"alter table a add column b text;":                                                  "",
		"alter table a add column b bigint not null default 0;":                             "",
		"create index i on a (b);\ndrop index j;":                                           "",
		"create table n (a text not null);\nalter table n add constraint c check (a > '');": "",
		"-- +goose Down\ndrop table a;":                                                     "",
		"update a set b = 1; -- drop table a;":                                              "",

		"drop table a;": "drops a table",
		"-- +goose Up\nALTER TABLE a\n    DROP COLUMN b;": "drops a column",
		"alter table a rename column b to c;":             "renames",
		"alter table a rename to b;":                      "renames",
		"alter table a add column b text not null;":       "rows must have",
		"alter table a alter column b type bigint;":       "changes a column",
		"alter table a add constraint c check (b > 0);":   "adds a constraint",
		"create unique index i on a (b);":                 "adds a constraint",
		"create table n (a text);\ninsert into n select a from o;\ndrop table o;\nalter table n rename to o;": "drops a table",

		"-- contracts: unread since schema 16\nalter table a drop column b;":                "",
		"-- contracts: unread since schema 17\nalter table a drop column b;":                "still reads",
		"-- contracts: unread since schema 15\nselect 1;\ndrop table a;":                    "without saying",
		"-- contracts: unread since schema 16\nalter table a drop column b;\ndrop table c;": "drops a table",
	} {
		wrong := strings.Join(contracted(migration, 16, 16), "\n")
		if (wrong == "") != (want == "") || !strings.Contains(wrong, want) {
			t.Errorf("%q: %q, want %q", migration, wrong, want)
		}
	}
	if wrong := contracted("-- contracts: unread since schema 16\ndrop table a;", 16, 15); len(wrong) != 1 {
		t.Errorf("programs of schema 15 are let in, which read what is dropped: %q", wrong)
	}
}
