-- +goose Up
-- The most connections to the database that each server opens if it may: together they must fit under the database's limit. 0
-- stands for a server of an earlier release.
alter table node add column connections bigint not null default 0;

-- +goose Down
alter table node drop column connections;
