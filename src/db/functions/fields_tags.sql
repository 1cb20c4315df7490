-- Custom fields, categories, tags and favorites.

call journal_records('custom_fields');
call journal_records('categories');
call journal_records('tags');
call journal_records('favorite_folders');
call journal_records('favorites');
call journal_links('taggings', 'entity_id', 'tag_id');

-- Values that existed before their field was declared can be anything; null for one that is not a time.
create or replace function custom_moment(value text) returns timestamptz
  language plpgsql immutable strict set timezone = 'UTC' as $$
begin
  if value !~ '^\d{4}-\d{2}-\d{2}' then return null; end if;
  return value::timestamptz;
exception when data_exception then return null;
end $$;

-- The rows of custom_values for a metadata value; none if it does not fit the type.
create or replace function custom_parts(field_type text, value jsonb)
  returns table (item int, whole text, number_value double precision, time_value timestamptz)
  language sql immutable as $$
    select 0, null::text, n.number_value, null::timestamptz
      from (select case
        when jsonb_typeof(value) = 'number' and abs(value::numeric) < 1.7e308 then value::double precision
        when value #>> '{}' ~ '^[+-]?\d{1,200}(\.\d{1,200})?$' then (value #>> '{}')::double precision
      end offset 0) n (number_value)
      where field_type in ('number', 'currency', 'rating') and n.number_value is not null
    union all
    select 0, null, null, t.time_value
      from (
        select case when field_type in ('date', 'datetime') then custom_moment(value #>> '{}') end offset 0
      ) t (time_value)
      where t.time_value is not null
    union all
    select (e.place - 1)::int, e.part #>> '{}', null, null
      from jsonb_array_elements(
        case jsonb_typeof(value) when 'array' then value else jsonb_build_array(value) end
      ) with ordinality e (part, place)
      where field_type = 'multi_select' and jsonb_typeof(e.part) = 'string'
    union all
    select 0, value #>> '{}', null, null
      where field_type not in ('number', 'currency', 'rating', 'date', 'datetime', 'multi_select', 'json')
        and jsonb_typeof(value) in ('string', 'number', 'boolean')
  $$;

create or replace function custom_hash(field_type text, whole text, number_value double precision, time_value timestamptz)
  returns bytea language sql immutable as $$
    select sha256(convert_to(coalesce(
      case when field_type = 'email' then lower(whole) else whole end,
      number_value::text, extract(epoch from time_value)::text), 'UTF8'))
  $$;

-- A transaction that writes records holds this advisory lock shared, one that declares a field holds it exclusively:
-- one of the two then sees a record that is written while a field is declared, and its value is indexed.
create or replace function custom_fields_lock(of_account uuid) returns bigint
  language sql immutable as $$ select hashtextextended('custom_fields ' || of_account, 0) $$;

create or replace function delete_custom_values() returns trigger language plpgsql as $$
begin
  delete from custom_values v using old_rows o where v.account_id = o.account_id and v.entity_id = o.id;
  return null;
end $$;
comment on function delete_custom_values() is 'The custom values of an erased record are deleted.';

-- For each kind whose records have custom fields: called by kinds.sql.
create or replace procedure track_custom_values(target regclass, entity_type text) language plpgsql as $$
declare
  rule text := 'custom_values matches the declared fields in the metadata of the records, and a unique field has each value once among records that are not in the trash.';
  locked text := '
    perform pg_advisory_xact_lock_shared(custom_fields_lock(write.account_id));';
  -- All values are deleted before any is inserted, so that two records can exchange a unique value.
  deleted text := '
    delete from custom_values v where v.account_id = write.account_id and v.entity_id = any(write.custom_values);';
  inserted text := format($body$
    insert into custom_values
      (account_id, entity_id, field_id, item, text_value, number_value, time_value, unique_hash)
      select n.account_id, n.id, f.id, p.item, left(p.whole, 500), p.number_value, p.time_value,
        case when f.is_unique and n.deleted_at is null
          then custom_hash(f.field_type, p.whole, p.number_value, p.time_value) end
      from new_rows n cross join custom_fields f
      cross join lateral custom_parts(f.field_type, n.metadata -> f.key) p
      where n.id = any(write.custom_values)
        and f.account_id = write.account_id and f.entity_type = %L and f.deleted_at is null;$body$, entity_type);
begin
  call after_insert(target, 'custom_values', rule, $condition$n.metadata <> '{}'$condition$, locked || inserted);
  call after_update(target, 'custom_values', rule, $condition$(n.metadata <> '{}' or o.metadata <> '{}')
        and (o.metadata <> n.metadata or (o.deleted_at is null) <> (n.deleted_at is null))$condition$,
    locked || deleted || inserted);
  execute format('create trigger custom_values_deleted after delete on %s referencing old table as old_rows
    for each statement execute function delete_custom_values()', target);
end $$;

-- Runs with its owner's rights, because the role that serves requests can read no table without an account.
create or replace function record_table(of_kind text) returns text language sql stable
  security definer set search_path = kith, pg_temp
  as $$ select table_name from kinds where entity_type = of_kind $$;

create or replace function index_custom_field() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from custom_values where account_id = old.account_id and field_id = old.id;
    return null;
  end if;
  if tg_op = 'UPDATE' and (new.deleted_at is null) = (old.deleted_at is null)
    and (new.deleted_at is not null or new.is_unique = old.is_unique) then
    return null;
  end if;
  perform pg_advisory_xact_lock(custom_fields_lock(new.account_id));
  delete from custom_values where account_id = new.account_id and field_id = new.id;
  if new.deleted_at is not null then return null; end if;
  execute format(
    'insert into custom_values
      (account_id, entity_id, field_id, item, text_value, number_value, time_value, unique_hash)
      select r.account_id, r.id, $2, p.item, left(p.whole, 500), p.number_value, p.time_value,
        case when $5 and r.deleted_at is null then custom_hash($4, p.whole, p.number_value, p.time_value) end
      from %I r cross join lateral custom_parts($4, r.metadata -> $3) p
      where r.account_id = $1 and r.metadata ? $3',
    record_table(new.entity_type)
  ) using new.account_id, new.id, new.key, new.field_type, new.is_unique;
  return null;
end $$;
comment on function index_custom_field() is
  'Declaring a custom field indexes the values that records already have, and deleting it removes them from the index.';
create trigger index_custom_field after insert or update or delete on custom_fields
  for each row execute function index_custom_field();

-- The number of records outside the trash per category and per tag is stored in record_counts: counting the 400,000
-- category uses of an account for one page of categories takes a quarter of a second.
create or replace function delete_category_uses() returns trigger language plpgsql as $$
declare step record;
begin
  for step in
    with gone as (
      delete from category_uses u using old_rows o where u.account_id = o.account_id and u.entity_id = o.id
      returning u.account_id, u.name_key, o.deleted_at
    )
    select g.account_id, g.name_key, count(*) as uses from gone g
    join accounts a on a.id = g.account_id and a.closed_at is null
    where g.deleted_at is null group by g.account_id, g.name_key
  loop
    perform count_step(step.account_id, 'category ' || step.name_key, -step.uses, 0);
  end loop;
  return null;
end $$;
comment on function delete_category_uses() is
  'The categories of an erased record leave category_uses and the counts per category.';

-- For each kind whose records have categories: called by kinds.sql.
create or replace procedure track_categories(target regclass) language plpgsql as $$
declare
  rule text := 'category_uses and the counts per category match the categories of the records.';
begin
  call after_insert(target, 'categories', rule, $condition$n.categories <> '{}'$condition$, $body$
    insert into category_uses (account_id, entity_id, name_key)
      select distinct n.account_id, n.id, fold(c) from new_rows n cross join lateral unnest(n.categories) c
      where n.id = any(write.categories);
    for step in
      select u.name_key, count(*) as uses
      from new_rows n join category_uses u on u.account_id = write.account_id and u.entity_id = n.id
      where n.id = any(write.categories) and n.deleted_at is null group by u.name_key
    loop
      perform count_step(write.account_id, 'category ' || step.name_key, step.uses, 0);
    end loop;$body$);
  call after_update(target, 'categories', rule, $condition$coalesce(n.categories, '{}') <> coalesce(o.categories, '{}')
        or ((n.deleted_at is null) <> (o.deleted_at is null) and n.categories <> '{}')$condition$, $body$
    for step in
      with former as (
        delete from category_uses u where u.account_id = write.account_id and u.entity_id = any(write.categories)
        returning u.entity_id, u.name_key
      ),
      present as (
        select distinct n.id, fold(c) as name_key from new_rows n cross join lateral unnest(n.categories) c
        where n.id = any(write.categories) and n.deleted_at is null
      )
      select f.name_key, -count(*) as uses from former f join old_rows o on o.id = f.entity_id
        where o.deleted_at is null group by f.name_key
      union all
      select p.name_key, count(*) from present p group by p.name_key
    loop
      perform count_step(write.account_id, 'category ' || step.name_key, step.uses, 0);
    end loop;
    insert into category_uses (account_id, entity_id, name_key)
      select distinct n.account_id, n.id, fold(c) from new_rows n cross join lateral unnest(n.categories) c
      where n.id = any(write.categories);$body$);
  execute format('create trigger category_uses_deleted after delete on %s referencing old table as old_rows
    for each statement execute function delete_category_uses()', target);
end $$;

-- Which of these records are not in the trash, locked so that this stays true until the transaction ends: a record
-- that is deleted at the same time is then counted by exactly one of the two transactions.
create or replace function lock_living_records(of_account uuid, entity_type text, ids uuid[]) returns uuid[]
  language plpgsql as $$
declare living uuid[];
begin
  execute format('select array(select id from %I
    where account_id = $1 and id = any($2) and deleted_at is null order by id for share)', record_table(entity_type))
    into living using of_account, ids;
  return living;
end $$;

-- The argument is 1 for rows that were added and -1 for rows that were removed.
create or replace function count_taggings() returns trigger language plpgsql as $$
declare
  touched record;
  step record;
begin
  for touched in
    select t.account_id, t.entity_type, array_agg(distinct t.entity_id) as ids
    from touched_rows t join accounts a on a.id = t.account_id and a.closed_at is null group by t.account_id, t.entity_type
  loop
    touched.ids := lock_living_records(touched.account_id, touched.entity_type, touched.ids);
    for step in
      select tag_id, count(*) as uses from touched_rows
      where account_id = touched.account_id and entity_type = touched.entity_type and entity_id = any(touched.ids)
      group by tag_id
    loop
      perform count_step(touched.account_id, 'tag ' || step.tag_id, tg_argv[0]::int * step.uses, 0);
    end loop;
  end loop;
  return null;
end $$;
comment on function count_taggings() is 'The count per tag includes every tagged record that is not in the trash.';
create trigger taggings_created after insert on taggings referencing new table as touched_rows
  for each statement execute function count_taggings('1');
create trigger taggings_deleted after delete on taggings referencing old table as touched_rows
  for each statement execute function count_taggings('-1');
-- a merge moves them from one record to another
create trigger taggings_moved_from after update on taggings referencing old table as touched_rows
  for each statement execute function count_taggings('-1');
create trigger taggings_moved_to after update on taggings referencing new table as touched_rows
  for each statement execute function count_taggings('1');

create or replace function delete_tags_and_favorites() returns trigger language plpgsql as $$
declare step record;
begin
  for step in
    select t.account_id, t.tag_id, count(*) as uses
    from old_rows o join accounts a on a.id = o.account_id and a.closed_at is null
    join taggings t on t.account_id = o.account_id and t.entity_id = o.id
    where o.deleted_at is null group by t.account_id, t.tag_id
  loop
    perform count_step(step.account_id, 'tag ' || step.tag_id, -step.uses, 0);
  end loop;
  delete from taggings t using old_rows o where t.account_id = o.account_id and t.entity_id = o.id;
  delete from favorites f using old_rows o where f.account_id = o.account_id and f.entity_id = o.id;
  return null;
end $$;
comment on function delete_tags_and_favorites() is 'Tags and favorites of an erased record are deleted with it.';

-- For each kind whose records have tags: called by kinds.sql.
create or replace procedure track_tags(target regclass) language plpgsql as $$
begin
  call after_update(target, 'tags', 'The count per tag changes when a tagged record is deleted or restored.',
    '(n.deleted_at is null) <> (o.deleted_at is null)', $body$
    for step in
      select t.tag_id, count(*) filter (where n.deleted_at is null) - count(n.deleted_at) as uses
      from taggings t join new_rows n on n.id = t.entity_id
      where t.account_id = write.account_id and t.entity_id = any(write.tags) group by t.tag_id
    loop
      perform count_step(write.account_id, 'tag ' || step.tag_id, step.uses, 0);
    end loop;$body$);
  execute format('create trigger tags_deleted after delete on %s referencing old table as old_rows
    for each statement execute function delete_tags_and_favorites()', target);
end $$;
