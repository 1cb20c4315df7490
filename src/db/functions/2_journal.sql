-- The journal: triggers that write every change into `changes` and maintain `record_counts`.

-- False for an account that is being deleted or is deleted: deletions of its rows are neither journaled nor counted,
-- and no derived value of its other rows is computed again.
create or replace function account_stays(of_account uuid) returns boolean language sql stable as $$
  select exists (select from accounts where id = of_account and closed_at is null)
$$;

-- Who makes the changes of this transaction, and as part of which operation. Read once per statement, not per row.
create or replace function journal_author() returns journal_author language sql stable as $$
  select row(
    nullif(current_setting('kith.operation_id', true), '')::uuid,
    coalesce(nullif(current_setting('kith.actor_kind', true), ''), 'system'),
    nullif(current_setting('kith.actor_id', true), '')::uuid,
    nullif(current_setting('kith.user_id', true), '')::uuid
  )::journal_author
$$;

-- Adds to a count. `moved`: how many records came or went otherwise than by being created.
create or replace function count_step(of_account uuid, of_kind text, living_step bigint, trashed_step bigint,
  moved bigint default 0) returns void language plpgsql as $$
begin
  if living_step = 0 and trashed_step = 0 and moved = 0 then return; end if;
  insert into record_counts (account_id, kind, living, trashed, moves)
    values (of_account, of_kind, living_step, trashed_step, moved);
  if random() < 0.02 then perform merge_counts(of_account, of_kind); end if;
end $$;

-- Merges the account's counts of a kind that no other transaction has locked. About every fiftieth write does. In an
-- account with very many values a call merges the oldest thousand rows, which become the newest. The ids are an array,
-- which is computed once: PostgreSQL, which expects one row, would join a subselect with each row, and merging 266 rows
-- took 99 ms.
create or replace function merge_counts(of_account uuid, of_kind text) returns void language sql as $$
  with merged as (
    delete from record_counts c
    where c.account_id = of_account and c.kind = of_kind and c.id = any(array(
      select id from record_counts where account_id = of_account and kind = of_kind
        order by id limit 1000 for update skip locked
    ))
    returning c.value, c.living, c.trashed, c.moves
  )
  insert into record_counts (account_id, kind, value, living, trashed, moves)
    select of_account, of_kind, value, sum(living), sum(trashed), sum(moves) from merged group by value
    having sum(living) <> 0 or sum(trashed) <> 0 or sum(moves) <> 0
$$;

-- The expression for the value by which a row of a table is counted.
create or replace function counted_value(of_row text, counted_by text[]) returns text language sql immutable as $$
  select coalesce(string_agg(format('%I.%I::text', of_row, c), ' || '' '' || '), 'null::text') from unnest(counted_by) c
$$;

-- The arguments of the trigger name the columns by which records are counted.
create or replace function journal_erased() returns trigger language plpgsql as $$
declare
  author journal_author := journal_author();
begin
  -- Without the values: the journal only states that the record was erased, when and by whom.
  insert into changes (account_id, kind, entity_id, action, operation_id, actor_kind, actor_id, user_id)
    select o.account_id, tg_table_name, o.id, 'erased', author.operation_id, author.actor_kind, author.actor_id, author.user_id
    from old_rows o join accounts a on a.id = o.account_id and a.closed_at is null;
  insert into record_counts (account_id, kind, value, living, trashed, moves)
    select o.account_id, tg_table_name, v.value, -count(*) filter (where o.deleted_at is null), -count(o.deleted_at),
      count(*)
    from old_rows o join accounts a on a.id = o.account_id and a.closed_at is null
    cross join lateral (
      select string_agg(to_jsonb(o) ->> c.name, ' ' order by c.position) as value
      from unnest(tg_argv) with ordinality c (name, position)
    ) v
    group by o.account_id, v.value;
  return null;
end $$;
comment on function journal_erased() is
  'The journal states that a record was erased, without its values, and the record counts no longer include it.';

-- Installs the journal on a table of records (one with id and deleted_at). Derived columns follow from other data and
-- are not journaled: `updated_at`, the generated columns and those listed in `derived`. `journaled` lists generated
-- columns that the journal includes nevertheless. `counted_by` lists columns of which record_counts has a count for each
-- value, so that a list with this value has its total without counting; of several columns, which are never null and have
-- no spaces, for each combination. A new record is one row there, as without values.
create or replace procedure journal_records(target regclass, derived text[] default '{}', journaled text[] default '{}',
  counted_by text[] default '{}') language plpgsql as $$
declare
  new_value text := counted_value('n', counted_by);
  has_other_value text := (select string_agg(format(' or n.%1$I is distinct from o.%1$I', c), '') from unnest(counted_by) c);
  not_journaled text[] := array(
    select attname::text from pg_catalog.pg_attribute
      where attrelid = target and attgenerated <> '' and not attisdropped and attname <> all(journaled)
    union select 'updated_at' union select unnest(derived) order by 1);
begin
  call after_insert(target, 'journal', 'A new record is in the journal and in the record counts.', null, format($body$
    with journaled as (
      insert into changes (account_id, kind, entity_id, action, operation_id, actor_kind, actor_id, user_id)
        select n.account_id, %1$L, n.id, 'created', write.operation_id, write.actor_kind, write.actor_id, write.user_id
        from new_rows n where n.account_id = write.account_id
    )
    insert into record_counts (account_id, kind, value, living, trashed, moves)
      select write.account_id, %1$L, %2$s, count(*) filter (where n.deleted_at is null), count(n.deleted_at),
        count(n.deleted_at)
      from new_rows n where n.account_id = write.account_id %3$s;
    if random() < 0.02 then perform merge_counts(write.account_id, %1$L); end if;$body$,
    target, new_value, case when counted_by <> '{}' then 'group by 3' end));

  call after_update(target, 'journal',
    'Every change of a record is in the journal, with the old and new values of all columns but the derived ones.',
    null, format($body$
    insert into changes
      (account_id, kind, entity_id, action, before, after, operation_id, actor_kind, actor_id, user_id)
      select n.account_id, %1$L, n.id,
        case
          when o.deleted_at is null and n.deleted_at is not null then 'deleted'
          when o.deleted_at is not null and n.deleted_at is null then 'restored'
          else 'updated'
        end,
        d.before, d.after, write.operation_id, write.actor_kind, write.actor_id, write.user_id
      from new_rows n
      join old_rows o on o.account_id = n.account_id and o.id = n.id
      cross join lateral (
        select jsonb_object_agg(a.key, r.was -> a.key) as before, jsonb_object_agg(a.key, a.value) as after
        from (select to_jsonb(o) as was, to_jsonb(n) as becomes offset 0) r cross join lateral jsonb_each(r.becomes) a
        where a.value is distinct from r.was -> a.key and a.key <> all(%2$L::text[])
      ) d
      where n.account_id = write.account_id and d.after is not null;$body$, target, not_journaled));

  call after_update(target, 'record_counts',
    'Deleting and restoring move a record between the record counts, and so does another value that is counted.',
    concat('(n.deleted_at is null) <> (o.deleted_at is null)', has_other_value), format($body$
    insert into record_counts (account_id, kind, value, living, trashed, moves)
      select write.account_id, %1$L, s.value, sum(s.living), sum(s.trashed), sum(s.moved)
      from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
      cross join lateral (
        select %2$s as value, (n.deleted_at is null)::int as living, (n.deleted_at is not null)::int as trashed,
          ((n.deleted_at is null) <> (o.deleted_at is null))::int as moved
        union all
        select %3$s, -(o.deleted_at is null)::int, -(o.deleted_at is not null)::int, 0
      ) s
      where n.account_id = write.account_id and n.id = any(write.record_counts)
      group by s.value having sum(s.living) <> 0 or sum(s.trashed) <> 0 or sum(s.moved) <> 0;
    if random() < 0.02 then perform merge_counts(write.account_id, %1$L); end if;$body$,
    target, new_value, counted_value('o', counted_by)));

  insert into record_journals values (target, not_journaled);
  execute format('create trigger journal_erased after delete on %s referencing old table as old_rows
    for each statement execute function journal_erased(%s)', target,
    (select string_agg(quote_literal(c), ', ') from unnest(counted_by) c));
end $$;

-- The columns that the journal of a table leaves out: the arguments of its trigger.
create or replace function derived_columns(of_table text) returns text[] language sql stable as $$
  select string_to_array(encode(t.tgargs, 'escape'), '\000') from pg_catalog.pg_trigger t
  where t.tgrelid = to_regclass(format('kith.%I', of_table)) and t.tgname = 'record_updated'
$$;

-- Links are rows that are really deleted. The journal stores the whole row, so that undo can insert it again. The
-- arguments of the trigger name the columns of the two ends.
create or replace function journal_link() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  left_end text := tg_argv[0];
  right_end text := tg_argv[1];
  author journal_author := journal_author();
begin
  if tg_op = 'INSERT' then
    insert into changes
      (account_id, kind, entity_id, related_id, action, after, operation_id, actor_kind, actor_id, user_id)
      select n.account_id, tg_table_name, (n.row ->> left_end)::uuid, (n.row ->> right_end)::uuid,
        'created', n.row, author.operation_id, author.actor_kind, author.actor_id, author.user_id
      from (select account_id, to_jsonb(new_rows) as row from new_rows offset 0) n;
  elsif tg_op = 'DELETE' then
    insert into changes
      (account_id, kind, entity_id, related_id, action, before, operation_id, actor_kind, actor_id, user_id)
      select o.account_id, tg_table_name, (o.row ->> left_end)::uuid, (o.row ->> right_end)::uuid,
        'deleted', o.row, author.operation_id, author.actor_kind, author.actor_id, author.user_id
      from (select account_id, to_jsonb(old_rows) as row from old_rows offset 0) o
      join accounts a on a.id = o.account_id and a.closed_at is null;
  else
    insert into changes
      (account_id, kind, entity_id, related_id, action, before, after, operation_id, actor_kind, actor_id, user_id)
      select n.account_id, tg_table_name, (to_jsonb(n) ->> left_end)::uuid, (to_jsonb(n) ->> right_end)::uuid,
        'updated', to_jsonb(o), to_jsonb(n), author.operation_id, author.actor_kind, author.actor_id, author.user_id
      from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
      where to_jsonb(o) is distinct from to_jsonb(n);
  end if;
  return null;
end $$;
comment on function journal_link() is
  'Every new, changed or removed link between two records is in the journal with its whole row.';

create or replace procedure journal_links(target regclass, left_end text, right_end text) language plpgsql as $$
begin
  execute format('create trigger journal_created after insert on %s referencing new table as new_rows
    for each statement execute function journal_link(%L, %L)', target, left_end, right_end);
  execute format('create trigger journal_updated after update on %s referencing old table as old_rows new table as new_rows
    for each statement execute function journal_link(%L, %L)', target, left_end, right_end);
  execute format('create trigger journal_erased after delete on %s referencing old table as old_rows
    for each statement execute function journal_link(%L, %L)', target, left_end, right_end);
end $$;

-- Fires after the triggers of foreign_keys.sql, which delete the account's companies and contacts, because triggers
-- fire in the order of their names.
create or replace function delete_account_changes() returns trigger language plpgsql as $$
begin
  delete from changes c using old_rows o where c.account_id = o.id;
  return null;
end $$;
comment on function delete_account_changes() is 'The journal of an account is deleted with the account.';
create trigger delete_account_changes after delete on accounts referencing old table as old_rows
  for each statement execute function delete_account_changes();

-- Removes the responses of webhook receivers about these records of the current account, which may repeat their values.
create or replace function forget_webhook_answers(ids uuid[]) returns void language sql as $$
  update webhook_deliveries set response_excerpt = null, attempts = '[]'
    where account_id = current_account() and record_id = any(ids)
$$;

-- Removes records of the current account for good, whether or not they are in the trash. Foreign keys, and triggers
-- where a table refers to records without one, remove what belongs to them. The values of all of these are removed
-- from the journal and from stored answers to idempotent requests. Runs with its owner's rights, because the role that
-- serves requests may not edit the journal. Returns the ids that existed.
create or replace function erase_records(of_kind text, ids uuid[]) returns setof uuid
  language plpgsql security definer set search_path = kith, pg_temp
as $$
declare
  of_account uuid := current_account();
  seq_before bigint := coalesce((select max(seq) from changes where account_id = of_account), 0);
  gone uuid[];
  traces uuid[];
begin
  if of_account is null then
    raise exception 'erase_records works within one account';
  end if;
  if not exists (
    select from pg_trigger where tgrelid = to_regclass(format('kith.%I', of_kind)) and tgname = 'journal_erased'
  ) then
    raise exception 'there are no records of the kind %', of_kind;
  end if;

  execute format('with gone as (delete from %I where account_id = $1 and id = any($2) returning id)
    select array_agg(id) from gone', of_kind) into gone using of_account, ids;
  if gone is null then return; end if;

  -- the records themselves and everything that was erased with them
  traces := array(select distinct entity_id from changes where account_id = of_account and seq > seq_before
    and xid = pg_current_xact_id() and action = 'erased');
  update changes set before = null, after = null
    where account_id = of_account and (before is not null or after is not null)
      and (entity_id = any(traces) or related_id = any(traces));
  perform forget_webhook_answers(traces);

  update idempotency_keys k
    set status = 410, headers = '{}', body = '{"detail":"The answer to this request held a record that was erased"}'
    where account_id = of_account and exists (select from unnest(gone) id where strpos(k.body, id::text) > 0);

  return query select unnest(gone);
end $$;
revoke execute on function erase_records from public;

-- Removes the values of these records of the current account from the journal, from stored answers to idempotent
-- requests and from the search index, which reads the records again. Runs with its owner's rights, as erase_records.
create or replace function forget_values(ids uuid[]) returns void
  language plpgsql security definer set search_path = kith, pg_temp
as $$
declare
  of_account uuid := current_account();
begin
  if of_account is null then
    raise exception 'forget_values works within one account';
  end if;
  update changes set before = null, after = null
    where account_id = of_account and entity_id = any(ids) and (before is not null or after is not null);
  perform forget_webhook_answers(ids);
  update idempotency_keys k
    set status = 410, headers = '{}', body = '{"detail":"The answer to this request held a record that was erased"}'
    where account_id = of_account and exists (select from unnest(ids) id where strpos(k.body, id::text) > 0);
  perform search_take_out(of_account, array(
    select p.id from search_passages p where p.account_id = of_account and p.entity_id = any(ids)));
end $$;
revoke execute on function forget_values from public;
