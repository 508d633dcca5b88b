-- +goose Up
-- When the tombstone of a deletion was written beside the objects; null: not yet.
alter table deletion add column tombstone_at bigint;
create index deletion_without_tombstone on deletion (requested_at) where tombstone_at is null;

-- +goose Down
drop index deletion_without_tombstone;
alter table deletion drop column tombstone_at;
