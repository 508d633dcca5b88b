package maintenance

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"

	"verbatim/internal/domain/document"
	"verbatim/internal/domain/response"
	"verbatim/internal/platform/blob"
	"verbatim/internal/platform/operation"
	"verbatim/internal/platform/store"
)

// Finding is the result of one check of an installation.
type Finding struct {
	Check      string
	Violations []string // empty if all is well
	Remedy     string   // what the operator should do about it
	Advice     bool     // nothing is wrong: Violations say what could be better
}

// Wrong reports whether something is wrong.
func (f Finding) Wrong() bool { return len(f.Violations) > 0 && !f.Advice }

// Unchecked returns the finding for a check that could not be made.
func Unchecked(check string, err error) Finding {
	f := Finding{Check: check, Violations: []string{"could not be checked: " + err.Error()}, Remedy: "fix the cause given in the message, and run verbatim doctor again"}
	if store.Damaged(err) {
		f.Remedy = fixDamaged
	}
	return f
}

// fixDamaged is the advice for a SQLite file with pages that cannot be read.
const fixDamaged = "stop the server, keep a copy of the database's files, and restore a backup; if there is none: sqlite3 verbatim.db .recover | sqlite3 new.db, " +
	"put new.db in its place, and run verbatim rebuild and verbatim doctor"

// sampleSize is the number of responses that are encoded again unless all of them are to be checked.
const sampleSize = 1000

// Doctor checks a database and its objects against each other, and changes nothing. Where the schema is not this program's, it
// leaves out the other checks.
type Doctor struct {
	Store   *store.Store
	Objects blob.Store // nil if there are none
	// Expected yields the names of the objects that the rows of responses name, except for responses that are being deleted. It
	// is nil if no row names any.
	Expected func(ctx context.Context) iter.Seq2[string, error]
	All      bool // encode every response again, not a sample
}

const (
	fixRebuild    = "verbatim rebuild"
	fixTombstones = "verbatim restore --tombstones-only"

	fixServe    = "make sure that verbatim serve is running: it does the queued work"
	fixOrphans  = "verbatim restore --tombstones-only removes those of deleted responses; if the database is older than the objects, restore a newer one; otherwise remove the folders responses/ID from the objects"
	fixStrays   = "remove them: nothing reads them, and they are removed with their responses at the latest"
	fixMissing  = "copy them back from a backup of the objects"
	fixAuditLog = "somebody changed the audit log in the database, or a backup was restored in part: compare it with an earlier backup"
	fixValues   = "if a newer program has used this database, go on with that one; otherwise restore a backup, and report this as a bug"
	fixReport   = "restore a backup, and report this as a bug: the program itself should never cause it"
)

// Examine runs every check, in the order in which to fix what they find. A check that cannot be made, for example because a page
// of the database is damaged, is a finding like any other, and the next checks are made. An error means that ctx ended.
func (d *Doctor) Examine(ctx context.Context) (_ []Finding, err error) {
	defer operation.Wrap(&err, "maintenance.Doctor.Examine")
	schema, err := d.schema(ctx)
	if err != nil {
		return []Finding{Unchecked("schema", err)}, ctx.Err()
	}
	if schema.Wrong() {
		return []Finding{schema}, nil
	}
	if err := d.Store.CheckFinished(ctx); errors.Is(err, store.ErrUnfinished) {
		// The other checks would find everything wrong, and their advice would be wrong, too.
		unfinished := Finding{Check: "move", Violations: []string{"it holds a part of another database"}, Remedy: "run the same verbatim move or restore again, which goes on where it stopped"}
		return []Finding{schema, unfinished}, ctx.Err()
	}
	view := d.Store.View()
	findings := []Finding{schema}
	for _, check := range []struct {
		name, fix string
		run       func(context.Context) ([]string, error)
	}{
		{"database", fixDamaged, d.Store.AuditEngine},
		{"values", fixValues, view.AuditEnums},
		{"ledger", fixReport, view.AuditLedger},
		{"documents", fixRebuild, d.documents},
		{"contents", fixRebuild, d.contents},
		{"counts", fixRebuild, d.counts},
		{"search", fixRebuild, view.AuditSearch},
		{"erasure", fixReport, view.AuditErased},
		{"audit log", fixAuditLog, view.AuditAuditLogs},
		{"tombstones", fixTombstones, d.tombstones},
		{"orphan objects", fixOrphans, d.orphans},
		{"missing objects", fixMissing, d.missing},
		{"jobs", fixServe + "; a discarded job says why", view.AuditJobs},
	} {
		violations, err := check.run(ctx)
		if ctx.Err() != nil {
			return findings, ctx.Err()
		}
		if len(violations) > 0 || err == nil {
			findings = append(findings, Finding{Check: check.name, Violations: violations, Remedy: check.fix})
		}
		if err != nil {
			findings = append(findings, Unchecked(check.name, err))
		}
	}
	strays, err := d.strays(ctx)
	if ctx.Err() != nil {
		return findings, ctx.Err()
	}
	if err != nil {
		findings = append(findings, Unchecked("stray objects", err))
	} else {
		findings = append(findings, Finding{Check: "stray objects", Violations: strays, Remedy: fixStrays, Advice: true})
	}
	failed, slow, err := view.AuditDeletions(ctx)
	if err != nil {
		return append(findings, Unchecked("deletions", err)), ctx.Err()
	}
	deletions := Finding{Check: "deletions", Violations: append(failed, slow...), Remedy: fixServe}
	if len(failed) > 0 {
		deletions.Remedy = "verbatim deletion retry ID"
	}
	return append(findings, deletions), nil
}

func (d *Doctor) schema(ctx context.Context) (Finding, error) {
	f := Finding{Check: "schema", Remedy: "verbatim migrate"}
	has, brings, err := d.Store.SchemaVersions(ctx)
	if err != nil {
		return f, fmt.Errorf("checking the schema: %w", err)
	}
	_, err = d.Store.CheckSchema(ctx)
	switch {
	case err != nil && !errors.Is(err, store.ErrNewerSchema):
		return f, fmt.Errorf("checking the schema: %w", err)
	case has > brings:
		f.Advice = err == nil // old and new servers may run side by side
		f.Violations, f.Remedy = []string{fmt.Sprintf("the database is at version %d, this program knows %d", has, brings)}, "use the newer program"
	case has < brings:
		f.Violations = []string{fmt.Sprintf("the database is at version %d of %d", has, brings)}
	}
	return f, nil
}

// documents checks that every response has documents of this version, and that nothing else has any.
func (d *Doctor) documents(ctx context.Context) ([]string, error) {
	view := d.Store.View()
	violations, err := view.AuditItems(ctx)
	if err != nil {
		return nil, err
	}
	outdated, err := view.OutdatedItems(ctx, document.Version)
	if outdated {
		violations = append(violations, fmt.Sprintf("there are documents of another version than %d", document.Version))
	}
	return violations, err
}

// contents encodes responses again, reads their search entries, and returns where the stored ones differ. The sample is the first
// of every run of responses, spread over all of them.
func (d *Doctor) contents(ctx context.Context) (violations []string, err error) {
	view := d.Store.View()
	total, err := view.CountResponses(ctx)
	if err != nil {
		return nil, err
	}
	every := 1
	if !d.All {
		every = max(1, total/sampleSize)
	}
	enc := &encoder{view: view}
	for after := ""; len(violations) < 20; {
		batch, err := view.ResponsesAfter(ctx, after, max(batchSize, every))
		if err != nil || len(batch) == 0 {
			return violations, err
		}
		after = batch[len(batch)-1].ID
		for i := 0; i < len(batch); i += every {
			violation, err := d.compare(ctx, enc, batch[i])
			if err != nil {
				return violations, err
			}
			if violation != "" {
				violations = append(violations, violation)
			}
		}
	}
	return violations, nil
}

// compare returns what is wrong with one response, or "". A response that changes during the comparison is compared again.
func (d *Doctor) compare(ctx context.Context, enc *encoder, r response.Response) (string, error) {
	for {
		want, encodeErr := enc.item(ctx, r)
		have, err := enc.view.ItemByResponse(ctx, r.StudyID, r.ID)
		if err != nil && !errors.Is(err, response.ErrNotFound) {
			return "", err
		}
		found, searchErr := enc.view.SearchEntries(ctx, r.ID)
		now, readErr := enc.view.AnyResponse(ctx, r.ID)
		switch {
		case errors.Is(readErr, response.ErrNotFound), errors.Is(err, response.ErrNotFound): // AuditItems reports those without documents
			return "", nil
		case readErr != nil:
			return "", readErr
		case searchErr != nil:
			return "", searchErr
		case !sameState(r, now):
			r = now
		case encodeErr != nil && ctx.Err() != nil:
			return "", ctx.Err()
		case encodeErr != nil:
			return encodeErr.Error(), nil
		case !sameItem(have, want):
			return "the documents of response " + r.ID + " do not say what its rows say", nil
		case !maps.Equal(found, r.VisibleParams()):
			return "the search entries of response " + r.ID + " are not its parameters", nil
		default:
			return "", nil
		}
	}
}

func (d *Doctor) counts(ctx context.Context) ([]string, error) {
	view := d.Store.View()
	violations, err := view.AuditCounts(ctx)
	if err != nil {
		return nil, err
	}
	studies, err := view.AllStudyIDs(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range studies {
		n, err := view.MiscountedRuns(ctx, id)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			violations = append(violations, fmt.Sprintf("%d counts of the items of study %s are wrong", n, id))
		}
	}
	return violations, nil
}
