-- +goose Up
-- The columns by which pages of a list are found and get their ETag, without reading documents.
alter table response_item add column list_bytes bigint not null default 0;
update response_item set list_bytes = octet_length(list_item);

drop index response_item_page;
create index response_item_page on response_item (study_id, readable_id, hidden, analysed, updated_at, version, list_bytes);
drop index response_item_updated;
create index response_item_updated on response_item (study_id, updated_at, readable_id, hidden, analysed, version, list_bytes);

-- How many items of a study are not hidden, and how many of those are analysed, in each bucket of readable ids of a size. The
-- position of a page and the total are computed from them. bucket is the readable id divided by the size.
create table item_tally (
    study_id text not null references study (id),
    size bigint not null,
    bucket bigint not null,
    live bigint not null,
    analysed bigint not null,
    primary key (study_id, size, bucket)
);
insert into item_tally (study_id, size, bucket, live, analysed)
select study_id, size, readable_id / size, count(*), count(*) filter (where analysed)
from response_item, (select 1024 as size union all select 32768 union all select 1048576) sizes
where not hidden
group by study_id, size, readable_id / size;

-- +goose Down
drop table item_tally;
drop index response_item_updated;
create index response_item_updated on response_item (study_id, updated_at, readable_id, hidden, analysed);
drop index response_item_page;
create index response_item_page on response_item (study_id, readable_id, hidden, analysed);
alter table response_item drop column list_bytes;
