package keyring

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"verbatim/internal/domain/signing"
	"verbatim/internal/platform/operation"
)

// errSecretInVariable means that the secret cannot be rotated here, because the operator set it in a variable.
var errSecretInVariable = errors.New(`the secret comes from the variable VERBATIM_SECRET, which only you can change: on every server, put a new secret before it, separated by a
comma; after an hour and a half, remove the old one. See "Secrets" in docs/self-hosting.md`)

// Rotate puts a new secret before the others, which expire after an overlap. With atOnce they expire now.
func (k *Keyring) Rotate(ctx context.Context, atOnce bool) (_ signing.Ring, err error) {
	defer operation.Wrap(&err, "keyring.Keyring.Rotate")
	rotated := func(ring signing.Ring) (signing.Ring, error) {
		if atOnce {
			return signing.NewRing(newSigningKey()), nil
		}
		from := k.now().Add(rotateDelay).UTC().Truncate(time.Second)
		return ring.Rotated(newSigningKey(), from, from.Add(rotateOverlap)), nil
	}
	file := k.source.File
	if file == "" && k.source.Variable {
		return signing.Ring{}, errSecretInVariable
	}
	if file == "" {
		file = k.sidecarFile()
	}
	if file == "" {
		return k.changeStored(ctx, rotated)
	}
	ring, err := readRing(file)
	gone := errors.Is(err, fs.ErrNotExist) && k.source.File == ""
	if gone && atOnce {
		err = nil
	} else if gone {
		err = k.missingFileError(ctx, file)
	}
	if err == nil {
		ring, err = rotated(ring)
	}
	if err == nil && atOnce { // before the file changes: running servers compare the ids when none of their secrets is left
		err = k.recordMade(ctx, ring.Keys()[0].ID())
	}
	if err == nil && gone {
		database, _ := k.store.File()
		err = createFile(file, database, fileHeader+ring.Format())
	} else if err == nil {
		if err = replaceFile(file, fileHeader+ring.Format()); err != nil {
			err = fmt.Errorf(`%w; if the program cannot write the file, change it by hand: see "Secrets" in docs/self-hosting.md`, err)
		}
	}
	if err == nil && atOnce {
		_, err = k.changeStored(ctx, func(signing.Ring) (signing.Ring, error) { return signing.Ring{}, nil })
	}
	return ring, err
}

func newSigningKey() signing.Key {
	key, err := signing.NewKey(rand.Text() + rand.Text()) // 260 bits
	if err != nil {
		panic(err) // cannot happen: the text has 52 letters and digits
	}
	return key
}
