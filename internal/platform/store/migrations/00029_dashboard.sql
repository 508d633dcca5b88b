-- +goose Up
-- Signing in to the dashboard. Who has no row cannot sign in with a password. hash is in the PHC string format.
create table credential (
    user_id text not null primary key references person (id),
    hash text not null,
    changed_at bigint not null
);

-- Browsers that are signed in, by the hash of their cookie.
create table web_session (
    id text not null primary key,
    token_hash text not null unique,
    user_id text not null references person (id),
    browser text not null,
    network text not null,
    created_at bigint not null,
    used_at bigint not null
);
create index web_session_user on web_session (user_id);
create index web_session_used on web_session (used_at);

-- Tokens that work once, by their hash: of set-ups, invitations, resets and sign-in links. A used one is deleted.
create table one_time_token (
    id text not null primary key,
    token_hash text not null unique,
    kind text not null,
    org_id text references org (id),
    user_id text references person (id),
    email text not null default '',
    role text not null default '',
    created_at bigint not null,
    expires_at bigint not null
);
create index one_time_token_org on one_time_token (org_id);
create index one_time_token_user on one_time_token (user_id);
create index one_time_token_expiry on one_time_token (expires_at);

-- What was done in an organization, by whom. Rows are only added; each has a hash over the one before. user_id is empty for the
-- operator. detail is a JSON object of texts.
create table audit_entry (
    org_id text not null references org (id),
    seq bigint not null,
    at bigint not null,
    user_id text not null,
    action text not null,
    subject text not null,
    detail text not null,
    hash text not null,
    primary key (org_id, seq)
);

-- The last entry of each log, so that a missing end shows.
create table audit_head (
    org_id text not null primary key references org (id),
    seq bigint not null,
    hash text not null
);

-- The quality of responses as a person judged it, in halves of a point, beside that of the analysis.
create table quality_override (
    response_id text not null primary key references response (id) on delete cascade,
    halves bigint not null,
    reason text not null,
    user_id text not null,
    created_at bigint not null,
    check (halves between 2 and 10)
);

-- +goose Down
drop table quality_override;
drop table audit_head;
drop table audit_entry;
drop table one_time_token;
drop table web_session;
drop table credential;
