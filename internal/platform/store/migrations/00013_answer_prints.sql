-- +goose Up
-- Fingerprints of answers in participants' own words, to find equal ones in several responses of a study. The key contains
-- all that the search reads.
create table answer_print (
    study_id text not null references study (id),
    hash text not null,
    readable_id bigint not null,
    response_id text not null references response (id),
    row_index bigint not null,
    primary key (study_id, hash, readable_id, row_index)
);
create index answer_print_response on answer_print (response_id);

-- +goose Down
drop table answer_print;
