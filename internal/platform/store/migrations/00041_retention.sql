-- +goose Up
-- How long recordings and responses are kept, in days after the participant did something last; 0: for ever. study_id is empty in the rule of
-- an organization. Nothing is deleted by a rule before effective_at, and nothing at all while legal_hold is set. ran_at is when it was
-- carried out completely.
create table retention_rule (
    org_id text not null references org (id),
    study_id text not null,
    recording_days bigint not null,
    response_days bigint not null,
    drop_transcripts boolean not null,
    legal_hold boolean not null,
    effective_at bigint not null,
    changed_at bigint not null,
    changed_by text not null,
    ran_at bigint not null default 0,
    primary key (org_id, study_id)
);

-- What a rule has deleted, a row for each batch of work: counts and times only.
create table retention_receipt (
    id text not null primary key,
    org_id text not null,
    study_id text not null,
    recordings bigint not null,
    transcripts bigint not null,
    responses bigint not null,
    created_at bigint not null
);
create index retention_receipt_org on retention_receipt (org_id, created_at);

-- +goose Down
drop table retention_receipt;
drop table retention_rule;
