-- +goose Up
-- One SQL for two engines. Times are microseconds UTC, ids are UUID text, credits are thousandths.

create table org (
    id text not null primary key,
    name text not null,
    created_at bigint not null
);

create table person (
    id text not null primary key,
    email text not null unique,
    name text not null,
    created_at bigint not null
);

create table member (
    org_id text not null references org (id),
    user_id text not null references person (id),
    role text not null,
    created_at bigint not null,
    primary key (org_id, user_id)
);

create table api_key (
    id text not null primary key,
    org_id text not null references org (id),
    user_id text not null references person (id),
    name text not null,
    prefix text not null,
    hash text not null unique,
    created_at bigint not null,
    revoked_at bigint
);
create index api_key_org on api_key (org_id, created_at);

create table wallet (
    id text not null primary key,
    name text not null,
    created_at bigint not null
);

create table wallet_grant (
    wallet_id text not null references wallet (id),
    org_id text not null references org (id),
    limit_milli bigint,
    used_milli bigint not null default 0,
    created_at bigint not null,
    primary key (wallet_id, org_id),
    check (used_milli >= 0)
);
create index wallet_grant_org on wallet_grant (org_id, created_at);

-- balance caches the sum of the account's entries; the database checks that it does not go below zero, except for funding.
create table ledger_account (
    id text not null primary key,
    wallet_id text not null references wallet (id),
    kind text not null,
    role text not null,
    balance bigint not null default 0,
    unique (wallet_id, kind, role),
    check (role = 'funding' or balance >= 0)
);

create table ledger_transfer (
    id text not null primary key,
    wallet_id text not null references wallet (id),
    kind text not null,
    reason text not null,
    org_id text,
    study_id text,
    hold_id text,
    amount bigint not null,
    created_at bigint not null,
    check (amount > 0)
);
create index ledger_transfer_hold on ledger_transfer (hold_id);

create table ledger_entry (
    transfer_id text not null references ledger_transfer (id),
    account_id text not null references ledger_account (id),
    amount bigint not null,
    primary key (transfer_id, account_id)
);
create index ledger_entry_account on ledger_entry (account_id);

-- response_id is cleared when the response is erased: the hold keeps amounts and times only.
create table hold (
    id text not null primary key,
    wallet_id text not null references wallet (id),
    org_id text not null,
    study_id text not null,
    response_id text,
    amount bigint not null,
    state text not null,
    created_at bigint not null,
    closed_at bigint
);
create index hold_response on hold (response_id);
create unique index hold_once on hold (response_id) where state <> 'released';

create table study (
    id text not null primary key,
    org_id text not null references org (id),
    link_id text not null unique,
    title text not null,
    status text not null,
    revision bigint not null,
    published_revision bigint not null default 0,
    creator_id text references person (id),
    folder_path text,
    wallet_id text references wallet (id),
    completed_count bigint not null default 0,
    last_readable_id bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    launched_at bigint,
    deleted_at bigint
);
create index study_org on study (org_id, created_at, id);

-- Every link id that a study ever had: an old one resolves until another study takes it over.
create table study_link (
    link_id text not null primary key,
    study_id text not null references study (id),
    created_at bigint not null
);
create index study_link_study on study_link (study_id);

create table study_revision (
    study_id text not null references study (id),
    revision bigint not null,
    guide text not null,
    created_at bigint not null,
    primary key (study_id, revision)
);

create table study_grant (
    study_id text not null references study (id),
    user_id text not null references person (id),
    permission text not null,
    created_at bigint not null,
    primary key (study_id, user_id, permission)
);

create table response (
    id text not null primary key,
    org_id text not null,
    study_id text not null references study (id),
    revision bigint not null,
    readable_id bigint not null,
    token_hash text not null,
    seed bigint not null,
    language text not null,
    url_params text not null,
    progress text not null,
    abandoned boolean not null default false,
    hidden boolean not null default false,
    turn_count bigint not null default 0,
    duration_us bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    active_at bigint not null,
    ended_at bigint,
    disclosed_at bigint not null,
    consented_at bigint not null,
    deleted_at bigint,
    unique (study_id, readable_id)
);
create index response_idle on response (active_at) where ended_at is null and not abandoned and deleted_at is null;

create table turn (
    response_id text not null references response (id),
    seq bigint not null,
    step_id text not null,
    kind text not null,
    item_id text not null,
    concept_id text not null,
    screen bigint not null default 0,
    body text not null,
    created_at bigint not null,
    primary key (response_id, seq)
);

create table analysis (
    response_id text not null primary key references response (id),
    provider text not null,
    body text not null,
    completed_at bigint not null
);

-- What the API returns for a response, as finished bytes: a projection that can be made again.
create table response_item (
    study_id text not null references study (id),
    readable_id bigint not null,
    response_id text not null unique,
    updated_at bigint not null,
    analysed boolean not null,
    hidden boolean not null,
    version bigint not null,
    list_item text not null,
    single_item text not null,
    primary key (study_id, readable_id)
);
-- Both indexes contain all that a list filters by, so that counting and finding a page read no documents.
create index response_item_page on response_item (study_id, readable_id, hidden, analysed);
create index response_item_updated on response_item (study_id, updated_at, readable_id, hidden, analysed);

-- The search by URL parameters; a covering index: one range, newest first.
create table url_param (
    org_id text not null,
    name text not null,
    value text not null,
    created_at bigint not null,
    response_id text not null,
    hidden boolean not null,
    study_id text not null,
    readable_id bigint not null,
    primary key (org_id, name, value, created_at, response_id)
);
create index url_param_response on url_param (response_id);

-- The permanent receipt of a deletion: ids and times only.
create table deletion (
    id text not null primary key,
    org_id text not null,
    study_id text not null,
    response_id text not null unique,
    status text not null,
    requested_at bigint not null,
    completed_at bigint
);
create index deletion_org on deletion (org_id, requested_at);
create index deletion_waiting on deletion (requested_at) where status in ('queued', 'running');

create table job (
    id text not null primary key,
    kind text not null,
    args text not null,
    response_id text,
    state text not null,
    attempt bigint not null default 0,
    run_at bigint not null,
    lease_until bigint not null default 0,
    error text not null default '',
    created_at bigint not null
);
create index job_ready on job (run_at) where state = 'ready';
create index job_running on job (lease_until) where state = 'running';
create index job_response on job (response_id);

create table idempotency (
    org_id text not null,
    path text not null,
    idem_key text not null,
    body_hash text not null,
    answer text not null,
    created_at bigint not null,
    primary key (org_id, path, idem_key)
);
create index idempotency_age on idempotency (created_at);

-- Settings of the installation, for example the secret that signs cursors.
create table setting (
    name text not null primary key,
    value text not null
);

-- +goose Down
drop table setting;
drop table idempotency;
drop table job;
drop table deletion;
drop table url_param;
drop table response_item;
drop table analysis;
drop table turn;
drop table response;
drop table study_grant;
drop table study_revision;
drop table study_link;
drop table study;
drop table hold;
drop table ledger_entry;
drop table ledger_transfer;
drop table ledger_account;
drop table wallet_grant;
drop table wallet;
drop table api_key;
drop table member;
drop table person;
drop table org;
