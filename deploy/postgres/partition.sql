-- Divides the largest tables of Verbatim's database into partitions, for installations of more than some ten million responses
-- (docs/scaling.md says when it pays, and what it changes). Stop every server and make a backup first, then:
--
--   psql "$VERBATIM_DATABASE" -v ON_ERROR_STOP=1 -v parts=16 -f partition.sql
--
-- It runs in one transaction: it does all or nothing. It needs PostgreSQL 14 or newer, the account that owns the tables, and as
-- much free disk as the tables take. Tables that are divided already are left alone.
begin;
select set_config('verbatim.parts', :'parts', true) as parts;

create function pg_temp.divide(name text, key text) returns void language plpgsql as $$
declare
	old text := name || '_whole';
	parts int := current_setting('verbatim.parts')::int;
	part int;
	columns text;
	definition record;
	again text[] := '{}';
	statement text;
begin
	if (select relkind from pg_class where oid = name::regclass) = 'p' then
		raise notice '% is divided already', name;
		return;
	end if;
	-- Foreign keys from and to the table are made again at the end.
	for definition in
		select conname, conrelid::regclass::text as of_table, pg_get_constraintdef(oid) as says
		from pg_constraint where contype = 'f' and conparentid = 0 and (conrelid = name::regclass or confrelid = name::regclass)
	loop
		execute format('alter table %s drop constraint %I', definition.of_table, definition.conname);
		again := again || format('alter table %s add constraint %I %s', definition.of_table, definition.conname, definition.says);
	end loop;
	-- Indexes, too. One that is unique without the key of the partitions cannot be so here; what it guards is unique by how the
	-- program makes it: see docs/scaling.md.
	for definition in
		select i.indexrelid::regclass::text as index_name, pg_get_indexdef(i.indexrelid) as says, i.indisprimary, i.indisunique, c.conname, pg_get_constraintdef(c.oid) as rule,
			exists (select from pg_attribute a where a.attrelid = i.indrelid and a.attname = key and a.attnum = any(i.indkey)) as holds_key
		from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u') where i.indrelid = name::regclass
	loop
		if definition.indisunique and not definition.holds_key then
			statement := replace(definition.says, 'CREATE UNIQUE INDEX', 'CREATE INDEX');
		elsif definition.conname is not null then
			statement := format('alter table %I add constraint %I %s', name, definition.conname, definition.rule);
		else
			statement := definition.says;
		end if;
		again := array_prepend(statement, again);
		if definition.conname is not null then
			execute format('alter table %I drop constraint %I', name, definition.conname);
		else
			execute format('drop index %s', definition.index_name);
		end if;
	end loop;
	execute format('alter table %I rename to %I', name, old);
	execute format('create table %I (like %I including defaults including storage including compression) partition by hash (%I)', name, old, key);
	for part in 0 .. parts - 1 loop
		execute format('create table %I partition of %I for values with (modulus %s, remainder %s)', name || '_part' || part, name, parts, part);
	end loop;
	select string_agg(quote_ident(attname), ', ') into columns from pg_attribute where attrelid = old::regclass and attnum > 0 and not attisdropped;
	execute format('insert into %I (%s) select %s from %I', name, columns, columns, old);
	execute format('drop table %I', old);
	foreach statement in array again loop
		execute statement;
	end loop;
end $$;

-- The keys matter: each statement of the program that touches one row or one page names them.
do $$ begin
	perform pg_temp.divide('response_item', 'study_id'); -- the finished JSON that lists and polls read
	perform pg_temp.divide('answer_print', 'study_id');
	perform pg_temp.divide('url_param', 'org_id'); -- the search by URL parameter
	perform pg_temp.divide('turn', 'response_id'); -- what was said
	perform pg_temp.divide('analysis', 'response_id');
	perform pg_temp.divide('response', 'id');
end $$;
commit;
analyze;
