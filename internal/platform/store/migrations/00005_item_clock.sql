-- +goose Up
-- The latest time that was handed out for the items of a study: a deletion does not set it back.
alter table study add column item_clock bigint not null default 0;
update study set item_clock = coalesce((select max(i.updated_at) from response_item i where i.study_id = study.id), 0);

-- +goose Down
alter table study drop column item_clock;
