-- Builds the triggers of records from the parts that the files before this one have declared: see
-- 3_record_triggers.sql.

-- Nested loops are off in updates: the plan is made once per connection, for the first update, which usually has one
-- row, and would then compare every old row with every new one. 3,000 rows took 10 s that way, and take 0.3 s with a
-- hash join. A statement with `kith.derived` on writes nothing but derived columns and is skipped as a whole, which
-- also saves 300,000 comparisons of rows when as many activities are imported.
create or replace procedure build_record_trigger(of_table regclass, on_event text) language plpgsql as $$
declare
  past text := case on_event when 'insert' then 'created' else 'updated' end;
  function_name text := format('%s_%s', of_table, past);
  parts record;
begin
  select string_agg(format(E',\n      array_agg(n.id) filter (where %s) as %I', p.concerned, p.name), '' order by p.name)
      filter (where p.concerned is not null) as ids,
    string_agg(case when p.concerned is null then p.body
      else format(E'    if write.%I is not null then%s\n    end if;', p.name, p.body) end, E'\n' order by p.name) as bodies,
    string_agg(format('%s: %s', p.name, p.rule), E'\n' order by p.name) as rules
    into parts from record_parts p where p.target = of_table and p.event = on_event;
  execute format($function$
create or replace function %I() returns trigger language plpgsql %s as $body$
declare
  write record;
  step record;
begin
  %s
  for write in
    select n.account_id, nullif(current_setting('kith.operation_id', true), '')::uuid as operation_id,
      coalesce(nullif(current_setting('kith.actor_kind', true), ''), 'system') as actor_kind,
      nullif(current_setting('kith.actor_id', true), '')::uuid as actor_id,
      nullif(current_setting('kith.user_id', true), '')::uuid as user_id%s
    from new_rows n %s group by n.account_id
  loop
%s
  end loop;
  return null;
end $body$
  $function$, function_name,
    case on_event when 'update' then 'set enable_nestloop = off ' end || 'set enable_seqscan = off set plan_cache_mode = force_generic_plan',
    case on_event when 'update' then
      'if current_setting(''kith.derived'', true) = ''on'' then return null; end if;' end,
    parts.ids,
    case on_event when 'update' then 'join old_rows o on o.account_id = n.account_id and o.id = n.id' end,
    parts.bodies);
  execute format('comment on function %I() is %L', function_name, parts.rules);
  execute format('create trigger record_%s after %s on %s referencing %s new table as new_rows
    for each statement execute function %I(%s)', past, on_event, of_table,
    case on_event when 'update' then 'old table as old_rows' end, function_name,
    case on_event when 'update' then (select string_agg(quote_literal(c), ', ')
      from record_journals j cross join unnest(j.not_journaled) c where j.target = of_table) end);
end $$;

do $$
declare part record;
begin
  for part in select distinct target::oid::regclass as target, event from record_parts order by 1, 2 loop
    call build_record_trigger(part.target, part.event);
  end loop;
end $$;
