-- +goose Up
-- The recordings made of the uploads of one step and the objects that they are played from. row_index is the row of the transcript.
-- The object names are empty where there is no such object, and all of them until the recording is ready.
create table recording (
    id text not null primary key,
    org_id text not null,
    response_id text not null references response (id),
    step_id text not null,
    kind text not null,
    row_index bigint not null,
    stage text not null,
    media_type text not null default '',
    object text not null default '',
    playlist text not null default '',
    poster text not null default '',
    waveform text not null default '',
    duration_us bigint not null default 0,
    error text not null default '',
    created_at bigint not null,
    unique (response_id, step_id, kind)
);

-- Whether there is something to play, so that a response without recordings is read by one query.
alter table response_item add column has_media boolean not null default false;

-- +goose Down
alter table response_item drop column has_media;
drop table recording;
