// Package operation records in an error which operation of a service met it, so that the log says what was being done when something
// unexpected happened. Every exported function of a service that takes a context does so; test/architecture/operations_test.go holds them to it.
package operation

import (
	"errors"
	"log/slog"
	"strings"
)

// Error is an error and the operation that met it. Its text is the error's own, because commands and jobs show the text of errors that
// their callers expect; a log shows the operations before it.
type Error struct {
	Name string // as "fieldwork.Answer"; never a value of an argument, which may be personal
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// LogValue implements slog.LogValuer: the operations from the outermost to the innermost, and the error.
func (e *Error) LogValue() slog.Value {
	var text strings.Builder
	var err error = e
	for {
		in, ok := errors.AsType[*Error](err)
		if !ok {
			break
		}
		text.WriteString(in.Name + ": ")
		err = in.Err
	}
	return slog.StringValue(text.String() + e.Error())
}

// Wrap records the operation in *err, if there is an error. A function defers it with its own name and its named result:
//
//	defer operation.Wrap(&err, "fieldwork.Answer")
func Wrap(err *error, name string) {
	if *err != nil {
		*err = &Error{name, *err}
	}
}
