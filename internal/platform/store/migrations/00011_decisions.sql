-- +goose Up
-- How each turn of the moderator came about: one row for each decision, under the number of its turn. body holds the reason
-- and what the guard refused.
create table decision (
    response_id text not null references response (id),
    seq bigint not null,
    words text not null,
    kind text not null,
    provider text not null,
    model text not null,
    prompt text not null,
    prompt_hash text not null,
    seed bigint not null,
    fallback text not null,
    prompt_tokens bigint not null,
    completion_tokens bigint not null,
    micro_cost bigint not null,
    first_words_us bigint not null,
    took_us bigint not null,
    body text not null,
    created_at bigint not null,
    primary key (response_id, seq)
);

-- +goose Down
drop table decision;
