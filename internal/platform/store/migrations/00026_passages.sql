-- +goose Up
-- The passages of open answers by their words, for questions that are asked of the data. A passage is the participant's words
-- in one row of the transcript; terms holds each of its words once, folded and stemmed, in no order. It is a projection of the
-- documents: a background job makes it, and it may be made again. Whoever removes a response removes its passages with it, also
-- a program that does not know of them. The indexes over terms differ between engines: see adapt.
create table passage (
    id bigint not null primary key,
    org_id text not null,
    study_id text not null,
    response_id text not null references response (id) on delete cascade,
    row_number bigint not null,
    terms text not null
);
create index passage_response on passage (response_id);

-- Of which state of each response its passages are: the document's updated_at.
create table passage_source (
    response_id text not null primary key references response (id) on delete cascade,
    study_id text not null,
    updated_at bigint not null
);
create index passage_source_study on passage_source (study_id);

-- The clock of each study when all its ended responses were last found in the index: every change of them advances it.
create table passage_study (
    study_id text not null primary key,
    item_clock bigint not null
);

-- +goose Down
drop table passage_study;
drop table passage_source;
drop table passage;
