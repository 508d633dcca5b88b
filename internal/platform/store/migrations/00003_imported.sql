-- +goose Up
-- What was imported of a response that was interviewed elsewhere: its v1 list item, from which its documents are made, as
-- those of other responses are made from their turns.
create table imported_item (
    response_id text not null primary key references response (id),
    body text not null
);

-- Every start checks whether documents of an earlier version are left.
create index response_item_version on response_item (version);

-- +goose Down
drop index response_item_version;
drop table imported_item;
