package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"verbatim/internal/domain/org"
)

// Audit adds an entry to the audit log of its organization, in the transaction of what it tells. It is written as the last thing of the
// transaction, which sets its number, time and hash.
func (tx *Tx) Audit(_ context.Context, e org.AuditEntry) error {
	tx.audited = append(tx.audited, e)
	return nil
}

// writeAudit writes the entries of Audit. Writers to the log of an organization wait for each other from here to the end of the transaction,
// which is the next thing to come: one round trip and a commit. The logs are locked in the order of their organizations.
func (tx *Tx) writeAudit(ctx context.Context) error {
	slices.SortStableFunc(tx.audited, func(a, b org.AuditEntry) int { return cmp.Compare(a.OrgID, b.OrgID) })
	for _, e := range tx.audited {
		if err := tx.appendAudit(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) appendAudit(ctx context.Context, e org.AuditEntry) error {
	if e.Detail == nil {
		e.Detail = map[string]string{}
	}
	detail, err := json.Marshal(e.Detail)
	if err != nil {
		return err
	}
	var before string
	err = tx.q.QueryRowContext(ctx, `insert into audit_head (org_id, seq, hash)
		values ($1, 1, '')
		on conflict (org_id) do update set seq = audit_head.seq + 1
		returning seq, hash`, e.OrgID).Scan(&e.Seq, &before)
	if err != nil {
		return fmt.Errorf("audit log: %w", err)
	}
	e.At = tx.at
	e.Hash = e.ChainHash(before)
	if err := tx.run(ctx, `insert into audit_entry (org_id, seq, at, user_id, action, subject, detail, hash)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`, e.OrgID, e.Seq, micros(e.At), e.UserID, e.Action, e.Subject, string(detail), e.Hash); err != nil {
		return err
	}
	return tx.run(ctx, `update audit_head set hash = $1 where org_id = $2`, e.Hash, e.OrgID)
}

const selectAudit = `select a.org_id, a.seq, a.at, a.user_id, a.action, a.subject, a.detail, a.hash`

func scanAudit(r scanner, more ...any) (e org.AuditEntry, err error) {
	var detail []byte
	dest := []any{&e.OrgID, &e.Seq, nullTime{&e.At}, &e.UserID, &e.Action, &e.Subject, &detail, &e.Hash}
	if err := r.Scan(append(dest, more...)...); err != nil {
		return e, err
	}
	return e, json.Unmarshal(detail, &e.Detail)
}

// AuditLog lists entries of an organization's audit log that pass a filter, newest first: those before a number, or from the end where it is 0.
func (v *View) AuditLog(ctx context.Context, orgID string, f org.AuditFilter, before, limit int) ([]org.NamedAuditEntry, error) {
	where, args := `a.org_id = $1 and (cast($2 as bigint) = 0 or a.seq < $2)`, []any{orgID, before, limit}
	also := func(condition string, value any) {
		args = append(args, value)
		where += fmt.Sprintf(" and "+condition, len(args))
	}
	if f.ByOperator || f.UserID != "" {
		also("a.user_id = $%d", f.UserID)
	}
	if f.Action != "" {
		also("a.action = $%d", f.Action)
	}
	if !f.Since.IsZero() {
		also("a.at >= $%d", micros(f.Since))
	}
	if !f.Until.IsZero() {
		also("a.at < $%d", micros(f.Until))
	}
	return collect(ctx, v, func(r scanner) (e org.NamedAuditEntry, err error) {
		e.AuditEntry, err = scanAudit(r, nullText{&e.UserName}, nullText{&e.SubjectName})
		return e, err
	}, selectAudit+`, case when p.name = '' then p.email else p.name end, coalesce(s.email, i.email, w.name)
		from audit_entry a
		left join person p on p.id = a.user_id
		left join person s on s.id = a.subject
		left join one_time_token i on i.id = a.subject
		left join wallet w on w.id = a.subject
		where `+where+`
		order by a.seq desc
		limit cast($3 as bigint)`, args...)
}

// AuditPeople lists who belongs to an organization, by name, for the filter of its audit log.
func (v *View) AuditPeople(ctx context.Context, orgID string) ([]org.User, error) {
	return collect(ctx, v, func(r scanner) (u org.User, err error) { return u, r.Scan(&u.ID, &u.Name) },
		`select p.id, case when p.name = '' then p.email else p.name end as shown
		from member m
		join person p on p.id = m.user_id
		where m.org_id = $1
		order by shown, p.id`, orgID)
}

// AuditAuditLogs checks that no audit log lacks an entry, and that none was changed.
func (v *View) AuditAuditLogs(ctx context.Context) (violations []string, err error) {
	all, err := v.VerifyAuditLogs(ctx, "", org.AuditMark{})
	for _, one := range all {
		violations = append(violations, one.Violations...)
	}
	return violations, err
}

// VerifyAuditLogs checks the audit log of an organization, or of each one where it is empty. known is an entry whose hash was noted earlier;
// its zero value is none.
func (v *View) VerifyAuditLogs(ctx context.Context, orgID string, known org.AuditMark) ([]org.AuditVerification, error) {
	heads, err := collect(ctx, v, func(r scanner) (h org.AuditVerification, err error) { return h, r.Scan(&h.OrgID, &h.Entries, &h.Hash) },
		`select o.id, coalesce(h.seq, 0), coalesce(h.hash, '')
		from org o
		left join audit_head h on h.org_id = o.id
		where cast($1 as text) = '' or o.id = $1
		order by o.created_at, o.id`, orgID)
	for i := range heads {
		if err = v.verifyAuditLog(ctx, &heads[i], known); err != nil {
			return nil, err
		}
	}
	return heads, err
}

func (v *View) verifyAuditLog(ctx context.Context, h *org.AuditVerification, known org.AuditMark) error {
	const batch = 1000
	chain := org.AuditChain{OrgID: h.OrgID, Known: known}
	last := h.Entries
	if last == 0 { // whoever removed the head may have left the entries
		last = batch
	}
	for after := 0; after < last; {
		page, err := collect(ctx, v, func(r scanner) (org.AuditEntry, error) { return scanAudit(r) }, selectAudit+`
			from audit_entry a
			where a.org_id = $1 and a.seq > $2 and a.seq <= $3
			order by a.seq
			limit cast($4 as bigint)`, h.OrgID, after, last, batch)
		if err != nil {
			return err
		}
		for _, e := range page {
			chain.Add(e)
			after = e.Seq
		}
		if len(page) < batch {
			break
		}
	}
	chain.End(h.Entries, h.Hash)
	h.Violations = chain.Violations
	return nil
}
