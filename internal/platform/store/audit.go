package store

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// auditLimit bounds how many violations of a kind are reported.
const auditLimit = 20

// AuditEngine makes the engine check its files: that they can be read, and that every foreign key names a row that exists. It
// finds nothing on an engine that does so by itself.
func (s *Store) AuditEngine(ctx context.Context) ([]string, error) {
	if _, ok := s.dialect.(sqliteDialect); !ok {
		return nil, nil
	}
	return s.View().integrity(ctx)
}

func (v *View) integrity(ctx context.Context) ([]string, error) {
	violations, err := v.collectTexts(ctx, fmt.Sprintf(`pragma integrity_check(%d)`, auditLimit))
	if err != nil {
		return nil, err
	}
	if len(violations) == 1 && violations[0] == "ok" {
		violations = nil
	}
	broken, err := v.collectTexts(ctx, `select 'a row of ' || "table" || ' names a row of ' || parent || ' that does not exist'
		from pragma_foreign_key_check
		limit 20`)
	if err != nil && len(violations) > 0 { // damage can keep the rows from being compared, too
		return append(violations, "foreign keys could not be checked: "+err.Error()), nil
	}
	return append(violations, broken...), err
}

// collectTexts runs queries that select one text a row.
func (v *View) collectTexts(ctx context.Context, queries ...string) (all []string, err error) {
	for _, query := range queries {
		found, err := collect(ctx, v, func(r scanner) (s string, err error) { return s, r.Scan(&s) }, query)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// AuditItems finds responses without documents, and documents without a response or stored under other keys than those of
// their response.
func (v *View) AuditItems(ctx context.Context) ([]string, error) {
	return v.collectTexts(ctx,
		`select 'response ' || r.id || ' has no documents'
			from response r
			left join response_item i on i.response_id = r.id
			where r.deleted_at is null and i.response_id is null
			limit 20`,
		`select 'the documents of response ' || i.response_id || ' have no response'
			from response_item i
			left join response r on r.id = i.response_id
			where r.id is null or r.deleted_at is not null
			limit 20`,
		`select 'the documents of response ' || i.response_id || ' are filed wrongly'
			from response_item i
			join response r on r.id = i.response_id
			where i.study_id <> r.study_id or i.readable_id <> r.readable_id or i.hidden <> r.hidden or i.updated_at <> r.updated_at
			limit 20`)
}

// OutdatedItems reports whether there are documents of another version than this one.
func (v *View) OutdatedItems(ctx context.Context, version int) (found bool, err error) {
	err = v.q.QueryRowContext(ctx, `select exists (select 1 from response_item where version < $1)
			or exists (select 1 from response_item where version > $1)`, version).Scan(&found)
	return found, err
}

// AuditCounts finds studies whose count of completed responses differs from their rows.
func (v *View) AuditCounts(ctx context.Context) ([]string, error) {
	return v.collectTexts(ctx, `select 'study ' || s.id || ' counts ' || s.completed_count || ' completed responses and has ' || coalesce(c.n, 0)
		from study s
		left join (select study_id, count(*) as n from response
			where progress = 'complete' and not hidden and deleted_at is null group by study_id) c on c.study_id = s.id
		where s.completed_count <> coalesce(c.n, 0)
		limit 20`)
}

// AuditSearch finds search entries without a response, or that differ from it.
func (v *View) AuditSearch(ctx context.Context) ([]string, error) {
	return v.collectTexts(ctx, `select distinct 'the search entries of response ' || u.response_id || ' have no response, or differ from it'
		from url_param u
		left join response r on r.id = u.response_id
		where r.id is null or r.deleted_at is not null or r.hidden <> u.hidden or r.study_id <> u.study_id
			or r.org_id <> u.org_id or r.readable_id <> u.readable_id or r.created_at <> u.created_at
		limit 20`)
}

// AuditErased finds rows that are left of responses whose deletion is completed.
func (v *View) AuditErased(ctx context.Context) ([]string, error) {
	var queries []string
	for _, table := range []string{"turn", "decision", "analysis", "imported_item", "response_item", "url_param", "upload", "recording", "transcript", "job", "hold", "webhook_event", "webhook_delivery"} {
		queries = append(queries, fmt.Sprintf(`select distinct 'table %[1]s still has rows of response ' || d.response_id || ', deletion ' || d.id
			from deletion d
			join %[1]s x on x.response_id = d.response_id
			where d.status = 'completed'
			limit 20`, table))
	}
	return v.collectTexts(ctx, append(queries, `select 'response ' || r.id || ' is still there after deletion ' || d.id
		from deletion d
		join response r on r.id = d.response_id
		where d.status = 'completed'
		limit 20`)...)
}

// UnknownResponses returns those of the ids, a few hundred at most, that no response has. A response that is being deleted keeps its
// row until all that belongs to it is gone.
func (v *View) UnknownResponses(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	known, err := collect(ctx, v, func(r scanner) (id string, err error) { return id, r.Scan(&id) },
		`select id from response where id in `+v.d.placeholders(1, len(ids)), anySlice(ids)...)
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(known, id) }), err
}

// AuditJobs finds jobs that were discarded, whose lease nobody extends, or that wait long after they were due.
func (v *View) AuditJobs(ctx context.Context) ([]string, error) {
	now := v.now()
	return collect(ctx, v, func(r scanner) (string, error) {
		var id, kind, state, reason string
		var attempt int
		if err := r.Scan(&id, &kind, &state, &attempt, &reason); err != nil {
			return "", err
		}
		switch state {
		case "dead":
			return fmt.Sprintf("job %s (%s) was given up after %d attempts: %s", id, kind, attempt, reason), nil
		case "running":
			return fmt.Sprintf("job %s (%s) is leased by a process that no longer runs", id, kind), nil
		}
		return fmt.Sprintf("job %s (%s) has been due for more than ten minutes", id, kind), nil
	}, `select id, kind, state, attempt, error
		from job
		where state = 'dead' or state = 'running' and lease_until < $1
			or state = 'ready' and run_at < $2
		order by created_at, id
		limit 20`, micros(now.Add(-time.Minute)), micros(now.Add(-10*time.Minute)))
}

// AuditDeletions finds deletions that failed, and those that were requested more than a minute ago and have not ended.
func (v *View) AuditDeletions(ctx context.Context) (failed, slow []string, err error) {
	failed, err = v.collectTexts(ctx, `select 'deletion ' || id || ' failed'
		from deletion
		where status = 'failed'
		order by requested_at, id
		limit 20`)
	if err != nil {
		return nil, nil, err
	}
	slow, err = collect(ctx, v, func(r scanner) (s string, err error) { return s, r.Scan(&s) },
		`select 'deletion ' || id || ' has been ' || status || ' for more than a minute'
		from deletion
		where status in ('queued', 'running') and requested_at < $1
		order by requested_at, id
		limit 20`, micros(v.now().Add(-time.Minute)))
	return failed, slow, err
}
