delete from analysis where response_id = $1
delete from answer_print where response_id = $1
delete from answer_translation where response_id = $1
delete from decision where response_id = $1
delete from idempotency where created_at < $1
delete from imported_item where response_id = $1
delete from item_tally where study_id = $1
delete from job where id = $1
delete from job where response_id = $1
delete from member where org_id = $1 and user_id = $2
delete from node where id = $1
delete from node where seen_at < $1
delete from recording where response_id = $1
delete from response where id = $1
delete from response_item where response_id = $1 returning study_id, readable_id, hidden, analysed
delete from setting where name = $1 and value = $2
delete from speech_total where scope = 'interview' and id = $1
delete from start_pace where due_at < $1
delete from study_grant where user_id = $1 and study_id in (select id from study where org_id = $2)
delete from transcript where response_id = $1
delete from transcript where upload_id = $1
delete from transcript where upload_id = $1 and listener = $2 and not heard
delete from turn where response_id = $1
delete from upload where id = $1 and state = 'ended'
delete from upload where response_id = $1
delete from upload_lease where upload_id = $1 and holder = $2
delete from url_param where response_id = $1
delete from usage_hold where id = $1
delete from usage_total where scope = 'interview' and id = $1
insert into analysis (response_id, provider, body, completed_at) select $1, $2, $3, $4 where not exists (select 1 from deletion where response_id = $1) on conflict (response_id) do update set provider = excluded.provider, body = excluded.body, completed_at = excluded.completed_at
insert into answer_print (study_id, hash, readable_id, response_id, row_index) select study_id, $1, readable_id, id, $2 from response where id = $3 and deleted_at is null
insert into answer_translation (response_id, step_id, source_hash, body, model, prompt, fault, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (response_id, step_id) do update set source_hash = excluded.source_hash, body = excluded.body, model = excluded.model, prompt = excluded.prompt, fault = excluded.fault, created_at = excluded.created_at
insert into api_key (id, org_id, user_id, name, prefix, hash, created_at, expires_at, read_only) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
insert into decision (response_id, seq, words, kind, provider, model, prompt, prompt_hash, seed, fallback, prompt_tokens, completion_tokens, micro_cost, first_words_us, took_us, body, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
insert into deletion (id, org_id, study_id, response_id, status, requested_at) values ($1, $2, $3, $4, $5, $6)
insert into hold (id, wallet_id, org_id, study_id, response_id, amount, state, created_at) values ($1, $2, $3, $4, $5, $6, 'active', $7)
insert into idempotency (org_id, path, idem_key, body_hash, answer, created_at) values ($1, $2, $3, $4, $5, $6) on conflict (org_id, path, idem_key) do update set body_hash = excluded.body_hash, answer = excluded.answer, created_at = excluded.created_at where idempotency.created_at < $7
insert into item_tally (study_id, size, bucket, live, analysed) select $1, size, bucket, -live, -analysed from (select size, readable_id / size as bucket, -count(*) as live, -count(*) filter (where analysed) as analysed from response_item, (select 1024 as size union all select 32768 union all select 1048576) sizes where study_id = $1 and not hidden group by size, readable_id / size) runs
insert into item_tally (study_id, size, bucket, live, analysed) values ($1, 1048576, $2, $5, $6), ($1, 32768, $3, $5, $6), ($1, 1024, $4, $5, $6) on conflict (study_id, size, bucket) do update set live = item_tally.live + excluded.live, analysed = item_tally.analysed + excluded.analysed
insert into job (id, kind, args, response_id, state, run_at, created_at, org_id, turn) values ($1, $2, $3, $4, 'ready', $5, $6, $7, $8)
insert into ledger_account (id, wallet_id, kind, role) values ($1, $2, $3, $4)
insert into ledger_entry (transfer_id, account_id, amount) values ($1, $2, $3)
insert into ledger_transfer (id, wallet_id, kind, reason, org_id, study_id, hold_id, amount, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
insert into member (org_id, user_id, role, created_at) values ($1, $2, $3, $4) on conflict (org_id, user_id) do update set role = excluded.role
insert into node (id, seen_at) values ($1, $2) on conflict (id) do update set seen_at = excluded.seen_at
insert into org (id, name, created_at) values ($1, $2, $3)
insert into person (id, email, name, created_at) values ($1, $2, $3, $4)
insert into recording (id, org_id, response_id, step_id, kind, row_index, stage, hear, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (response_id, step_id, kind) do nothing
insert into response (id, org_id, study_id, revision, readable_id, token_hash, seed, language, url_params, progress, created_at, updated_at, active_at, disclosed_at, consented_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11, $12, $13)
insert into response_item (study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, list_bytes, has_media) select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, exists (select 1 from recording where response_id = $3 and stage = 'ready') where not exists (select 1 from deletion where response_id = $3)
insert into setting (name, value) values ($1, $2) on conflict (name) do nothing
insert into speech_total (scope, id, speech_us) values ($1, $2, $3) on conflict (scope, id) do update set speech_us = speech_total.speech_us + excluded.speech_us returning speech_us
insert into start_pace (study_id, network, due_at) values ($1, $2, $3) on conflict (study_id, network) do update set due_at = case when start_pace.due_at < $4 then excluded.due_at else start_pace.due_at + $5 end where start_pace.due_at <= $6
insert into study (id, org_id, link_id, title, status, revision, creator_id, folder_path, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
insert into study_grant (study_id, user_id, permission, created_at) select s.id, m.user_id, $3, $4 from study s join member m on m.org_id = s.org_id where s.id = $1 and m.user_id = $2 on conflict (study_id, user_id, permission) do update set created_at = study_grant.created_at
insert into study_link (link_id, study_id, created_at) values ($1, $2, $3)
insert into study_link (link_id, study_id, created_at) values ($1, $2, $3) on conflict (link_id) do update set study_id = excluded.study_id, created_at = excluded.created_at
insert into study_revision (study_id, revision, guide, created_at) values ($1, $2, $3, $4)
insert into transcript (upload_id, response_id, listener, listening_until, created_at) select u.id, u.response_id, $1, $2, $3 from upload u join response r on r.id = u.response_id where u.id = $4 and u.response_id = $5 and u.state <> 'ended' and r.deleted_at is null on conflict (upload_id) do update set listener = excluded.listener, listening_until = excluded.listening_until where not transcript.heard and transcript.listening_until <= excluded.created_at
insert into transcript (upload_id, response_id, listener, listening_until, heard, language, body, provider, model, duration_us, speech_us, created_at) select u.id, u.response_id, '', 0, true, $1, $2, $3, $4, $5, $6, $7 from upload u join response r on r.id = u.response_id where u.id = $8 and u.response_id = $9 and u.state <> 'ended' and r.deleted_at is null on conflict (upload_id) do update set listener = '', listening_until = 0, heard = true, language = excluded.language, body = excluded.body, provider = excluded.provider, model = excluded.model, duration_us = excluded.duration_us, speech_us = excluded.speech_us where not transcript.heard
insert into translation (study_id, revision, language, version, auto, entries, shown, shown_version, created_at, updated_at) values ($1, $2, $3, 1, $4, $5, $6, 1, $7, $7) on conflict (study_id, language, revision) do update set version = translation.version + 1, auto = excluded.auto, entries = excluded.entries, shown_version = case when excluded.shown is not distinct from translation.shown then translation.shown_version else translation.shown_version + 1 end, shown = excluded.shown, updated_at = excluded.updated_at where translation.version = $8
insert into turn (response_id, seq, step_id, kind, item_id, concept_id, screen, body, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
insert into upload (id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, state, created_at, expires_at, due_at, allotted) values ($1, $2, $3, $4, $5, $6, '', '', $7, $8, $9, $10, $11, $11, $12)
insert into upload_lease (upload_id, holder, held_until) select id, $2, cast($3 as bigint) from upload where id = $1 on conflict (upload_id) do update set holder = excluded.holder, held_until = excluded.held_until, wanted = false where upload_lease.held_until < $4
insert into upload_part (upload_id, seq, name, size) values ($1, $2, $3, $4)
insert into upload_total (study_id, bytes) select study_id, cast($1 as bigint) from response where id = $2 on conflict (study_id) do update set bytes = upload_total.bytes + excluded.bytes
insert into url_param (org_id, name, value, created_at, response_id, hidden, study_id, readable_id) values ($1, $2, $3, $4, $5, false, $6, $7)
insert into usage_hold (id, study_id, response_id, prompt_tokens, completion_tokens, micro_cost, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
insert into usage_total (scope, id, calls, prompt_tokens, completion_tokens, micro_cost) values ($1, $2, $3, $4, $5, $6) on conflict (scope, id) do update set calls = usage_total.calls + excluded.calls, prompt_tokens = usage_total.prompt_tokens + excluded.prompt_tokens, completion_tokens = usage_total.completion_tokens + excluded.completion_tokens, micro_cost = usage_total.micro_cost + excluded.micro_cost returning prompt_tokens, completion_tokens, micro_cost
insert into wallet (id, name, created_at) values ($1, $2, $3)
insert into wallet_grant (wallet_id, org_id, limit_milli, created_at) values ($1, $2, $3, $4) on conflict (wallet_id, org_id) do update set limit_milli = excluded.limit_milli
select 'account ' || a.id || ' (' || a.role || ') differs from its entries' from ledger_account a left join ledger_entry e on e.account_id = a.id group by a.id, a.role, a.balance having a.balance <> coalesce(sum(e.amount), 0)
select 'deletion ' || id || ' failed' from deletion where status = 'failed' order by requested_at, id limit 20
select 'deletion ' || id || ' is ' || status || ' for more than a minute' from deletion where status in ('queued', 'running') and requested_at < $1 order by requested_at, id limit 20
select 'grant of wallet ' || g.wallet_id || ' to organization ' || g.org_id || ' differs from its holds' from wallet_grant g left join hold h on h.wallet_id = g.wallet_id and h.org_id = g.org_id and h.state <> 'released' group by g.wallet_id, g.org_id, g.used_milli having g.used_milli <> coalesce(sum(h.amount), 0)
select 'held credits of wallet ' || a.wallet_id || ' differ from its active holds' from ledger_account a left join hold h on h.wallet_id = a.wallet_id and h.state = 'active' where a.role = 'held' and a.kind = 'project' group by a.wallet_id, a.balance having a.balance <> coalesce(sum(h.amount), 0)
select 'response ' || r.id || ' has no documents' from response r left join response_item i on i.response_id = r.id where r.deleted_at is null and i.response_id is null limit 20
select 'response ' || r.id || ' is still there after deletion ' || d.id from deletion d join response r on r.id = d.response_id where d.status = 'completed' limit 20
select 'response ' || response_id || ' has ' || count(*) || ' holds' from hold where state <> 'released' and response_id is not null group by response_id having count(*) > 1
select 'spent credits of wallet ' || a.wallet_id || ' differ from its settled holds' from ledger_account a left join hold h on h.wallet_id = a.wallet_id and h.state = 'settled' where a.role = 'spent' and a.kind = 'project' group by a.wallet_id, a.balance having a.balance <> coalesce(sum(h.amount), 0)
select 'study ' || s.id || ' counts ' || s.completed_count || ' completed responses and has ' || coalesce(c.n, 0) from study s left join (select study_id, count(*) as n from response where progress = 'complete' and not hidden and deleted_at is null group by study_id) c on c.study_id = s.id where s.completed_count <> coalesce(c.n, 0) limit 20
select 'the documents of response ' || i.response_id || ' are filed wrongly' from response_item i join response r on r.id = i.response_id where i.study_id <> r.study_id or i.readable_id <> r.readable_id or i.hidden <> r.hidden or i.updated_at <> r.updated_at limit 20
select 'the documents of response ' || i.response_id || ' have no response' from response_item i left join response r on r.id = i.response_id where r.id is null or r.deleted_at is not null limit 20
select 'transfer ' || t.id || ' does not balance' from ledger_transfer t left join ledger_entry e on e.transfer_id = t.id group by t.id, t.amount having count(e.amount) <> 2 or sum(e.amount) <> 0 or max(e.amount) <> t.amount
select (select 1 from job where state = 'ready' and run_at <= $1 and $2 not like '%,' || kind || ',%' order by run_at limit 1) is not null or exists (select 1 from job where state = 'running' and lease_until < $1)
select (select 1 from job where state = 'ready' and run_at <= $1 and kind = $2 order by kind, turn, run_at limit 1) is not null or exists (select 1 from job where state = 'running' and lease_until < $1)
select allotted from upload where id = $1
select body_hash, answer from idempotency where org_id = $1 and path = $2 and idem_key = $3 and created_at >= $4
select bucket, analysed from item_tally where study_id = $1 and size = $2 and analysed > 0 and bucket between $3 and $4 order by bucket
select bucket, analysed from item_tally where study_id = $1 and size = $2 and analysed > 0 order by bucket
select bucket, live from item_tally where study_id = $1 and size = $2 and live > 0 and bucket between $3 and $4 order by bucket
select bucket, live from item_tally where study_id = $1 and size = $2 and live > 0 order by bucket
select c.id, c.org_id, c.response_id, c.step_id, c.kind, c.row_index, c.stage, c.media_type, c.object, c.playlist, c.poster, c.waveform, c.duration_us, c.error, c.hear, c.created_at from recording c join response r on r.id = c.response_id where c.id = $1 and r.deleted_at is null
select c.id, c.org_id, c.response_id, c.step_id, c.kind, c.row_index, c.stage, c.media_type, c.object, c.playlist, c.poster, c.waveform, c.duration_us, c.error, c.hear, c.created_at from recording c join response r on r.id = c.response_id where c.id > $1 and c.stage = 'ready' and r.deleted_at is null order by c.id limit $2
select c.id, c.org_id, c.response_id, c.step_id, c.kind, c.row_index, c.stage, c.media_type, c.object, c.playlist, c.poster, c.waveform, c.duration_us, c.error, c.hear, c.created_at from recording c where c.response_id = $1 order by c.row_index, c.created_at, c.id
select case when i.response_id is not null then coalesce(nullif(i.body, ''), d.list_item, '') end from response r left join imported_item i on i.response_id = r.id left join response_item d on d.response_id = r.id where r.id = $1
select cast(coalesce(sum(bytes), 0) as bigint) from upload_total
select coalesce((select bytes from upload_total where study_id = $1), 0)
select coalesce((select bytes from upload_total where study_id = (select study_id from response where id = $1)), 0)
select coalesce((select turn from job where state = 'ready' and kind = $1 and run_at <= $3 order by kind, turn, run_at limit 1), 0), coalesce((select turn + 1 from job where state = 'ready' and kind = $1 and org_id = $2 order by kind desc, org_id desc, turn desc limit 1), 0)
select coalesce(string_agg(response_id || ' ' || readable_id || ' ' || study_id || ' ' || created_at, ','), '') from (select response_id, readable_id, study_id, created_at from url_param where org_id = $1 and name = $2 and value = $3 and (created_at, response_id) < ($4, $5) and (not hidden or $6) order by created_at desc, response_id desc limit cast($7 as bigint)) as page
select count(*) from ( select size, bucket, sum(live) as live, sum(analysed) as analysed from ( select size, bucket, live, analysed from item_tally where study_id = $1 union all select size, readable_id / size as bucket, -count(*) as live, -count(*) filter (where analysed) as analysed from response_item, (select 1024 as size union all select 32768 union all select 1048576) sizes where study_id = $1 and not hidden group by size, readable_id / size ) sums group by size, bucket ) runs where live <> 0 or analysed <> 0
select count(*) from (select distinct readable_id from answer_print where study_id = $1 and hash = $2 and readable_id < $3 limit 100) earlier
select count(*) from node where seen_at > $1
select count(*) from response where deleted_at is null
select count(*) from response where ended_at is null and not abandoned and deleted_at is null
select count(*) from upload where response_id = $1 and state = 'open'
select count(*) from url_param where response_id = $1 and (hidden <> $2 or study_id <> $3 or org_id <> $4 or readable_id <> $5 or created_at <> $6)
select count(*), cast(coalesce(sum(allotted), 0) as bigint) from upload where response_id = $1 and state <> 'ended'
select count(*), coalesce(min(readable_id), 0), coalesce(max(readable_id), 0), coalesce(max(updated_at), 0), cast(coalesce(sum((updated_at * 31 + readable_id * 7919) % 2147483647), 0) as bigint), cast(coalesce(sum(version), 0) as bigint), cast(coalesce(sum(list_bytes), 0) as bigint), count(*) filter (where not analysed) from (select readable_id, updated_at, version, list_bytes, analysed from response_item where study_id = $1 and readable_id >= $2 and not hidden and (analysed or $3) order by readable_id limit cast($4 as bigint) offset cast($5 as bigint)) page
select count(a.response_id), count(*) - count(a.response_id) from response r left join analysis a on a.response_id = r.id where r.study_id = $1 and r.ended_at is not null and r.deleted_at is null and not exists (select 1 from imported_item i where i.response_id = r.id)
select distinct 'table analysis still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join analysis x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table decision still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join decision x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table hold still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join hold x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table imported_item still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join imported_item x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table job still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join job x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table recording still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join recording x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table response_item still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join response_item x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table transcript still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join transcript x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table turn still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join turn x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table upload still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join upload x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'table url_param still has rows of response ' || d.response_id || ', deletion ' || d.id from deletion d join url_param x on x.response_id = d.response_id where d.status = 'completed' limit 20
select distinct 'the search entries of response ' || u.response_id || ' have no response, or differ from it' from url_param u left join response r on r.id = u.response_id where r.id is null or r.deleted_at is not null or r.hidden <> u.hidden or r.study_id <> u.study_id or r.org_id <> u.org_id or r.readable_id <> u.readable_id or r.created_at <> u.created_at limit 20
select distinct revision from response where study_id = $1 and deleted_at is null order by revision desc
select due_at from start_pace where study_id = $1 and network = $2
select exists (select 1 from deletion where response_id = $1)
select exists (select 1 from job where state = 'running' and lease_until < $1)
select exists (select 1 from org where logo = $1)
select exists (select 1 from response where id = $1 and turn_count = $2 and (asked_seq <> $2 or asked_until <= $3))
select exists (select 1 from response_item where version < $1) or exists (select 1 from response_item where version > $1)
select exists (select 1 from start_pace where due_at < $1)
select exists (select 1 from study_grant where study_id = $1 and user_id = $2 and permission = $3)
select exists (select 1 from study_link where link_id = $1)
select exists (select 1 from transcript where upload_id = $1 and response_id = $2)
select id from response r where study_id = $1 and deleted_at is null and not exists (select 1 from imported_item i where i.response_id = r.id) order by readable_id
select id from study order by id
select id, calls, prompt_tokens, completion_tokens, micro_cost from usage_total where scope = 'day' and calls > 0 order by id desc limit $1
select id, calls, prompt_tokens, completion_tokens, micro_cost from usage_total where scope = 'interview' and id = $1
select id, calls, prompt_tokens, completion_tokens, micro_cost from usage_total where scope = 'study' and id = $1
select id, kind, state, attempt, error from job where state = 'dead' or state = 'running' and lease_until < $1 or state = 'ready' and run_at < $2 order by created_at, id limit 20
select id, link_id from study where id = $1 and org_id = $2 and deleted_at is null
select id, name, created_at from person where email = $1
select id, name, created_at, colour, logo, logo_width, logo_height from org order by created_at, id
select id, name, created_at, colour, logo, logo_width, logo_height from org where id = $1
select id, org_id from response where ended_at is null and not abandoned and deleted_at is null and active_at < $1 order by active_at limit $2
select id, org_id from response where ended_at is null and not abandoned and deleted_at is null and not answered and active_at < $1 order by active_at limit $2
select id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, received, parts, state, used, created_at, expires_at, allotted from upload where due_at <= $1 order by due_at, id limit $2
select id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, received, parts, state, used, created_at, expires_at, allotted from upload where id = $1 and response_id = $2
select id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, received, parts, state, used, created_at, expires_at, allotted from upload where response_id = $1 and state <> 'ended' order by created_at, id
select id, org_id, study_id, response_id, status, requested_at, completed_at from deletion order by requested_at desc, id desc
select id, org_id, study_id, response_id, status, requested_at, completed_at from deletion where id = $1
select id, org_id, study_id, response_id, status, requested_at, completed_at from deletion where id = $1 and org_id = $2
select id, org_id, study_id, response_id, status, requested_at, completed_at from deletion where response_id = $1 and org_id = $2
select id, org_id, study_id, response_id, status, requested_at, completed_at from deletion where status in ('queued', 'running') order by requested_at, id limit $1
select id, org_id, user_id, name, prefix, created_at, revoked_at, expires_at, last_used_at, read_only from api_key where org_id = $1 order by created_at, id
select k.id, k.org_id, k.user_id, k.read_only, m.role from api_key k left join member m on m.org_id = k.org_id and m.user_id = k.user_id where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $2)
select last_readable_id from study where id = $1
select link_id from study where id = $1 and org_id = $2 and deleted_at is null
select m.role, p.email, p.name, p.created_at from member m join person p on p.id = m.user_id where m.org_id = $1 and m.user_id = $2
select m.role, p.id, p.email, p.name, p.created_at from member m join person p on p.id = m.user_id where m.org_id = $1 order by m.created_at, p.id
select max(heard_at) from turn where response_id = $1
select name, size from upload_part where upload_id = $1 order by seq
select name, value from url_param where response_id = $1
select org_id from job where state = 'ready' and kind = $1 and org_id > $2 and run_at <= $3 order by kind, org_id, turn limit 1
select org_id from job where state = 'ready' and kind = $1 and run_at <= $2 order by kind, org_id, turn limit 1
select org_id from response where id = $1
select p.upload_id, p.seq, p.name, u.response_id from upload_part p join upload u on u.id = p.upload_id join response r on r.id = u.response_id where (p.upload_id, p.seq) > ($1, $2) and u.used and r.deleted_at is null order by p.upload_id, p.seq limit $3
select provider, body, completed_at from analysis where response_id = $1
select r.guide from study_revision r join study s on s.id = r.study_id where r.study_id = $1 and r.revision = $2 and s.org_id = $3
select r.id from response r join hold h on h.response_id = r.id where r.org_id = $1 and (r.active_at < $2 or not r.answered and r.active_at < $3) and r.ended_at is null and not r.abandoned and r.deleted_at is null and h.wallet_id = $4 and h.org_id = $1 and h.state = 'active' order by r.answered, r.active_at limit 1
select r.id, r.org_id, r.study_id, r.revision, r.readable_id, r.seed, r.language, r.url_params, r.progress, r.abandoned, r.hidden, r.turn_count, r.duration_us, r.created_at, r.updated_at, r.ended_at, r.disclosed_at, r.consented_at from response r where r.id = $1 and r.deleted_at is null
select r.id, r.org_id, r.study_id, r.revision, r.readable_id, r.seed, r.language, r.url_params, r.progress, r.abandoned, r.hidden, r.turn_count, r.duration_us, r.created_at, r.updated_at, r.ended_at, r.disclosed_at, r.consented_at from response r where r.id = $1 and r.org_id = $2 and r.deleted_at is null
select r.id, r.org_id, r.study_id, r.revision, r.readable_id, r.seed, r.language, r.url_params, r.progress, r.abandoned, r.hidden, r.turn_count, r.duration_us, r.created_at, r.updated_at, r.ended_at, r.disclosed_at, r.consented_at from response r where r.id > $1 and r.deleted_at is null order by r.id limit $2
select r.id, r.org_id, r.study_id, r.revision, r.readable_id, r.seed, r.language, r.url_params, r.progress, r.abandoned, r.hidden, r.turn_count, r.duration_us, r.created_at, r.updated_at, r.ended_at, r.disclosed_at, r.consented_at from response r where r.study_id = $1 and r.readable_id > $2 and r.deleted_at is null order by r.readable_id limit $3
select r.id, r.org_id, r.study_id, r.revision, r.readable_id, r.seed, r.language, r.url_params, r.progress, r.abandoned, r.hidden, r.turn_count, r.duration_us, r.created_at, r.updated_at, r.ended_at, r.disclosed_at, r.consented_at, r.token_hash, r.deleted_at from response r where r.id = $1
select readable_id, list_item from response_item where study_id = $1 and readable_id between $3 and $4 and not hidden and (analysed or $2) order by readable_id limit cast($5 as bigint)
select readable_id, list_item from response_item where study_id = $1 and readable_id in ($3) and not hidden and (analysed or $2) order by readable_id
select readable_id, updated_at, version, list_bytes, analysed from response_item where study_id = $1 and not hidden and (analysed or $2) and updated_at >= $3 order by updated_at limit cast($4 as bigint)
select response_id from upload where id = $1
select revision, version, auto, entries, shown from translation where study_id = $1 and language = $2 and revision <= $3 order by revision desc limit 1
select s.id, s.link_id from study_link l join study s on s.id = l.study_id where l.link_id = $1 and s.org_id = $2 and s.deleted_at is null
select s.id, s.org_id, s.link_id, s.title, s.status, s.revision, s.published_revision, s.creator_id, s.folder_path, s.wallet_id, s.completed_count, s.created_at, s.updated_at, s.launched_at from study s where s.id = $1 and s.deleted_at is null
select s.id, s.org_id, s.link_id, s.title, s.status, s.revision, s.published_revision, s.creator_id, s.folder_path, s.wallet_id, s.completed_count, s.created_at, s.updated_at, s.launched_at from study s where s.id = $1 and s.org_id = $2 and s.deleted_at is null
select s.id, s.org_id, s.link_id, s.title, s.status, s.revision, s.published_revision, s.creator_id, s.folder_path, s.wallet_id, s.completed_count, s.created_at, s.updated_at, s.launched_at from study_link l join study s on s.id = l.study_id where l.link_id = $1 and s.deleted_at is null
select s.id, s.org_id, s.link_id, s.title, s.status, s.revision, s.published_revision, s.creator_id, s.folder_path, s.wallet_id, s.completed_count, s.created_at, s.updated_at, s.launched_at from study_link l join study s on s.id = l.study_id where l.link_id = $1 and s.org_id = $2 and s.deleted_at is null
select s.id, s.org_id, s.link_id, s.title, s.status, s.revision, s.published_revision, s.creator_id, s.folder_path, s.wallet_id, s.completed_count, s.created_at, s.updated_at, s.launched_at, p.name, p.email from study s left join person p on p.id = s.creator_id where s.org_id = $1 and s.deleted_at is null order by s.created_at desc, s.id desc limit $2
select seq, words, kind, provider, model, prompt, prompt_hash, seed, fallback, prompt_tokens, completion_tokens, micro_cost, first_words_us, took_us, body from decision where response_id = $1
select shown, shown_version from translation where study_id = $1 and language = $2 and revision = $3 and shown is not null
select shown_version from translation where study_id = $1 and language = $2 and revision = $3 and shown is not null
select state, count(*) from job group by state
select step_id, kind, item_id, concept_id, screen, body, created_at, heard from turn where response_id = $1 order by seq
select step_id, source_hash, body, model, prompt, fault from answer_translation where response_id = $1
select study_id from response where id = $1
select study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, has_media from response_item where response_id = $2 and study_id = $1
select study_id, readable_id, response_id, updated_at, analysed, hidden, version, list_item, single_item, has_media from response_item where study_id = $1 and readable_id = $2
select study_id, readable_id, response_id, updated_at, analysed, hidden, version, null, single_item, has_media from response_item where response_id = $2 and study_id = $1
select study_id, readable_id, response_id, updated_at, analysed, hidden, version, null, single_item, has_media from response_item where study_id = $1 and readable_id = $2
select study_id, response_id, prompt_tokens, completion_tokens, micro_cost from usage_hold where expires_at > $1
select value from setting where name = $1
select w.id, w.name, w.created_at, sum(case when a.kind = 'recruitment' and a.role = 'available' then a.balance else 0 end), sum(case when a.kind = 'recruitment' and a.role in ('held', 'spent') then a.balance else 0 end), sum(case when a.kind = 'project' and a.role = 'available' then a.balance else 0 end), sum(case when a.kind = 'project' and a.role in ('held', 'spent') then a.balance else 0 end) from wallet w join ledger_account a on a.wallet_id = w.id group by w.id, w.name, w.created_at order by w.created_at, w.id
select w.id, w.name, w.created_at, sum(case when a.kind = 'recruitment' and a.role = 'available' then a.balance else 0 end), sum(case when a.kind = 'recruitment' and a.role in ('held', 'spent') then a.balance else 0 end), sum(case when a.kind = 'project' and a.role = 'available' then a.balance else 0 end), sum(case when a.kind = 'project' and a.role in ('held', 'spent') then a.balance else 0 end) from wallet w join ledger_account a on a.wallet_id = w.id join wallet_grant g on g.wallet_id = w.id where g.org_id = $1 group by w.id, w.name, w.created_at, g.created_at order by g.created_at, w.id
select w.id, w.name, w.created_at, sum(case when a.kind = 'recruitment' and a.role = 'available' then a.balance else 0 end), sum(case when a.kind = 'recruitment' and a.role in ('held', 'spent') then a.balance else 0 end), sum(case when a.kind = 'project' and a.role = 'available' then a.balance else 0 end), sum(case when a.kind = 'project' and a.role in ('held', 'spent') then a.balance else 0 end) from wallet w join ledger_account a on a.wallet_id = w.id where w.id = $1 group by w.id, w.name, w.created_at
select wallet_id, org_id, limit_milli, used_milli from wallet_grant where org_id = $1 order by created_at, wallet_id
select wallet_id, org_id, limit_milli, used_milli from wallet_grant where wallet_id = $1 and org_id = $2
select x.language, x.body, x.provider, x.model, x.duration_us, x.speech_us from transcript x where x.upload_id = $1 and x.response_id = $2 and x.heard
select x.response_id from (select response_id from response_item union select response_id from url_param) x left join response r on r.id = x.response_id where r.id is null or r.deleted_at is not null
update api_key set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)
update api_key set revoked_at = coalesce(revoked_at, $3) where id = $1 or hash = $2 returning id, org_id, user_id, name, prefix, created_at, revoked_at, expires_at, last_used_at, read_only
update deletion set status = $1, completed_at = $2 where id = $3
update hold set response_id = null where response_id = $1
update hold set state = $1, closed_at = $2 where response_id = $3 and state = 'active' returning id, wallet_id, org_id, study_id, amount
update imported_item set body = (select list_item from response_item where response_id = $1) where response_id = $1 and body = '' and exists (select 1 from response_item where response_id = $1)
update item_tally set live = live + 1 where study_id = $1
update job set lease_until = $1 where id = $2 and state = 'running'
update job set state = 'dead', error = $3 where id = $1 and attempt = $2 and state = 'running'
update job set state = 'ready' where state = 'running' and lease_until < $1
update job set state = 'ready', attempt = attempt - 1 where id = $1 and attempt = $2 and state = 'running'
update job set state = 'ready', run_at = $3, error = $4 where id = $1 and attempt = $2 and state = 'running'
update ledger_account set balance = balance + $1 where wallet_id = $2 and kind = $3 and role = $4 returning id
update ledger_account set balance = balance - $1 where wallet_id = $2 and kind = $3 and role = $4 and (role = 'funding' or balance >= $1) returning id
update org set name = $1, colour = $2, logo = $3, logo_width = $4, logo_height = $5 where id = $6
update recording set stage = $1 where response_id = $2 and stage = $3 and not exists (select 1 from upload u where u.response_id = $2 and u.step_id = recording.step_id and u.kind = recording.kind and u.used and u.state = 'open') returning id, hear
update recording set stage = $1, error = $2 where id = $3 and stage <> 'ready'
update recording set stage = $1, media_type = $2, object = $3, playlist = $4, poster = $5, waveform = $6, duration_us = $7, error = '' where id = $8 and stage <> 'ready' and exists (select 1 from response r where r.id = response_id and r.deleted_at is null)
update response set abandoned = true where id = $1 and (active_at < $2 or not answered and active_at < $3) and ended_at is null and not abandoned and deleted_at is null
update response set asked_seq = $1, asked_until = $2 where id = $3 and turn_count = $1 and asked_seq <> $1 and deleted_at is null
update response set asked_until = $2 where id = $3 and turn_count = $1 and asked_seq = $1 and asked_until <= $4 and deleted_at is null
update response set deleted_at = $1 where id = $2 and deleted_at is null returning progress, hidden
update response set hidden = $1 where id = $2
update response set progress = $1, abandoned = $2, duration_us = $3, updated_at = $4, active_at = $5, ended_at = $6 where id = $7 and deleted_at is null
update response set turn_count = turn_count + 1, answered = answered or $3 where id = $1 and turn_count = $2 and deleted_at is null
update response set updated_at = $1 where id = $2
update response_item set has_media = true where response_id = $1
update response_item set hidden = $1 where response_id = $2 and hidden <> $1 returning study_id, readable_id, analysed
update response_item set updated_at = $1, version = $2, list_item = $3, single_item = $4, list_bytes = $5 where study_id = $6 and readable_id = $7 and hidden = $8 and analysed = $9
update setting set value = $3 where name = $1 and value = $2
update start_pace set due_at = due_at - $3 where study_id = $1 and network = $2
update study set completed_count = (select count(*) from response where study_id = $1 and progress = 'complete' and not hidden and deleted_at is null) where id = $1
update study set completed_count = completed_count + $1 where id = $2
update study set item_clock = case when item_clock < $1 then $1 else item_clock + 1 end where id = $2 returning item_clock
update study set last_readable_id = $1 where id = $2 and last_readable_id = $3
update study set last_readable_id = last_readable_id + $1 where id = $2
update study set last_readable_id = last_readable_id + 1, item_clock = case when item_clock < $1 then $1 else item_clock + 1 end where id = $2 returning last_readable_id, item_clock
update study set link_id = $1, updated_at = $2 where id = $3 and org_id = $4 and deleted_at is null
update study set revision = revision + 1, title = $1, updated_at = $2 where id = $3 and org_id = $4 and revision = $5 and deleted_at is null
update study set status = 'live', published_revision = revision, wallet_id = $1, launched_at = $2, updated_at = $2 where id = $3 and org_id = $4 and revision = $5 and status = 'draft' and deleted_at is null
update turn set heard = $1, heard_at = $2 where response_id = $3 and step_id = $4 and kind in ('answer', 'reply') and heard is null
update upload set allotted = $1 where id = $2
update upload set allotted = $1 where id = $2 and state = 'open' and allotted = $3
update upload set due_at = $1, size = case when used and received > 0 and media_type <> '' then received else size end, state = case when used and received > 0 and media_type <> '' then 'complete' else 'ended' end where id = $2 and due_at <= $3 and (state = 'open' or state = 'complete' and not used) returning id, org_id, response_id, kind, step_id, name, media_type, head, metadata, size, received, parts, state, used, created_at, expires_at, allotted
update upload set due_at = null where id = $1 and state = 'complete' and used
update upload set media_type = $1, head = $2, size = $3, received = $4, parts = $5, state = $6, expires_at = $7, due_at = case when used then cast($8 as bigint) else cast($7 as bigint) end, allotted = $13 where id = $9 and state = 'open' and size = $10 and received = $11 and parts = $12 and allotted = $14
update upload set state = 'ended', due_at = $1, allotted = 0 where id = $2 and response_id = $3 and state <> 'ended' and not used and allotted = $4
update upload set used = true, due_at = case when state = 'complete' and not used then cast($1 as bigint) else due_at end where response_id = $2 and step_id = $3 and kind = $4 and state <> 'ended' and id = $5
update upload set used = true, due_at = case when state = 'complete' and not used then cast($1 as bigint) else due_at end where response_id = $2 and step_id = $3 and kind = $4 and state <> 'ended' and not used
update upload_lease set held_until = $1 where upload_id = $2 and holder = $3 returning wanted
update upload_lease set wanted = true where upload_id = $1
update upload_total set bytes = bytes - (select cast(coalesce(sum(allotted), 0) as bigint) from upload where response_id = $1) where study_id = (select study_id from response where id = $1)
update url_param set hidden = $1 where response_id = $2
update usage_hold set response_id = null where response_id = $1
update wallet_grant set used_milli = used_milli + $1 where wallet_id = $2 and org_id = $3 and (limit_milli is null or used_milli + $1 <= limit_milli)
update wallet_grant set used_milli = used_milli - $1 where wallet_id = $2 and org_id = $3
with due as materialized (select id from job where state = 'ready' and run_at <= $2 and kind = $4 and (org_id = '' or $5 not like '%,' || org_id || ',%') order by kind, turn, run_at limit $3) update job set state = 'running', attempt = attempt + 1, lease_until = $1 where id in (select id from due) returning id, kind, args, response_id, org_id, attempt, run_at
