package exporting

import (
	"fmt"
	"slices"
	"strings"
)

// UnknownVariableError is an error of Options.Without: the study has no variable of that name.
type UnknownVariableError struct {
	Name string
}

func (e *UnknownVariableError) Error() string {
	return fmt.Sprintf("the study has no variable %q to leave out: the codebook lists them", e.Name)
}

// leaveOut notes which variables are written. It fails with *UnknownVariableError.
func (d *dictionary) leaveOut(names []string) error {
	for _, name := range names {
		if !d.taken[strings.ToLower(name)] {
			return &UnknownVariableError{name}
		}
	}
	for i := range d.variables {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, d.variables[i].name) }) {
			d.written = append(d.written, i)
		}
	}
	return nil
}

// chosen returns those of a list with one entry for each variable that are written.
func chosen[T any](d *dictionary, all []T) []T {
	if len(d.written) == len(all) {
		return all
	}
	some := make([]T, 0, len(d.written))
	for _, i := range d.written {
		some = append(some, all[i])
	}
	return some
}
