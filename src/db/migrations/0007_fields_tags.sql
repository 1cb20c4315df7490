-- Custom fields, categories and tags, with the tables behind them by which lists find and sort records.
--
-- Under row-level security an index serves only comparisons that PostgreSQL knows to give nothing away: those of
-- text, uuid, numbers and times do, those of jsonb, numeric and arrays do not. So what stands in `metadata` and
-- `categories` is kept a second time in plain columns, by triggers, so that no path that writes can forget it.

create table custom_fields (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  entity_type text not null check (entity_type in ('company', 'contact', 'deal', 'activity')),
  key text not null,
  name text not null,
  field_type text not null check (field_type in (
    'text', 'long_text', 'number', 'currency', 'boolean', 'date', 'datetime', 'select', 'multi_select', 'url',
    'email', 'phone', 'user', 'reference', 'rating', 'json')),
  description text,
  is_required boolean not null default false,
  is_unique boolean not null default false,
  default_value jsonb,
  options jsonb,
  validation jsonb,
  group_name text,
  position int not null default 0,
  is_archived boolean not null default false,
  search_text text not null generated always as (fold(
    name || chr(10) || key || chr(10) || coalesce(description, '') || chr(10) || coalesce(group_name, '')
  )) stored,
  primary key (account_id, id)
);
create unique index custom_fields_key on custom_fields (account_id, entity_type, key) where deleted_at is null;
create index custom_fields_order on custom_fields (account_id, position, id) where deleted_at is null;
call journal_records('custom_fields');
create trigger tell_caches after insert or update or delete on custom_fields
  for each row execute function tell_caches();

-- One row for each value of a declared key, several for a multi_select. It follows its field and its record by
-- triggers, without foreign keys, which would take longer than all the rest when records are written.
create table custom_values (
  account_id uuid not null,
  entity_id uuid not null,
  field_id uuid not null,
  item int not null,
  -- the beginning of a text: an index entry has room for 2,700 bytes
  text_value text collate "C",
  sort_text text collate "C" generated always as (lower(left(text_value, 200))) stored,
  number_value double precision,
  time_value timestamptz(3),
  -- of the whole value, on living records, when the field is unique
  unique_hash bytea,
  primary key (account_id, entity_id, field_id, item)
);
create unique index custom_values_unique on custom_values (account_id, field_id, unique_hash)
  where unique_hash is not null;
create index custom_values_text on custom_values (account_id, field_id, text_value, entity_id)
  where text_value is not null;
create index custom_values_order on custom_values (account_id, field_id, sort_text, entity_id)
  where item = 0 and sort_text is not null;
create index custom_values_number on custom_values (account_id, field_id, number_value, entity_id)
  where number_value is not null;
create index custom_values_time on custom_values (account_id, field_id, time_value, entity_id)
  where time_value is not null;

-- Values that were there before a field was declared may be anything: what is no moment is null.
create function custom_moment(value text) returns timestamptz
  language plpgsql immutable strict set timezone = 'UTC' as $$
begin
  if value !~ '^\d{4}-\d{2}-\d{2}' then return null; end if;
  return value::timestamptz;
exception when data_exception then return null;
end $$;

-- A metadata value as the rows that custom_values keeps of it; none when it does not fit the type.
create function custom_parts(field_type text, value jsonb)
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

create function custom_hash(field_type text, whole text, number_value double precision, time_value timestamptz)
  returns bytea language sql immutable as $$
    select sha256(convert_to(coalesce(
      case when field_type = 'email' then lower(whole) else whole end,
      number_value::text, extract(epoch from time_value)::text), 'UTF8'))
  $$;

-- Whoever writes records holds this lock shared, whoever declares a field holds it alone: a record that is being
-- written while a field is declared is then seen by one of the two, and its value is not lost to the lists.
create function custom_fields_lock(of_account uuid) returns bigint
  language sql immutable as $$ select hashtextextended('custom_fields ' || of_account, 0) $$;

create function custom_values_follow() returns trigger language plpgsql as $$
declare
  touched record;
begin
  if tg_op = 'DELETE' then
    delete from custom_values v using old_rows o where v.account_id = o.account_id and v.entity_id = o.id;
    return null;
  end if;
  for touched in select distinct account_id from new_rows loop
    perform pg_advisory_xact_lock_shared(custom_fields_lock(touched.account_id));
  end loop;
  if tg_op = 'INSERT' then
    insert into custom_values
      (account_id, entity_id, field_id, item, text_value, number_value, time_value, unique_hash)
      select n.account_id, n.id, f.id, p.item, left(p.whole, 500), p.number_value, p.time_value,
        case when f.is_unique and n.deleted_at is null
          then custom_hash(f.field_type, p.whole, p.number_value, p.time_value) end
      from new_rows n
      join custom_fields f on f.account_id = n.account_id and f.entity_type = tg_argv[0] and f.deleted_at is null
      cross join lateral custom_parts(f.field_type, n.metadata -> f.key) p;
    return null;
  end if;
  -- By `except`, which hashes however many rows there are: a join of old and new would keep the plan made for
  -- the first, single row, and a change of many records would take time by the square of their number.
  -- All values go before any comes back, so that two records can exchange a unique one.
  delete from custom_values v using (
    select account_id, id, metadata, deleted_at is null from new_rows
    except select account_id, id, metadata, deleted_at is null from old_rows
  ) c where v.account_id = c.account_id and v.entity_id = c.id;
  insert into custom_values
    (account_id, entity_id, field_id, item, text_value, number_value, time_value, unique_hash)
    select n.account_id, n.id, f.id, p.item, left(p.whole, 500), p.number_value, p.time_value,
      case when f.is_unique and n.lives
        then custom_hash(f.field_type, p.whole, p.number_value, p.time_value) end
    from (
      select account_id, id, metadata, deleted_at is null as lives from new_rows
      except select account_id, id, metadata, deleted_at is null from old_rows
    ) n
    join custom_fields f on f.account_id = n.account_id and f.entity_type = tg_argv[0] and f.deleted_at is null
    cross join lateral custom_parts(f.field_type, n.metadata -> f.key) p;
  return null;
end $$;

-- For each table whose records have custom fields.
create procedure track_custom_values(target regclass, entity_type text) language plpgsql as $$
begin
  execute format('create trigger custom_values_added after insert on %s referencing new table as new_rows
    for each statement execute function custom_values_follow(%L)', target, entity_type);
  execute format('create trigger custom_values_changed after update on %s
    referencing old table as old_rows new table as new_rows
    for each statement execute function custom_values_follow(%L)', target, entity_type);
  execute format('create trigger custom_values_gone after delete on %s referencing old table as old_rows
    for each statement execute function custom_values_follow(%L)', target, entity_type);
end $$;

create function record_table(entity_type text) returns text language sql immutable
  as $$
    select case entity_type when 'company' then 'companies' when 'activity' then 'activities'
      else entity_type || 's' end
  $$;

create function custom_field_declared() returns trigger language plpgsql as $$
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
create trigger custom_field_declared after insert or update or delete on custom_fields
  for each row execute function custom_field_declared();

-- Which records carry which category, by its folded name; like custom_values it follows the records.
create table category_uses (
  account_id uuid not null,
  entity_id uuid not null,
  name_key text collate "C" not null,
  primary key (account_id, entity_id, name_key)
);
create index category_uses_name on category_uses (account_id, name_key, entity_id);

alter table categories add column name_key text collate "C" generated always as (fold(name)) stored;
alter table categories add column search_text text not null
  generated always as (fold(name || chr(10) || coalesce(description, ''))) stored;
alter table favorite_folders add column search_text text not null generated always as (fold(name)) stored;
create index categories_name_key on categories (account_id, name_key) where deleted_at is null;
create index categories_order on categories (account_id, position, id) where deleted_at is null;

-- How many living records carry a category or a tag is kept as sums in record_counts: counting the 400,000
-- uses of an account's categories for one page of them takes a quarter of a second.
create function category_uses_follow() returns trigger language plpgsql as $$
declare step record;
begin
  if tg_op = 'INSERT' then
    insert into category_uses (account_id, entity_id, name_key)
      select distinct n.account_id, n.id, fold(c) from new_rows n cross join lateral unnest(n.categories) c;
    for step in
      select n.account_id, u.name_key, count(*) as uses
      from new_rows n join category_uses u on u.account_id = n.account_id and u.entity_id = n.id
      where n.categories <> '{}' and n.deleted_at is null group by n.account_id, u.name_key
    loop
      perform count_step(step.account_id, 'category ' || step.name_key, step.uses, 0);
    end loop;
  elsif tg_op = 'DELETE' then
    for step in
      with gone as (
        delete from category_uses u using old_rows o where u.account_id = o.account_id and u.entity_id = o.id
        returning u.account_id, u.name_key, o.deleted_at
      )
      select g.account_id, g.name_key, count(*) as uses from gone g join accounts a on a.id = g.account_id
      where g.deleted_at is null group by g.account_id, g.name_key
    loop
      perform count_step(step.account_id, 'category ' || step.name_key, -step.uses, 0);
    end loop;
  else
    for step in
      -- by `except` and not by a join, as in custom_values_follow()
      with was as (
        select account_id, id, categories, deleted_at is null as lived from old_rows
        except select account_id, id, categories, deleted_at is null from new_rows
      ),
      becomes as (
        select account_id, id, categories, deleted_at is null as lives from new_rows
        except select account_id, id, categories, deleted_at is null from old_rows
      ),
      former as (
        delete from category_uses u using was w where u.account_id = w.account_id and u.entity_id = w.id
        returning u.account_id, u.entity_id, u.name_key, w.lived
      ),
      present as (
        select distinct c.account_id, c.id, fold(name) as name_key, c.lives
        from becomes c cross join lateral unnest(c.categories) name
      )
      select f.account_id, f.name_key, -count(*) as uses from former f where f.lived group by f.account_id, f.name_key
      union all
      select p.account_id, p.name_key, count(*) from present p where p.lives group by p.account_id, p.name_key
    loop
      perform count_step(step.account_id, 'category ' || step.name_key, step.uses, 0);
    end loop;
    insert into category_uses (account_id, entity_id, name_key)
      select distinct n.account_id, n.id, fold(c) from (
        select account_id, id, categories, deleted_at is null from new_rows
        except select account_id, id, categories, deleted_at is null from old_rows
      ) n cross join lateral unnest(n.categories) c;
  end if;
  return null;
end $$;

-- For each table whose records have categories.
create procedure track_categories(target regclass) language plpgsql as $$
begin
  execute format('create trigger category_uses_added after insert on %s referencing new table as new_rows
    for each statement execute function category_uses_follow()', target);
  execute format('create trigger category_uses_changed after update on %s
    referencing old table as old_rows new table as new_rows
    for each statement execute function category_uses_follow()', target);
  execute format('create trigger category_uses_gone after delete on %s referencing old table as old_rows
    for each statement execute function category_uses_follow()', target);
  execute format('insert into category_uses (account_id, entity_id, name_key)
    select distinct r.account_id, r.id, fold(c) from %s r cross join lateral unnest(r.categories) c', target);
  execute format('insert into record_counts (account_id, kind, living, trashed)
    select r.account_id, ''category '' || u.name_key, count(*), 0
    from %s r join category_uses u on u.account_id = r.account_id and u.entity_id = r.id
    where r.deleted_at is null group by r.account_id, u.name_key', target);
end $$;

create table tags (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  color text,
  name_key text collate "C" generated always as (fold(name)) stored,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);
create unique index tags_name on tags (account_id, name_key) where deleted_at is null;
create index tags_created on tags (account_id, created_at desc, id desc) where deleted_at is null;
call journal_records('tags');

create table taggings (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  tag_id uuid not null,
  entity_type text not null check (entity_type in ('company', 'contact', 'deal', 'activity', 'note')),
  entity_id uuid not null,
  created_by uuid references users,
  primary key (account_id, entity_id, tag_id),
  unique (account_id, id),
  foreign key (account_id, tag_id) references tags (account_id, id) on delete cascade
);
create index taggings_tag on taggings (account_id, tag_id, entity_type, entity_id);
call journal_links('taggings', 'entity_id', 'tag_id');

-- Which of these records live, held so that this stays true until the transaction ends: a record that goes to
-- the trash at the same time is then counted by one of the two.
create function living_records(of_account uuid, entity_type text, ids uuid[]) returns uuid[] language plpgsql as $$
declare found uuid[];
begin
  execute format('select array(select id from %I
    where account_id = $1 and id = any($2) and deleted_at is null order by id for share)', record_table(entity_type))
    into found using of_account, ids;
  return found;
end $$;

create function taggings_counted() returns trigger language plpgsql as $$
declare
  touched record;
  step record;
begin
  for touched in
    select t.account_id, t.entity_type, array_agg(distinct t.entity_id) as ids
    from touched_rows t join accounts a on a.id = t.account_id group by t.account_id, t.entity_type
  loop
    touched.ids := living_records(touched.account_id, touched.entity_type, touched.ids);
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
create trigger taggings_added after insert on taggings referencing new table as touched_rows
  for each statement execute function taggings_counted('1');
create trigger taggings_gone after delete on taggings referencing old table as touched_rows
  for each statement execute function taggings_counted('-1');
-- a merge moves them from one record to another
create trigger taggings_moved_from after update on taggings referencing old table as touched_rows
  for each statement execute function taggings_counted('-1');
create trigger taggings_moved_to after update on taggings referencing new table as touched_rows
  for each statement execute function taggings_counted('1');

create function tags_follow() returns trigger language plpgsql as $$
declare step record;
begin
  for step in
    select t.account_id, t.tag_id, count(*) filter (where n.deleted_at is null)
      - count(*) filter (where n.deleted_at is not null) as uses
    from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
    join taggings t on t.account_id = n.account_id and t.entity_id = n.id
    where (n.deleted_at is null) <> (o.deleted_at is null) group by t.account_id, t.tag_id
  loop
    perform count_step(step.account_id, 'tag ' || step.tag_id, step.uses, 0);
  end loop;
  return null;
end $$;

-- What hangs on a record by its id alone goes when the record goes for good.
create function record_forgotten() returns trigger language plpgsql as $$
declare step record;
begin
  for step in
    select t.account_id, t.tag_id, count(*) as uses
    from old_rows o join accounts a on a.id = o.account_id
    join taggings t on t.account_id = o.account_id and t.entity_id = o.id
    where o.deleted_at is null group by t.account_id, t.tag_id
  loop
    perform count_step(step.account_id, 'tag ' || step.tag_id, -step.uses, 0);
  end loop;
  delete from taggings t using old_rows o where t.account_id = o.account_id and t.entity_id = o.id;
  delete from favorites f using old_rows o where f.account_id = o.account_id and f.entity_id = o.id;
  return null;
end $$;

-- For each table whose records have tags.
create procedure track_tags(target regclass) language plpgsql as $$
begin
  execute format('create trigger tags_follow after update on %s referencing old table as old_rows new table as new_rows
    for each statement execute function tags_follow()', target);
  execute format('create trigger record_forgotten after delete on %s referencing old table as old_rows
    for each statement execute function record_forgotten()', target);
end $$;

call track_custom_values('companies', 'company');
call track_custom_values('contacts', 'contact');
call track_custom_values('deals', 'deal');
call track_custom_values('activities', 'activity');
call track_categories('companies');
call track_categories('contacts');
call track_categories('deals');
call track_tags('companies');
call track_tags('contacts');
call track_tags('deals');
call track_tags('activities');
call track_tags('notes');
