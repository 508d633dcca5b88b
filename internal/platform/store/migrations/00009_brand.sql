-- +goose Up
-- How an organization shows itself to participants. logo is the file name of an object below logos/; empty: none.
alter table org add column colour text not null default '';
alter table org add column logo text not null default '';
alter table org add column logo_width bigint not null default 0;
alter table org add column logo_height bigint not null default 0;

-- +goose Down
alter table org drop column logo_height;
alter table org drop column logo_width;
alter table org drop column logo;
alter table org drop column colour;
