-- Foreign keys are looked up row by row. For people, companies and who belongs to which, the tables that imports fill
-- by the hundred thousand, that was a quarter of an import's time. hold_ties() takes over the foreign keys of such a
-- table and keeps their promise for all rows of a statement at once: what a row names is there, in its account, and
-- stays there until the transaction of the row has ended; when it goes, the row goes too, or names nothing any more.
create table held_ties (
  child text not null,
  name text not null,
  child_columns text[] not null,
  parent text not null,
  parent_columns text[] not null,
  -- as in pg_constraint: a no action, c cascade, n set null
  on_delete "char" not null check (on_delete in ('a', 'c', 'n')),
  -- what becomes null
  emptied text[] not null,
  primary key (child, name)
);

-- All ties between tables, whoever holds them.
create view ties as
  select f.conname::text as name, f.conrelid::oid as child, f.confrelid::oid as parent, f.confdeltype as on_delete,
    f.condeferrable as is_deferrable,
    array(select a.attname::text from unnest(f.conkey) with ordinality k (attnum, place)
      join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum order by k.place) as columns,
    array(select a.attname::text from unnest(f.confkey) with ordinality k (attnum, place)
      join pg_catalog.pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.attnum order by k.place) as parent_columns
  from pg_catalog.pg_constraint f
  where f.contype = 'f' and f.connamespace = 'kith'::regnamespace and f.conparentid = 0
  union all
  select name, format('kith.%I', child)::regclass, format('kith.%I', parent)::regclass, on_delete, false, child_columns,
    parent_columns
  from held_ties;

create function tie_broken(tie held_ties) returns void language plpgsql as $$
begin
  raise foreign_key_violation using
    message = format('"%s" names something in "%s" that is not there', tie.child, tie.parent),
    schema = 'kith', table = tie.child, constraint = tie.name;
end $$;

-- `a.x = b.y and ...` for the columns of a tie
create function tie_matches(own text, own_columns text[], other text, other_columns text[]) returns text
  language sql immutable
  as $$
    select string_agg(format('%s.%I = %s.%I', own, o, other, p), ' and ')
    from unnest(own_columns, other_columns) k (o, p)
  $$;

create procedure hold_ties(target regclass) language plpgsql as $$
declare
  child_name text := (select relname from pg_catalog.pg_class where oid = target);
  tie held_ties;
  names text;
  present text;
  on_insert text := '';
  on_update text := '';
begin
  insert into held_ties
    select child_name, f.conname, columns.of_child, parent.relname, columns.of_parent, f.confdeltype,
      coalesce(columns.emptied, columns.of_child)
    from pg_catalog.pg_constraint f
    join pg_catalog.pg_class parent on parent.oid = f.confrelid
    cross join lateral (
      select array_agg(a.attname::text order by k.place) as of_child, array_agg(b.attname::text order by k.place) as of_parent,
        array_agg(a.attname::text) filter (where a.attnum = any(f.confdelsetcols)) as emptied
      from unnest(f.conkey, f.confkey) with ordinality k (own, other, place)
      join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own
      join pg_catalog.pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.other
    ) columns
    where f.conrelid = target and f.contype = 'f' and not f.condeferrable;

  for tie in select * from held_ties where child = child_name order by name loop
    execute format('alter table %I drop constraint %I', tie.child, tie.name);
    select string_agg(format('n.%I', c), ', '), string_agg(format('n.%I is not null', c), ' and ') into names, present
      from unnest(tie.child_columns) c;
    -- The look-up locks what it finds, as a foreign key does: nobody can remove it before this transaction has ended.
    on_insert := on_insert || format('
      if exists (
        select from (select distinct %s from new_rows n where %s) n
        where not exists (select from %I p where %s for key share)
      ) then
        perform tie_broken(t) from held_ties t where t.child = %L and t.name = %L;
      end if;', names, present, tie.parent, tie_matches('p', tie.parent_columns, 'n', tie.child_columns),
      tie.child, tie.name);
    on_update := on_update || format('
      if (%s) is distinct from (%s) and %s
        and not exists (select from %I p where %s for key share)
      then
        perform tie_broken(t) from held_ties t where t.child = %L and t.name = %L;
      end if;', replace(names, 'n.', 'old.'), replace(names, 'n.', 'new.'), replace(present, 'n.', 'new.'),
      tie.parent, tie_matches('p', tie.parent_columns, 'new', tie.child_columns), tie.child, tie.name);

    execute format('create function %I() returns trigger
      language plpgsql security definer set search_path = kith, pg_temp as $body$ begin %s; return null; end $body$',
      'released_' || tie.name, released(tie));
    execute format('create trigger %I after delete on %I referencing old table as old_rows
      for each statement execute function %I()', 'released_' || tie.name, tie.parent, 'released_' || tie.name);
  end loop;

  execute format('create function %I() returns trigger
    language plpgsql security definer set search_path = kith, pg_temp as $body$ begin %s return null; end $body$',
    child_name || '_tied', on_insert);
  execute format('create trigger ties_held after insert on %I referencing new table as new_rows
    for each statement execute function %I()', child_name, child_name || '_tied');

  execute format('create function %I() returns trigger
    language plpgsql security definer set search_path = kith, pg_temp as $body$ begin %s return null; end $body$',
    child_name || '_retied', on_update);
  select string_agg(distinct format('old.%I is distinct from new.%I', c, c), ' or ') into names
    from held_ties t cross join unnest(t.child_columns) c where t.child = child_name;
  execute format('create trigger ties_held_anew after update on %I for each row when (%s) execute function %I()',
    child_name, names, child_name || '_retied');
end $$;

-- What happens to those that named what is gone.
create function released(tie held_ties) returns text language sql immutable as $$
  select case tie.on_delete
    when 'c' then format('delete from %I c using old_rows o where %s', tie.child, matches)
    when 'n' then format('update %I c set %s from old_rows o where %s', tie.child,
      (select string_agg(format('%I = null', e), ', ') from unnest(tie.emptied) e), matches)
    else format('if exists (select from %I c join old_rows o on %s) then perform tie_broken(t) from held_ties t
      where t.child = %L and t.name = %L; end if', tie.child, matches, tie.child, tie.name)
  end
  from tie_matches('c', tie.child_columns, 'o', tie.parent_columns) matches
$$;

call hold_ties('companies');
call hold_ties('contacts');
call hold_ties('company_people');

-- A company's people are read all at once and are few: putting them in order takes less than an index of their order
-- costs each who joins.
drop index company_people_order;

-- As in migration 11, but for addresses: most people of a file are new, and putting nobody into an order takes longer
-- than finding nobody.
create or replace function records_called(of_kind text, keys text[])
  returns table (place int, key text, ids uuid[])
  language plpgsql stable security definer set search_path = kith, pg_temp set enable_seqscan = off
as $$
declare
  of_account uuid := current_account();
begin
  if of_account is null then raise exception 'records_called works within one account'; end if;
  if of_kind = 'company name' then
    return query select k.n::int, fold(k.text), array(
      select f.id from (select r.id, r.created_at from companies r where r.account_id = of_account
        and fold(r.name) = fold(k.text) and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'company domain' then
    return query select k.n::int, domain_name(k.text), array(
      select f.id from (select r.id, r.created_at from company_domains d
        join companies r on r.account_id = of_account and r.id = d.company_id and r.deleted_at is null
        where d.account_id = of_account and d.domain = domain_name(k.text) offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'contact address' then
    return query select k.n::int, k.address, case when exists (
        select from contact_addresses a where a.account_id = of_account and a.address = k.address
      ) then array(
        select f.id from (select r.id, r.created_at from contact_addresses a
          join contacts r on r.account_id = of_account and r.id = a.contact_id and r.deleted_at is null
          where a.account_id = of_account and a.address = k.address offset 0) f
        order by f.created_at, f.id limit 2) else '{}' end
      from (select u.n, lower(trim(u.text) collate "C") as address from unnest(keys) with ordinality u (text, n) offset 0) k;
  elsif of_kind = 'contact name' then
    -- by the index that the list of contacts is sorted with: one more would cost every contact that is written
    return query select k.n::int, lower(k.text collate "C"), array(
      select f.id from (select r.id, r.created_at from contacts r where r.account_id = of_account
        and lower(r.full_name collate "C") = lower(k.text collate "C") and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'contact phone' then
    return query select k.n::int, digits(k.text), array(
      select f.id from (select r.id, r.created_at from contacts r where r.account_id = of_account
        and digits(r.phone) = digits(k.text) and r.deleted_at is null and r.phone is not null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'deal name' then
    return query select k.n::int, fold(k.text), array(
      select f.id from (select r.id, r.created_at from deals r where r.account_id = of_account
        and fold(r.name) = fold(k.text) and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  else
    raise exception 'nothing is found by %', of_kind;
  end if;
end $$;
