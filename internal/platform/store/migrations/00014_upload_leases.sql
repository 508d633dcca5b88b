-- +goose Up
-- Bytes that an upload counts for in the quotas: what it has or is to have, and what a request under way may still bring. 0
-- once it has ended.
alter table upload add column allotted bigint not null default 0;
update upload set allotted = case when size > received then size else received end where state <> 'ended';

-- The sum of allotted over a study's uploads.
create table upload_total (
    study_id text not null primary key references study (id),
    bytes bigint not null
);
insert into upload_total (study_id, bytes)
select r.study_id, cast(sum(u.allotted) as bigint) from upload u join response r on r.id = u.response_id group by r.study_id;

-- The request that may add to an upload, until a time that it extends while it lasts. wanted: another request asked for the
-- upload.
create table upload_lease (
    upload_id text not null primary key references upload (id) on delete cascade,
    holder text not null,
    held_until bigint not null,
    wanted boolean not null default false
);

-- Jobs of one kind are taken in the order of turn: one of each organization, then the next of each.
alter table job add column org_id text not null default '';
alter table job add column turn bigint not null default 0;
update job set org_id = (select r.org_id from response r where r.id = job.response_id)
where exists (select 1 from response r where r.id = job.response_id);
create index job_turn on job (kind, turn, run_at) where state = 'ready';
create index job_org on job (kind, org_id, turn) where state = 'ready';

-- +goose Down
drop index job_org;
drop index job_turn;
alter table job drop column turn;
alter table job drop column org_id;
drop table upload_lease;
drop table upload_total;
alter table upload drop column allotted;
