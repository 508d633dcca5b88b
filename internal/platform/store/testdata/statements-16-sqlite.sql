delete from usage_hold where id in (select id from usage_hold where expires_at <= $1 order by id limit 100)
insert into imported_item (response_id, body) values (?, ?)
insert into response (id, org_id, study_id, revision, readable_id, token_hash, seed, language, url_params, progress, abandoned, duration_us, created_at, updated_at, active_at, ended_at, disclosed_at, consented_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing returning id
insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, list_bytes) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
insert into url_param (org_id, name, value, created_at, response_id, hidden, study_id, readable_id) values (?, ?, ?, ?, ?, ?, ?, ?)
rollback
select 'a row of ' || "table" || ' names a row of ' || parent || ' that is not there' from pragma_foreign_key_check limit 20
select 1 from response where id = $1
select c.id, c.org_id, c.response_id, c.step_id, c.kind, c.row_index, c.stage, c.media_type, c.object, c.playlist, c.poster, c.waveform, c.duration_us, c.error, c.hear, c.created_at from recording c where c.id in (?)
select data from sqlite_dbpage where pgno = $1
select exists (select 1 from deletion where response_id in (?))
select id from response where id in (?)
select id, turn_count from response where deleted_at is null and id in (?)
select r.id, r.study_id, r.readable_id, r.deleted_at is not null, case when i.response_id is not null then coalesce(nullif(i.body, ''), d.list_item, '') end from response r left join imported_item i on i.response_id = r.id left join response_item d on d.response_id = r.id where r.id in (?)
select r.id, r.study_id, r.readable_id, r.deleted_at is not null, null from response r where r.study_id = $1 and r.readable_id in (?)
select response_id, study_id from deletion where response_id in (?)
select step_id, kind, item_id, concept_id, screen, body, created_at, heard, response_id from turn where response_id in (?) order by response_id, seq
select upload_id || '/' || name from upload_part where upload_id in (?)
update sqlite_dbpage set data = $1 where pgno = $2
with due as materialized (select id from job where state = 'ready' and run_at <= $2 and $4 not like '%,' || kind || ',%' order by run_at limit $3) update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due) returning id, kind, args, response_id, org_id, attempt, run_at
with due as materialized (select id from job where state = 'ready' and run_at <= $2 and kind = $4 order by kind, turn, run_at limit $3) update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due) returning id, kind, args, response_id, org_id, attempt, run_at
