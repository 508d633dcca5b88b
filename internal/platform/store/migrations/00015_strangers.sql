-- +goose Up
-- Limits that keep anonymous participants from spending an organization's credits and an operator's money.

-- answered: whether the participant gave any answer yet; the hold of an interview without one is released early. asked_seq
-- and asked_until: the lease of a server that asks a model for a turn of the moderator, by the turn's place in the log, and
-- when the lease ends.
alter table response add column answered boolean not null default false;
alter table response add column asked_seq bigint not null default -1;
alter table response add column asked_until bigint not null default 0;
update response set answered = true where turn_count > 0;
create index response_unanswered on response (active_at) where ended_at is null and not abandoned and deleted_at is null and not answered;

create index response_running on response (org_id, answered, active_at) where ended_at is null and not abandoned and deleted_at is null;

-- How fast interviews of a study are started from one network, as a clock that runs ahead: each start moves it by the pace.
-- network is a hash. A clock that is behind the time limits nothing and is removed.
create table start_pace (
    study_id text not null,
    network text not null,
    due_at bigint not null,
    primary key (study_id, network)
);
create index start_pace_due on start_pace (due_at);

-- Microseconds of speech sent to speech-to-text services: by day (of the complete installation, UTC), study and interview.
-- The row of an interview is deleted with its response.
create table speech_total (
    scope text not null,
    id text not null,
    speech_us bigint not null,
    primary key (scope, id)
);
insert into speech_total (scope, id, speech_us)
    select 'interview', response_id, sum(speech_us) from transcript where heard group by response_id;
insert into speech_total (scope, id, speech_us)
    select 'study', r.study_id, sum(t.speech_us) from transcript t join response r on r.id = t.response_id where t.heard group by r.study_id;

-- +goose Down
drop table speech_total;
drop table start_pace;
drop index response_running;
drop index response_unanswered;
alter table response drop column asked_until;
alter table response drop column asked_seq;
alter table response drop column answered;
