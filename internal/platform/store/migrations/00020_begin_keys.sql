-- +goose Up
-- The keys with which participants' pages began interviews, so that a repeated request to begin leads to the same response.
-- key_hash is the SHA-256 of the study and the key, salt is random: the token is made of the salt and the key itself, which
-- is not stored. A row is removed a day or two after the begin.
create table begin_key (
    study_id text not null,
    key_hash text not null,
    salt text not null,
    response_id text not null,
    created_at bigint not null,
    primary key (study_id, key_hash)
);
create index begin_key_created on begin_key (created_at);

-- +goose Down
drop table begin_key;
