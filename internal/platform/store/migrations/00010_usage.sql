-- +goose Up
-- What language models cost, by day (of the complete installation, UTC), study and interview. Amounts only; the row of an
-- interview is deleted with its response.
create table usage_total (
    scope text not null,
    id text not null,
    calls bigint not null default 0,
    prompt_tokens bigint not null default 0,
    completion_tokens bigint not null default 0,
    micro_cost bigint not null default 0,
    primary key (scope, id)
);

-- What calls under way may still cost. A hold that nobody settles no longer counts once it has expired.
create table usage_hold (
    id text not null primary key,
    study_id text,
    response_id text,
    prompt_tokens bigint not null,
    completion_tokens bigint not null,
    micro_cost bigint not null,
    expires_at bigint not null
);
create index usage_hold_expires on usage_hold (expires_at);
create index usage_hold_response on usage_hold (response_id) where response_id is not null;

-- +goose Down
drop table usage_hold;
drop table usage_total;
