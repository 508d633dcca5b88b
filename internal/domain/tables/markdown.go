package tables

import (
	"fmt"
	"strings"

	"verbatim/internal/domain/plaintext"
)

// Markdown returns the report for reading: headings, sentences, warnings, then the tables.
func (r *Report) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nBy %s, version %s, where no other source is named.\n", plain(r.Title), plain(r.Source.Provider), plain(r.Source.Version))
	for _, s := range r.Sections {
		if s.Number > 0 {
			fmt.Fprintf(&b, "\n## Q%d: %s\n", s.Number, plain(s.Heading))
		} else {
			fmt.Fprintf(&b, "\n## %s\n", plain(s.Heading))
		}
		for i, sentence := range s.Sentences {
			if i == 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "- %s\n", plain(sentence.Text))
		}
		for i, warning := range s.Warnings {
			if i == 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "- **Note:** %s\n", plain(warning.Text))
		}
		for _, t := range s.Tables {
			if t.Stream == nil {
				t.markdown(&b, r.Source)
			}
		}
	}
	return []byte(b.String())
}

func (t *Table) markdown(b *strings.Builder, source Source) {
	fmt.Fprintf(b, "\n### %s\n\n", plain(t.Title))
	if len(t.Rows) == 0 {
		b.WriteString("Nothing.\n")
		return
	}
	line := func(cell func(column int) string) {
		for i := range t.Columns {
			b.WriteString("| " + cell(i) + " ")
		}
		b.WriteString("|\n")
	}
	line(func(i int) string { return plain(t.Columns[i].Head) })
	line(func(i int) string {
		if t.numeric(i) {
			return "---:"
		}
		return "---"
	})
	for _, row := range t.Rows {
		line(func(i int) string { return plain(row[i].text) })
	}
	if t.Source != source {
		by := plain(t.Source.Provider)
		if t.Source.Model != "" {
			by += ", model " + plain(t.Source.Model)
		}
		fmt.Fprintf(b, "\nBy %s, version %s.\n", by, plain(t.Source.Version))
	}
}

// numeric reports whether a column holds only numbers.
func (t *Table) numeric(column int) bool {
	found := false
	for _, row := range t.Rows {
		if c := row[column]; c.number || c.probability {
			found = true
		} else if c.text != "" {
			return false
		}
	}
	return found
}

// plain escapes text for Markdown, so that it is shown as it is, on one line.
func plain(text string) string { return escape.Replace(plaintext.Line(oneLine(text))) }

var escape = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "!", `\!`,
	"://", "&#58;//", "www.", "www&#46;", "WWW.", "WWW&#46;") // these would become links
