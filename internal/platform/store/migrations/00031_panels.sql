-- +goose Up
-- Panels. The salt of a study makes the hashes of its participants and its completion codes.
create table panel_study (
    study_id text not null primary key references study (id) on delete cascade,
    salt text not null
);

-- Who takes part in a study, by the salted hash of the identifying parameter, with the latest interview and its outcome. A row that is remembered stays
-- when its response is deleted, with an empty response_id. token_salt is set where the participant may resume anywhere.
create table panel_participant (
    study_id text not null references study (id) on delete cascade,
    participant_hash text not null,
    response_id text not null,
    outcome text not null default '',
    remember boolean not null,
    token_salt text not null default '',
    created_at bigint not null,
    primary key (study_id, participant_hash)
);
create index panel_participant_response on panel_participant (response_id);

-- What a panel's server is told, and what came of it. response_id is empty where the response is deleted; url and body are then emptied
-- once the message has arrived or was discarded.
create table panel_delivery (
    id text not null primary key,
    study_id text not null references study (id) on delete cascade,
    org_id text not null,
    response_id text not null,
    idem_key text not null,
    outcome text not null,
    method text not null,
    url text not null,
    body text not null,
    key_header text not null,
    state text not null,
    attempts bigint not null default 0,
    http_status bigint not null default 0,
    error text not null default '',
    created_at bigint not null,
    tried_at bigint,
    delivered_at bigint,
    unique (study_id, idem_key)
);
create index panel_delivery_study on panel_delivery (study_id, created_at);
create index panel_delivery_response on panel_delivery (response_id);

-- +goose Down
drop table panel_delivery;
drop table panel_participant;
drop table panel_study;
