-- +goose Up
-- The themes of an open question: as a machine found them, and what people changed in them since (internal/domain/codeframe). body
-- has no answers. Where nobody edited them, each report may replace them.
create table code_frame (
    study_id text not null references study (id) on delete cascade,
    question_id text not null,
    version bigint not null,
    edited boolean not null,
    provider text not null,
    model text not null,
    maker_version text not null,
    name text not null,
    body text not null,
    updated_at bigint not null,
    primary key (study_id, question_id)
);

-- Who changed the themes, when, and what; without the words of participants.
create table theme_change (
    study_id text not null references study (id) on delete cascade,
    question_id text not null,
    version bigint not null,
    action text not null check (action in ('rename', 'merge', 'split', 'recode', 'reset')),
    detail text not null,
    changed_by text not null,
    changed_at bigint not null,
    primary key (study_id, question_id, version)
);

-- The themes of single answers as somebody decided by hand.
create table theme_decision (
    response_id text not null references response (id) on delete cascade,
    question_id text not null,
    concept_id text not null,
    theme bigint not null,
    version bigint not null,
    assigned boolean not null,
    study_id text not null,
    primary key (response_id, question_id, concept_id, theme, version)
);
create index theme_decision_study on theme_decision (study_id, question_id);

-- +goose Down
drop table theme_decision;
drop table theme_change;
drop table code_frame;
