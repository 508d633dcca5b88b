-- +goose Up
-- The places that participants take in the cells of a study's quotas, and in its target of completed interviews (both ids are empty
-- then). Whoever adds a row has locked the study, so the rows of a cell never exceed its limit. A row of an interview that was turned
-- away because the cell was full takes no place, and neither does one of a hidden response.
create table quota_place (
    response_id text not null references response (id) on delete cascade,
    quota_id text not null,
    cell_id text not null,
    study_id text not null,
    state text not null,
    hidden boolean not null default false,
    created_at bigint not null,
    primary key (response_id, quota_id, cell_id)
);
create index quota_place_cell on quota_place (study_id, quota_id, cell_id, state, hidden);

-- Interviews that researchers go through to see what participants will. They are no responses: nothing else reads them, and they are
-- removed a day after their last answer. log is a JSON array of turns.
create table preview (
    id text not null primary key,
    token_hash text not null,
    org_id text not null,
    study_id text not null references study (id),
    revision bigint not null,
    seed bigint not null,
    language text not null,
    url_params text not null,
    log text not null,
    turn_count bigint not null default 0,
    created_at bigint not null,
    active_at bigint not null
);
create index preview_study on preview (study_id, active_at);
create index preview_active on preview (active_at);

-- +goose Down
drop table preview;
drop table quota_place;
