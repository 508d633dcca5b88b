package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"

	"golang.org/x/sync/errgroup"
)

// ErrDiffers means that a copy differs from its source.
var ErrDiffers = errors.New("the copy differs from its source")

// CopiedTable reports what was copied of a table.
type CopiedTable struct {
	Name string
	Rows int64
	Hash string // SHA-256 of all rows, the same on both sides
}

// compare counts and hashes the rows of a table on both sides; ErrDiffers. If they were compared before, so that the
// target may have changed since, it only counts the source's.
func compare(ctx context.Context, source *sql.Tx, to *Store, t table, o CopyOptions, before bool) (CopiedTable, error) {
	var here, there CopiedTable
	var sides errgroup.Group
	sides.Go(func() (err error) {
		here, err = t.sum(ctx, source, o)
		return err
	})
	if !before {
		sides.Go(func() (err error) {
			there, err = t.sum(ctx, to.read, o)
			return err
		})
	}
	if err := sides.Wait(); err != nil {
		return here, fmt.Errorf("comparing table %s: %w", t.name, err)
	}
	if !before && here != there {
		return here, fmt.Errorf("%w in table %s: %d rows with the hash %s became %d with %s; if the source was written to meanwhile, start again with an empty database",
			ErrDiffers, t.name, here.Rows, here.Hash, there.Rows, there.Hash)
	}
	return here, nil
}

// sum counts and hashes the rows of a table.
func (t table) sum(ctx context.Context, q querier, o CopyOptions) (CopiedTable, error) {
	sum, done := sha256.New(), CopiedTable{Name: t.name}
	err := t.each(ctx, q, nil, o, func(row []any, _ int) error {
		done.Rows++
		for _, v := range row {
			hashValue(sum, v)
		}
		return nil
	})
	done.Hash = hex.EncodeToString(sum.Sum(nil))
	return done, err
}

// hashValue writes a value to a hash, in a form in which no two different rows are the same.
func hashValue(to hash.Hash, v any) {
	var head [9]byte
	tail := ""
	switch v := v.(type) {
	case nil:
	case bool:
		head[0] = 'f'
		if v {
			head[0] = 't'
		}
	case int64:
		head[0] = 'i'
		binary.BigEndian.PutUint64(head[1:], uint64(v))
	case float64:
		head[0] = 'd'
		binary.BigEndian.PutUint64(head[1:], math.Float64bits(v))
	case string:
		head[0], tail = 's', v
	case []byte:
		head[0], tail = 'b', string(v)
	}
	if tail != "" {
		binary.BigEndian.PutUint64(head[1:], uint64(len(tail)))
	}
	_, _ = to.Write(head[:]) // never fails
	_, _ = to.Write([]byte(tail))
}
