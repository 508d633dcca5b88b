-- +goose Up
-- Tags that people give, of an organization or, where study_id is not null, of one study. name_key is the name as it is compared.
create table annotation_tag (
    id text not null primary key,
    org_id text not null references org (id),
    study_id text references study (id) on delete cascade,
    name text not null,
    name_key text not null,
    colour text not null,
    user_id text not null,
    created_at bigint not null
);
create unique index annotation_tag_name on annotation_tag (org_id, coalesce(study_id, ''), name_key);
create index annotation_tag_study on annotation_tag (study_id);

-- What people note about a response, or highlight in it: words of a row of its transcript, from byte to byte of the participant's text, and
-- when they were said. row_index is -1 where it is about the whole response; begins_us is -1 where the time is not known; lost says that the
-- words do not stand in the row any more, since it was corrected.
create table annotation (
    id text not null primary key,
    study_id text not null references study (id) on delete cascade,
    response_id text not null references response (id) on delete cascade,
    row_index bigint not null,
    span_from bigint not null default 0,
    span_to bigint not null default 0,
    words text not null default '',
    lost boolean not null default false,
    begins_us bigint not null default -1,
    ends_us bigint not null default -1,
    note text not null default '',
    user_id text not null,
    created_at bigint not null,
    updated_at bigint not null
);
create index annotation_response on annotation (response_id);
create index annotation_study on annotation (study_id, created_at);

-- The tags of annotations.
create table annotation_tagged (
    annotation_id text not null references annotation (id) on delete cascade,
    tag_id text not null references annotation_tag (id) on delete cascade,
    primary key (annotation_id, tag_id)
);
create index annotation_tagged_tag on annotation_tagged (tag_id);

-- Corrections of spoken answers. words is the answer's text since, words_before the one that it replaced. What was heard stays in transcript.
create table correction (
    id text not null primary key,
    response_id text not null references response (id) on delete cascade,
    step_id text not null,
    row_index bigint not null,
    words text not null,
    words_before text not null,
    user_id text not null,
    created_at bigint not null,
    undone_at bigint,
    undone_by text not null default ''
);
create index correction_response on correction (response_id, created_at);

-- +goose Down
drop table correction;
drop table annotation_tagged;
drop table annotation;
drop table annotation_tag;
