-- Foreign keys that are checked once per statement instead of once per row.
--
-- PostgreSQL looks up every foreign key of every row. For contacts, companies and company_people, which imports fill by
-- the hundred thousand, that was 30 % of the processor time of an import (decision 17). The triggers below enforce the
-- same rules for all rows of a statement at once: the parent row exists, in the same account, and cannot be deleted
-- or get another key before the transaction of the child row has ended; deleting it deletes the child row, sets its
-- column to null, or is refused. test/foreign-keys.property.test.ts compares them with real foreign keys.

-- All foreign keys, those of constraints and those of triggers.
create or replace view foreign_keys as
  select f.conname::text as name, f.conrelid::oid as child, f.confrelid::oid as parent, f.confdeltype as on_delete,
    f.condeferrable as is_deferrable,
    array(select a.attname::text from unnest(f.conkey) with ordinality k (attnum, n)
      join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.attnum order by k.n) as columns,
    array(select a.attname::text from unnest(f.confkey) with ordinality k (attnum, n)
      join pg_catalog.pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.attnum order by k.n) as parent_columns
  from pg_catalog.pg_constraint f
  where f.contype = 'f' and f.connamespace = 'kith'::regnamespace and f.conparentid = 0
  union all
  select name, format('kith.%I', child)::regclass, format('kith.%I', parent)::regclass, on_delete, false, child_columns,
    parent_columns
  from trigger_foreign_keys;

create or replace function foreign_key_violated(violated text) returns void language plpgsql as $$
declare
  key trigger_foreign_keys;
begin
  select * into key from trigger_foreign_keys where name = violated;
  raise foreign_key_violation using
    message = format('"%s" refers to a row of "%s" that does not exist', key.child, key.parent),
    schema = 'kith', table = key.child, constraint = key.name;
end $$;

-- At a higher isolation level a transaction does not see child rows that were committed after it began, and would
-- leave them without their parent.
create or replace function require_read_committed(of_table text) returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    raise feature_not_supported using
      message = format('rows of "%s" can be deleted or get another key only at the isolation level read committed', of_table);
  end if;
end $$;

create or replace function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise feature_not_supported using message = format('"%s" cannot be truncated: other tables refer to it', tg_table_name);
end $$;
comment on function refuse_truncate() is 'A table that others refer to by these triggers is not truncated.';

-- `a.x = b.y and ...` for the columns of a foreign key
create or replace function columns_equal(own text, own_columns text[], other text, other_columns text[]) returns text
  language sql immutable
  as $$
    select string_agg(format('%s.%I = %s.%I', own, o, other, p), ' and ')
    from unnest(own_columns, other_columns) k (o, p)
  $$;

-- Creates one trigger function, with its comment and its trigger, or replaces them.
create or replace procedure foreign_key_trigger(
  function_name text, body text, rule text, timing text, target text, options text
) language plpgsql as $$
begin
  execute format('create or replace function %I() returns trigger
    language plpgsql security definer set search_path = kith, pg_temp as $body$ begin %s return null; end $body$',
    function_name, body);
  execute format('comment on function %I() is %L', function_name, rule);
  execute format('create or replace trigger %I %s on %I %s execute function %I()',
    function_name, timing, target, options, function_name);
end $$;

-- The triggers that check new and changed rows of a child: one function, and for new rows one query, for all of its
-- keys, because most of the time of a new row is for starting functions and queries. The lookup locks the parent row, as
-- a foreign key does. Triggers of changed rows name their columns and have no condition: PostgreSQL parses a condition
-- again for every statement that updates the table, whatever its columns.
create or replace procedure check_foreign_keys(of_child text) language plpgsql as $$
declare
  inserted text;
  updated text;
  columns text;
  label text;
begin
  select string_agg(format('
        when %s and not exists (select from %I p where %s for key share) then %L',
      k.present, k.parent, columns_equal('p', k.parent_columns, 'n', k.child_columns), k.name), '' order by k.name),
    string_agg(format('
    if (%s) and %s and not exists (select from %I p where %s for key share) then
      perform foreign_key_violated(%L);
    end if;', k.changed, replace(k.present, 'n.', 'new.'), k.parent,
      columns_equal('p', k.parent_columns, 'new', k.child_columns), k.name), '' order by k.name),
    string_agg(format('(%s) to %s', array_to_string(k.child_columns, ', '), k.parent), ', ' order by k.name)
    into inserted, updated, label
    from (
      select f.*,
        (select string_agg(format('n.%I is not null', c), ' and ') from unnest(f.child_columns) c) as present,
        (select string_agg(format('old.%1$I is distinct from new.%1$I', c), ' or ') from unnest(f.child_columns) c) as changed
      from trigger_foreign_keys f where f.child = of_child
    ) k;
  select string_agg(distinct format('%I', c), ', ') into columns
    from trigger_foreign_keys f cross join unnest(f.child_columns) c where f.child = of_child;
  call foreign_key_trigger(of_child || '_references_insert', format('
    perform foreign_key_violated(v.name) from (select case %s
      end as name from new_rows n offset 0) v where v.name is not null;', inserted),
    format('Foreign keys: a new row of %s refers to rows that exist, by %s.', of_child, label),
    'after insert', of_child, 'referencing new table as new_rows for each statement');
  call foreign_key_trigger(of_child || '_references_update', updated,
    format('Foreign keys: a changed row of %s refers to rows that exist, by %s.', of_child, label),
    'after update of ' || columns, of_child, 'for each row');
end $$;

-- The trigger that keeps the keys of a parent while rows refer to them.
create or replace procedure guard_parent_keys(of_parent text) language plpgsql as $$
declare
  guards text;
  changed text;
  columns text;
  label text;
begin
  select string_agg(format('
    if (%1$s) and exists (select from %2$I c where %3$s) and not exists (select from %4$I p where %5$s) then
      perform foreign_key_violated(%6$L);
    end if;', k.changed, k.child, columns_equal('c', k.child_columns, 'old', k.parent_columns),
      of_parent, columns_equal('p', k.parent_columns, 'old', k.parent_columns), k.name), '' order by k.name),
    string_agg(distinct k.changed, ' or '),
    string_agg(format('%s (%s)', k.child, array_to_string(k.child_columns, ', ')), ', ' order by k.name)
    into guards, changed, label
    from (
      select f.*,
        (select string_agg(format('old.%1$I is distinct from new.%1$I', c), ' or ') from unnest(f.parent_columns) c) as changed
      from trigger_foreign_keys f where f.parent = of_parent
    ) k;
  select string_agg(distinct format('%I', c), ', ') into columns
    from trigger_foreign_keys f cross join unnest(f.parent_columns) c where f.parent = of_parent;
  call foreign_key_trigger(of_parent || '_key_update',
    format('if %s then perform require_read_committed(%L); end if;%s', changed, of_parent, guards),
    format('Foreign keys: the key of a row of %s does not change while rows of %s refer to it.', of_parent, label),
    'after update of ' || columns, of_parent, 'for each row');
end $$;

create or replace procedure enforce_foreign_key(
  child text, child_columns text[], parent text, parent_columns text[], on_delete text, set_null text[] default '{}'
) language plpgsql as $$
declare
  key_name text := child || '_' || array_to_string(child_columns, '_') || '_fkey';
  label text := format('%s (%s)', child, array_to_string(child_columns, ', '));
  violated text := format('perform foreign_key_violated(%L);', key_name);
  set_to_null text := (select string_agg(format('%I = null', c), ', ') from unnest(set_null) c);
  refers_to_deleted text := columns_equal('c', child_columns, 'o', parent_columns);
  -- The same statement may have inserted a row with the same key; then no reference is broken.
  replaced text := format('exists (select from %I p where %s)', parent, columns_equal('p', parent_columns, 'o', parent_columns));
begin
  insert into trigger_foreign_keys values (key_name, child, child_columns, parent, parent_columns,
    case on_delete when 'cascade' then 'c' when 'set null' then 'n' when 'no action' then 'a' end::"char");

  call foreign_key_trigger(key_name || '_parent_delete', format('perform require_read_committed(%L); ', parent) ||
    case on_delete
      when 'cascade' then format('delete from %I c using old_rows o where %s;', child, refers_to_deleted)
      when 'set null' then format('update %I c set %s from old_rows o where %s;', child,
        set_to_null, refers_to_deleted)
      else format('if exists (select from %I c join old_rows o on %s where not %s) then %s end if;',
        child, refers_to_deleted, replaced, violated)
    end,
    format('Foreign key: deleting a row of %s %s.', parent, case on_delete
      when 'cascade' then 'deletes the rows of ' || label || ' that refer to it'
      when 'set null' then 'sets ' || array_to_string(set_null, ', ') || ' of the rows of ' || child || ' that refer to it to null'
      else 'is refused while rows of ' || label || ' refer to it' end),
    'after delete', parent, 'referencing old table as old_rows for each statement');

  call check_foreign_keys(child);
  call guard_parent_keys(parent);

  if not exists (select from pg_catalog.pg_trigger
    where tgrelid = parent::regclass and tgname = 'refuse_truncate') then
    execute format('create trigger refuse_truncate before truncate on %I for each statement execute function refuse_truncate()', parent);
  end if;
end $$;

delete from trigger_foreign_keys;
call enforce_foreign_key('companies', '{account_id}', 'accounts', '{id}', 'cascade');
call enforce_foreign_key('companies', '{created_by}', 'users', '{id}', 'no action');
call enforce_foreign_key('companies', '{owner_id}', 'users', '{id}', 'no action');
call enforce_foreign_key('companies', '{account_id,parent_id}', 'companies', '{account_id,id}', 'set null', '{parent_id}');
call enforce_foreign_key('contacts', '{account_id}', 'accounts', '{id}', 'cascade');
call enforce_foreign_key('contacts', '{owner_id}', 'users', '{id}', 'no action');
call enforce_foreign_key('contacts', '{created_by}', 'users', '{id}', 'no action');
call enforce_foreign_key('contacts', '{account_id,company_id}', 'companies', '{account_id,id}', 'set null', '{company_id}');
call enforce_foreign_key('company_people', '{account_id,company_id}', 'companies', '{account_id,id}', 'cascade');
call enforce_foreign_key('company_people', '{account_id,person_id}', 'contacts', '{account_id,id}', 'cascade');
call enforce_foreign_key('company_people', '{created_by}', 'users', '{id}', 'no action');
