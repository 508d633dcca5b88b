package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Scrub makes sure that deleted data is in none of the engine's files. Call it after the commit of Purge. It waits for
// readers that still see what was there before; outage.ErrBusy. It reads the complete database, so scrub once for many
// deletions. On PostgreSQL it does nothing: VACUUM, and how long logs and backups are kept, are up to the operator.
func (s *Store) Scrub(ctx context.Context) error { return s.dialect.scrub(ctx, s) }

// errReaders means that a reader still needs the write-ahead log.
var errReaders = errors.New("store: a reader keeps the log from being emptied")

// scrub wipes remains from the pages, then writes the log back into the file and empties it.
//
// secure_delete overwrites a row where it is deleted. But when SQLite balances its trees, it moves rows from page to page and
// leaves their bytes in the unused middle of the old page (rebuildPage in SQLite's btree.c), where they outlive the row.
func (sqliteDialect) scrub(ctx context.Context, s *Store) error {
	dirty, err := dirtyPages(ctx, s.read)
	if err != nil {
		return fmt.Errorf("looking for rests of deleted rows: %w", err)
	}
	for some := range slices.Chunk(dirty, 64) { // so that others can write in between
		if err := s.Write(ctx, func(tx *Tx) error { return tx.wipePages(ctx, some) }); err != nil {
			return fmt.Errorf("wiping rests of deleted rows: %w", err)
		}
	}
	timeout := time.NewTimer(s.wait)
	defer timeout.Stop()
	return s.retry(ctx, timeout.C, func(bool) error {
		var busy, pages, written int64
		err := s.group.exclusive(ctx, timeout.C, func() error {
			return s.write.QueryRowContext(ctx, `pragma wal_checkpoint(truncate)`).Scan(&busy, &pages, &written)
		})
		if err != nil {
			return err
		}
		if busy != 0 {
			return errReaders
		}
		return nil
	})
}

// maxPages limits the files that can be scrubbed to 512 GiB: see wipe.
const maxPages = 1 << 25

const selectPage = `select data from sqlite_dbpage where pgno = $1`

// dirtyPages lists the pages with remains. It reads each page with a statement of its own: a long statement would keep the
// log from being written back.
func dirtyPages(ctx context.Context, read *sql.DB) (dirty []int, err error) {
	var count int
	if err := read.QueryRowContext(ctx, `pragma page_count`).Scan(&count); err != nil {
		return nil, err
	}
	if count >= maxPages {
		return nil, fmt.Errorf("a file of %d pages is too large", count)
	}
	statement, err := read.PrepareContext(ctx, selectPage)
	if err != nil {
		return nil, err
	}
	defer statement.Close()
	for number := 1; number <= count; number++ {
		var page []byte
		if err := statement.QueryRowContext(ctx, number).Scan(&page); err != nil {
			return nil, err
		}
		if wipe(number, page) {
			dirty = append(dirty, number)
		}
	}
	return dirty, nil
}

// wipePages removes the remains from pages, as they are now.
func (tx *Tx) wipePages(ctx context.Context, numbers []int) error {
	for _, number := range numbers {
		var page []byte
		err := tx.q.QueryRowContext(ctx, selectPage, number).Scan(&page)
		if err != nil {
			return err
		}
		if !wipe(number, page) {
			continue
		}
		if _, err := tx.exec(ctx, `update sqlite_dbpage set data = $1 where pgno = $2`, page, number); err != nil {
			return err
		}
	}
	return nil
}

// wipe overwrites the unused middle of a page of a tree, between its list of cells and the first cell, and reports whether
// something was there. Pages of other kinds are left alone: they begin with the number of another page, whose first byte is
// less than 2 in a file of fewer than maxPages. See "B-tree Pages" in the description of the SQLite file format.
func wipe(number int, page []byte) (changed bool) {
	const (
		interiorIndex, interiorTable = 0x02, 0x05
		leafIndex, leafTable         = 0x0a, 0x0d
		fileHeader                   = 100
	)
	header := 0
	if number == 1 {
		header = fileHeader
	}
	list := header + 8
	switch page[header] {
	case leafIndex, leafTable:
	case interiorIndex, interiorTable:
		list += 4
	default:
		return false
	}
	begin := list + 2*int(binary.BigEndian.Uint16(page[header+3:]))
	end := int(binary.BigEndian.Uint16(page[header+5:]))
	if begin > end || end > len(page) {
		return false
	}
	middle := page[begin:end]
	changed = slices.ContainsFunc(middle, func(b byte) bool { return b != 0 })
	clear(middle)
	return changed
}
