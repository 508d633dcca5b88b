-- +goose Up
-- What is known of a response that was interviewed elsewhere: its v1 list item, from which its documents are made, as
-- those of others are made from their turns.
create table imported_item (
    response_id text not null primary key references response (id),
    body text not null
);

-- Whether documents of an earlier version are left is asked at every start.
create index response_item_version on response_item (version);

-- +goose Down
drop index response_item_version;
drop table imported_item;
