package main

import (
	"fmt"
	"strings"
)

// printField prints the field that --field names, one line for each row, so that a shell can use it directly.
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
			return usageError(fmt.Sprintf("--field %s: there is no such field%s; the fields are %s", c.Field, didYouMean(c.Field, names), strings.Join(names, ", ")))
		}
	}
	return nil
}

// fieldText is like cell, but returns an empty text for a missing value.
func fieldText(v any) string {
	if text := cell(v); text != "-" {
		return text
	}
	return ""
}

// checkFieldPrinted returns an error if --field was given to a command that does not print fields.
func (c *Common) checkFieldPrinted() error {
	if c.Field != "" && !c.printedField {
		return usageError("--field: this command prints no fields; see what it prints with --json")
	}
	return nil
}
