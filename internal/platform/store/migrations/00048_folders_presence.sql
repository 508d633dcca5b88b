-- +goose Up
-- Folders that people made, which stay when no study is in them. folder_path is a JSON array of names, as in study.
create table study_folder (
    org_id text not null references org (id),
    folder_path text not null,
    created_at bigint not null,
    primary key (org_id, folder_path)
);

-- Who has a guide open, in which tab and at which card. A row is worth something for half a minute.
create table guide_presence (
    study_id text not null references study (id) on delete cascade,
    user_id text not null,
    tab text not null,
    item text not null,
    seen_at bigint not null,
    primary key (study_id, user_id, tab)
);

-- +goose Down
drop table guide_presence;
drop table study_folder;
