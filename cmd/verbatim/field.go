package main

import (
	"fmt"
	"strings"
)

// printField prints the field that --field names, a line for each row, so that a shell can take it over as it is.
func (c *Common) printField(rows ...row) error {
	c.printedField = true
	for _, r := range rows {
		var names []string
		found := false
		for _, f := range r {
			names = append(names, f.name)
			if f.name == c.Field {
				found = true
				c.stdout.printf("%s\n", fieldText(f.value))
			}
		}
		if !found {
			return usageError(fmt.Sprintf("--field %s: there is no such field%s; there are %s", c.Field, didYouMean(c.Field, names), strings.Join(names, ", ")))
		}
	}
	return nil
}

// plainCell is cell for programs: nothing stands for what is not there.
func fieldText(v any) string {
	if text := cell(v); text != "-" {
		return text
	}
	return ""
}

// fieldPrinted returns an error where --field was given to a command that does not print fields.
func (c *Common) checkFieldPrinted() error {
	if c.Field != "" && !c.printedField {
		return usageError("--field: this command prints no fields; see what it prints with --json")
	}
	return nil
}
