-- +goose Up
-- The servers that share this database, each as long as it sends heartbeats: rate limits are divided among them.
create table node (
    id text not null primary key,
    seen_at bigint not null
);

-- +goose Down
drop table node;
