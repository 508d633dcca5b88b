delete from usage_hold where id in (select id from usage_hold where expires_at <= $1 order by id limit 100 for update skip locked)
insert into imported_item (response_id, body) values ($1, $2)
insert into response (id, org_id, study_id, revision, readable_id, token_hash, seed, language, url_params, progress, abandoned, duration_us, created_at, updated_at, active_at, ended_at, disclosed_at, consented_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) on conflict (id) do nothing returning id
insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, list_bytes) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
insert into url_param (org_id, name, value, created_at, response_id, hidden, study_id, readable_id) values ($1, $2, $3, $4, $5, $6, $7, $8)
select 1 from response where id = $1 for no key update
select c.id, c.org_id, c.response_id, c.step_id, c.kind, c.row_index, c.stage, c.media_type, c.object, c.playlist, c.poster, c.waveform, c.duration_us, c.error, c.hear, c.created_at from recording c where c.id in ($1)
select exists (select 1 from deletion where response_id in ($1))
select id from ledger_account where wallet_id = $1 and kind = $2 and role in ($3) order by role for no key update
select id from response where id in ($1)
select id from study where id = $1 for no key update
select id, turn_count from response where deleted_at is null and id in ($1)
select r.id, r.study_id, r.readable_id, r.deleted_at is not null, case when i.response_id is not null then coalesce(nullif(i.body, ''), d.list_item, '') end from response r left join imported_item i on i.response_id = r.id left join response_item d on d.response_id = r.id where r.id in ($1)
select r.id, r.study_id, r.readable_id, r.deleted_at is not null, null from response r where r.study_id = $1 and r.readable_id in ($2)
select response_id, study_id from deletion where response_id in ($1)
select step_id, kind, item_id, concept_id, screen, body, created_at, heard, response_id from turn where response_id in ($1) order by response_id, seq
select upload_id || '/' || name from upload_part where upload_id in ($1)
select user_id from member where user_id = $1 and org_id = (select org_id from study where id = $2) for no key update
with due as materialized (select id from job where state = 'ready' and run_at <= $2 and $4 not like '%,' || kind || ',%' order by run_at limit $3 for update skip locked) update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due) returning id, kind, args, response_id, org_id, attempt, run_at
with due as materialized (select id from job where state = 'ready' and run_at <= $2 and kind = $4 and (org_id = '' or $5 not like '%,' || org_id || ',%') order by kind, turn, run_at limit $3 for update skip locked) update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due) returning id, kind, args, response_id, org_id, attempt, run_at
with due as materialized (select id from job where state = 'ready' and run_at <= $2 and kind = $4 order by kind, turn, run_at limit $3 for update skip locked) update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due) returning id, kind, args, response_id, org_id, attempt, run_at
