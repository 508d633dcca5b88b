-- +goose Up
-- Transcripts of uploads as the speech-to-text provider returned them, with times and confidence, beside the participant's
-- own text in the answer. Until heard is true, a row is a lease: listener has it until listening_until. body holds the words.
create table transcript (
    upload_id text not null primary key references upload (id) on delete cascade,
    response_id text not null references response (id),
    listener text not null,
    listening_until bigint not null,
    heard boolean not null default false,
    language text not null default '',
    body text not null default '',
    provider text not null default '',
    model text not null default '',
    duration_us bigint not null default 0,
    speech_us bigint not null default 0,
    created_at bigint not null
);
create index transcript_response on transcript (response_id);

-- The transcript of a recording that is the only form of an answer: it stands for the answer's text, which is empty.
alter table turn add column heard text;
alter table turn add column heard_at bigint;

-- Whether the recording is all that was said at its step, so that it must be transcribed.
alter table recording add column hear boolean not null default false;

-- +goose Down
alter table recording drop column hear;
alter table turn drop column heard_at;
alter table turn drop column heard;
drop table transcript;
