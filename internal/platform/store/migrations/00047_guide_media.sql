-- +goose Up
-- Images, films and captions that people upload for guides. id is random, since it stands in addresses that participants get. size is what was
-- announced, received what has arrived, and stored what is kept, in bytes. kind is empty until the first bytes are there. used_at is when a guide
-- was last known to name it; before it is ready, when something last happened to it.
create table guide_media (
    id text not null primary key,
    org_id text not null references org (id),
    study_id text not null,
    user_id text not null,
    kind text not null,
    stage text not null,
    name text not null,
    size bigint not null,
    received bigint not null default 0,
    parts bigint not null default 0,
    file text not null default '',
    stored bigint not null default 0,
    width bigint not null default 0,
    height bigint not null default 0,
    duration_us bigint not null default 0,
    problem text not null default '',
    created_at bigint not null,
    used_at bigint not null
);
create index guide_media_org on guide_media (org_id, study_id);
create index guide_media_used on guide_media (used_at);

-- The objects of an upload on its way in, in order.
create table guide_media_part (
    media_id text not null references guide_media (id) on delete cascade,
    seq bigint not null,
    object text not null,
    size bigint not null,
    primary key (media_id, seq)
);

-- Which studies have, or had, a guide that names it. The guides themselves are looked at before anything is removed.
create table guide_media_use (
    media_id text not null references guide_media (id) on delete cascade,
    study_id text not null references study (id) on delete cascade,
    primary key (media_id, study_id)
);
create index guide_media_use_study on guide_media_use (study_id);

-- +goose Down
drop table guide_media_use;
drop table guide_media_part;
drop table guide_media;
