-- +goose Up
-- The working copies of guides, as people type them in the dashboard, in versions; the newest is the one of today. guide is JSON and may
-- be incomplete. revision is the revision that a valid version became, else the newest one when it was saved: where the study has a
-- newer one, its guide was changed by another way, and is the working copy. began_at is when the first of the edits that are one version
-- was saved. user_id is empty for the operator and for programs. summary is JSON.
create table guide_version (
    study_id text not null references study (id) on delete cascade,
    version bigint not null,
    guide text not null,
    valid boolean not null,
    revision bigint not null,
    origin text not null,
    restored bigint not null default 0,
    user_id text not null,
    summary text not null,
    began_at bigint not null,
    saved_at bigint not null,
    primary key (study_id, version)
);

-- Who put a study into the trash, and when nothing of it was left. study.deleted_at is the time when it was put there.
alter table study add column trashed_by text;
alter table study add column purged_at bigint;
create index study_trash on study (deleted_at) where deleted_at is not null and purged_at is null;

-- +goose Down
drop index study_trash;
alter table study drop column purged_at;
alter table study drop column trashed_by;
drop table guide_version;
