package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"verbatim/internal/domain/org"
	"verbatim/internal/domain/response"
	"verbatim/internal/domain/study"
	"verbatim/internal/domain/wallet"
	"verbatim/internal/domain/webhook"
)

// notFoundErrors lists the errors of things that were not found, with the arguments and flags that name them and the command that lists
// them.
var notFoundErrors = []struct {
	err   error
	by    []string
	lists string
}{
	{study.ErrNotFound, []string{"link", "study"}, "list them by: verbatim study list"},
	{wallet.ErrNotFound, []string{"wallet"}, "list them by: verbatim wallet list"},
	{response.ErrNotFound, []string{"response"}, "give its id, from: verbatim response list LINK --json"},
	{org.ErrNotFound, []string{"org"}, "list them by: verbatim org list"},
	{org.ErrNoUser, []string{"user"}, "list them by: verbatim user list --org ID"},
	{response.ErrNoDeletion, []string{"id"}, "list them by: verbatim deletion list"},
	{webhook.ErrNotFound, []string{"webhook"}, "list them by: verbatim webhook list --org ID"},
	{org.ErrNoKey, []string{"key"}, "list them by: verbatim key list --org ID"},
}

// maxShownKey limits the characters that are printed of a key that was not found, because the rest may be a secret.
const maxShownKey = 12

// explainNotFound adds to the error of something that was not found the name that was given, and the command that lists the names.
func explainNotFound(err error, command *kong.Node) error {
	if command == nil {
		return err
	}
	values := slices.Clone(command.Positional)
	for _, flag := range command.Flags {
		values = append(values, flag.Value)
	}
	for _, thing := range notFoundErrors {
		if !errors.Is(err, thing.err) {
			continue
		}
		for _, value := range values {
			given, is := value.Target.Interface().(string)
			if !is || given == "" || !slices.Contains(thing.by, value.Name) {
				continue
			}
			if text := []rune(given); !study.IsUUID(given) && len(text) > maxShownKey && errors.Is(err, org.ErrNoKey) {
				given = string(text[:maxShownKey]) + "…"
			}
			return fmt.Errorf("%w: %q; %s", err, given, thing.lists)
		}
	}
	return err
}
