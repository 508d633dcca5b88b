-- +goose Up
-- A revision of a guide in another language: entries is what machines and people wrote, text by text; shown is what
-- participants see (null: the guide's own texts), and shown_version changes whenever that does.
create table translation (
    study_id text not null references study (id),
    revision bigint not null,
    language text not null,
    version bigint not null,
    auto boolean not null,
    entries text not null,
    shown text,
    shown_version bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (study_id, language, revision)
);

-- A participant's answers translated into the study's language; the original stays in the log.
create table answer_translation (
    response_id text not null references response (id),
    step_id text not null,
    source_hash text not null,
    body text not null,
    model text not null,
    prompt text not null,
    fault text not null,
    created_at bigint not null,
    primary key (response_id, step_id)
);

-- +goose Down
drop table answer_translation;
drop table translation;
