-- +goose Up
-- Webhooks: the endpoints of organizations. types and studies are ",a,b,", or empty for all. The secrets are settings, which backups leave out.
create table webhook_endpoint (
    id text not null primary key,
    org_id text not null references org (id),
    url text not null,
    description text not null,
    types text not null,
    studies text not null,
    parameters boolean not null,
    answers boolean not null,
    status text not null,
    disabled_because text not null default '',
    failures bigint not null default 0,
    failing_since bigint,
    retry_at bigint,
    created_at bigint not null,
    changed_at bigint not null
);
create index webhook_endpoint_org on webhook_endpoint (org_id);

-- What happened, written in the transaction that did it if an endpoint is told. response_id is empty where the event must outlive its
-- response. facts is what was known at that moment.
create table webhook_event (
    id text not null primary key,
    org_id text not null,
    study_id text not null,
    response_id text not null,
    type text not null,
    subject text not null,
    facts text not null,
    created_at bigint not null
);
create index webhook_event_response on webhook_event (response_id);
create index webhook_event_created on webhook_event (created_at);

-- The messages about events, one for each endpoint. Those of an endpoint about one subject are sent in the order of seq. There are no foreign keys, so that
-- a participant's transaction cannot fail because an endpoint is removed.
create table webhook_delivery (
    endpoint_id text not null,
    event_id text not null,
    response_id text not null,
    subject text not null,
    seq bigint not null,
    state text not null,
    attempts bigint not null default 0,
    http_status bigint not null default 0,
    error text not null default '',
    answer text not null default '',
    duration bigint not null default 0,
    created_at bigint not null,
    begun_at bigint not null,
    tried_at bigint,
    due_at bigint,
    primary key (endpoint_id, event_id)
);
create index webhook_delivery_subject on webhook_delivery (endpoint_id, subject, seq);
create index webhook_delivery_newest on webhook_delivery (endpoint_id, created_at);
create index webhook_delivery_event on webhook_delivery (event_id);
create index webhook_delivery_response on webhook_delivery (response_id);

-- +goose Down
drop table webhook_delivery;
drop table webhook_event;
drop table webhook_endpoint;
