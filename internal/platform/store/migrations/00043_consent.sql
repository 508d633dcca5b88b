-- +goose Up
-- What participants agreed to before their interviews: each text once for each study, and who agreed to which. version counts the
-- texts of a study in one language.
create table consent_text (
    study_id text not null references study (id) on delete cascade,
    hash text not null,
    version bigint not null,
    language text not null,
    words text not null,
    created_at bigint not null,
    primary key (study_id, hash)
);
create table consent_given (
    response_id text not null references response (id) on delete cascade,
    hash text not null,
    given_at bigint not null,
    primary key (response_id, hash)
);

-- The text that the participant agreed to last; empty where the study asks for none.
alter table response add column consent_hash text not null default '';

-- +goose Down
alter table response drop column consent_hash;
drop table consent_given;
drop table consent_text;
