-- +goose Up
-- Files with the responses of a study that people asked for. Each is an object until it expires, somebody removes it, or a response that may
-- be in it is deleted: newest is the greatest number of a response that was there when it was begun. deletions counts the responses of the study
-- that were deleted since the file was asked for, so that one that was being written then begins again. Rows of removed files stay until their
-- objects are gone.
create table study_export (
    id text not null primary key,
    study_id text not null references study (id) on delete cascade,
    org_id text not null,
    user_id text not null,
    options text not null,
    status text not null,
    done bigint not null default 0,
    total bigint not null default 0,
    newest bigint not null default 0,
    deletions bigint not null default 0,
    object text not null default '',
    size bigint not null default 0,
    unreadable bigint not null default 0,
    texts_cut bigint not null default 0,
    files_missing bigint not null default 0,
    problem text not null default '',
    requested_at bigint not null,
    completed_at bigint,
    expires_at bigint
);
create index study_export_study on study_export (study_id, requested_at);
create index study_export_status on study_export (status);
create index study_export_expiry on study_export (expires_at);

-- +goose Down
drop table study_export;
