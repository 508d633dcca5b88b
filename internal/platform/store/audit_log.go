package store

import (
	"context"
	"encoding/json"
	"fmt"

	"verbatim/internal/domain/org"
)

// Audit adds an entry to the audit log of its organization, in the transaction of what it tells. The store sets its number, time and
// hash.
func (tx *Tx) Audit(ctx context.Context, e org.AuditEntry) error {
	detail, err := json.Marshal(e.Detail)
	if err != nil {
		return err
	}
	if e.Detail == nil {
		detail = []byte("{}")
	}
	// The head is locked by this statement until the transaction ends, so entries get their numbers one after the other.
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
	if _, err := tx.exec(ctx, `insert into audit_entry (org_id, seq, at, user_id, action, subject, detail, hash)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`, e.OrgID, e.Seq, micros(e.At), e.UserID, e.Action, e.Subject, string(detail), e.Hash); err != nil {
		return err
	}
	_, err = tx.exec(ctx, `update audit_head set hash = $1 where org_id = $2`, e.Hash, e.OrgID)
	return err
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

// AuditLog lists entries of an organization's audit log, newest first: those before a number, or from the end where it is 0.
func (v *View) AuditLog(ctx context.Context, orgID string, before, limit int) ([]org.NamedAuditEntry, error) {
	return collect(ctx, v, func(r scanner) (e org.NamedAuditEntry, err error) {
		e.AuditEntry, err = scanAudit(r, nullText{&e.UserName})
		return e, err
	}, selectAudit+`, case when p.name = '' then p.email else p.name end
		from audit_entry a
		left join person p on p.id = a.user_id
		where a.org_id = $1 and (cast($2 as bigint) = 0 or a.seq < $2)
		order by a.seq desc
		limit cast($3 as bigint)`, orgID, before, limit)
}

// AuditAuditLogs checks that no audit log lacks an entry, and that none was changed.
func (v *View) AuditAuditLogs(ctx context.Context) (violations []string, err error) {
	type head struct {
		orgID, hash string
		seq         int
	}
	heads, err := collect(ctx, v, func(r scanner) (h head, err error) { return h, r.Scan(&h.orgID, &h.seq, &h.hash) },
		`select org_id, seq, hash from audit_head order by org_id`)
	if err != nil {
		return nil, err
	}
	const batch = 1000
	for _, h := range heads {
		var chain org.AuditChain
		for after := 0; after < h.seq; {
			page, err := collect(ctx, v, func(r scanner) (org.AuditEntry, error) { return scanAudit(r) }, selectAudit+`
				from audit_entry a
				where a.org_id = $1 and a.seq > $2 and a.seq <= $3
				order by a.seq
				limit cast($4 as bigint)`, h.orgID, after, h.seq, batch)
			if err != nil {
				return nil, err
			}
			for _, e := range page {
				chain.Add(e)
				after = e.Seq
			}
			if len(page) < batch {
				break
			}
		}
		chain.End(h.orgID, h.seq, h.hash)
		violations = append(violations, chain.Violations...)
	}
	return violations, nil
}
