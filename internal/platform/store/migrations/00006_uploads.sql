-- +goose Up
-- What participants send beside words: files, and the sessions of recorders. size is -1 while it is not known, head the
-- first bytes in base64 until the type is known. due_at is when the sweep looks at the upload; null when it need not.
create table upload (
    id text not null primary key,
    org_id text not null,
    response_id text not null references response (id),
    kind text not null,
    step_id text not null,
    name text not null,
    media_type text not null,
    head text not null,
    metadata text not null,
    size bigint not null,
    received bigint not null default 0,
    parts bigint not null default 0,
    state text not null,
    used boolean not null default false,
    created_at bigint not null,
    expires_at bigint not null,
    due_at bigint
);
create index upload_response on upload (response_id);
create index upload_due on upload (due_at) where due_at is not null;

-- The objects of an upload, in order.
create table upload_part (
    upload_id text not null references upload (id) on delete cascade,
    seq bigint not null,
    name text not null,
    size bigint not null,
    primary key (upload_id, seq)
);

-- +goose Down
drop table upload_part;
drop table upload;
