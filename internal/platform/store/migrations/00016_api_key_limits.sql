-- +goose Up
-- What an API key may do and for how long, and when it was last used (within about a minute).
alter table api_key add column expires_at bigint;
alter table api_key add column last_used_at bigint;
alter table api_key add column read_only boolean not null default false;

-- +goose Down
alter table api_key drop column read_only;
alter table api_key drop column last_used_at;
alter table api_key drop column expires_at;
