-- +goose Up
-- Reports on studies that are made in the background, and their results. A deletion of a response removes the results of its study, which
-- may quote it, and is counted in deletions, so that a report that was being made then begins again.
create table study_report (
    id text not null primary key,
    study_id text not null references study (id) on delete cascade,
    org_id text not null,
    options text not null,
    status text not null check (status in ('queued', 'running', 'complete', 'failed')),
    step text not null default '',
    percent bigint not null default 0,
    deletions bigint not null default 0,
    requested_at bigint not null,
    as_of bigint,
    completed_at bigint,
    body text not null default '',
    markdown text not null default ''
);
create unique index study_report_underway on study_report (study_id) where status in ('queued', 'running');
create index study_report_study on study_report (study_id, requested_at);

-- +goose Down
drop table study_report;
