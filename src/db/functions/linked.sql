-- The column `linked` of companies and contacts has a bit for each table of links: 1 company_people, 2 the links of
-- deals, 4 favorites. While a bit is not set, the record has no row there. A get then needs no query for it: preparing
-- the queries for links took half of the time of a get, whether they found anything or not (docs/performance.md).
--
-- A bit is never cleared: a removed link leaves a query that finds nothing. So the only rule to enforce is that every
-- new link sets the bits of its ends, in its own transaction.

create or replace function never_clear_linked() returns trigger language plpgsql as $$
begin
  new.linked := old.linked | new.linked;
  return new;
end $$;
comment on function never_clear_linked() is 'A bit of `linked`, once set, stays.';

create trigger never_clear_linked before update of linked on companies
  for each row execute function never_clear_linked();
create trigger never_clear_linked before update of linked on contacts
  for each row execute function never_clear_linked();

-- Records are locked in the order of their ids, so that two transactions with several links do not deadlock. With a
-- plan that reads an index whatever the statistics say, as in activities.sql.
create or replace procedure create_mark_function(target regclass) language plpgsql as $$
begin
  execute format($function$
create or replace function %1$I(of_account uuid, ids uuid[], flag int) returns void language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $body$
begin
  perform from %2$s where account_id = of_account and id = any(ids) and linked & flag = 0 order by id for no key update;
  perform set_config('kith.derived', 'on', true);
  update %2$s set linked = linked | flag where account_id = of_account and id = any(ids) and linked & flag = 0;
  perform set_config('kith.derived', '', true);
end $body$
  $function$, 'mark_' || target, target);
end $$;
call create_mark_function('companies');
call create_mark_function('contacts');

-- Most links are of records that have the bit already: then one lookup by key for each end is all that happens.
create or replace procedure mark_linked(links regclass, id_columns text[], targets text[], flag int) language plpgsql as $$
declare
  function_name text := format('%s_mark_ends', links);
  rule text := format('sets bit %s of `linked` in the records that it refers to, of %s.', flag, array_to_string(targets, ' and '));
  of_new text := (select string_agg(format($mark$
  if exists (select from new_rows n where
    (select r.linked & %1$s from %2$I r where r.account_id = n.account_id and r.id = n.%3$I) = 0) then
    perform %4$I(n.account_id, array_agg(n.%3$I), %1$s) from new_rows n group by n.account_id;
  end if;$mark$, flag, e.target, e.id_column, 'mark_' || e.target), '') from unnest(id_columns, targets) e (id_column, target));
  of_changed text := (select string_agg(format($mark$
  perform %I(new.account_id, array[new.%I], %s);$mark$, 'mark_' || e.target, e.id_column, flag), '')
    from unnest(id_columns, targets) e (id_column, target));
begin
  execute format('create or replace function %I() returns trigger language plpgsql as $body$
begin%s
  return null;
end $body$', function_name || '_insert', of_new);
  execute format('comment on function %I() is %L', function_name || '_insert', format('A new row of %s %s', links, rule));
  execute format('create trigger mark_ends after insert on %s referencing new table as new_rows
    for each statement execute function %I()', links, function_name || '_insert');
  -- for each row, because a trigger with columns has no table of the new rows, and nearly no update has these columns
  execute format('create or replace function %I() returns trigger language plpgsql as $body$
begin%s
  return null;
end $body$', function_name || '_update', of_changed);
  execute format('comment on function %I() is %L', function_name || '_update', format('A changed row of %s %s', links, rule));
  execute format('create trigger mark_changed_ends after update of %s on %s for each row execute function %I()',
    (select string_agg(distinct quote_ident(c), ', ') from unnest(id_columns) c), links, function_name || '_update');
end $$;

call mark_linked('company_people', '{company_id,person_id}', '{companies,contacts}', 1);
call mark_linked('deal_companies', '{company_id}', '{companies}', 2);
call mark_linked('deal_contacts', '{contact_id}', '{contacts}', 2);
-- the id is that of one of the two, or of a record of another kind
call mark_linked('favorites', '{entity_id,entity_id}', '{companies,contacts}', 4);

-- Fields of a single record. PostgreSQL prepares a subselect whether or not it runs, but a function only when it is
-- called. For lists and exports, which read many records, subselects are cheaper. With `offset 0` each linked record is
-- looked up by its id, whatever the planner expects of the account (kernel/links.ts).

create or replace procedure items_of_one(links regclass, own text, other text, place text, target regclass, name text)
  language plpgsql as $$
begin
  execute format($function$
create or replace function %1$I(of_account uuid, of_record uuid) returns json language plpgsql stable as $body$
begin
  return (
    select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by l.%5$I, l.id), '[]'::json)
    from %2$s l cross join lateral (select t.id, t.%7$I as name from %6$s t
      where t.account_id = of_account and t.id = l.%4$I and t.deleted_at is null offset 0) t
    where l.account_id = of_account and l.%3$I = of_record);
end $body$
  $function$, format('%s_of_%s', links, own), links, own, other, place, target, name);
end $$;

call items_of_one('company_people', 'company_id', 'person_id', 'position', 'contacts', 'full_name');
call items_of_one('company_people', 'person_id', 'company_id', 'person_position', 'companies', 'name');
call items_of_one('deal_companies', 'company_id', 'deal_id', 'company_position', 'deals', 'name');
call items_of_one('deal_contacts', 'contact_id', 'deal_id', 'contact_position', 'deals', 'name');

create or replace function is_favorite_of(of_account uuid, of_user uuid, of_kind text, of_record uuid) returns boolean
  language plpgsql stable as $$
begin
  return exists (select from favorites f where f.account_id = of_account and f.entity_id = of_record
    and f.user_id = of_user and f.entity_type = of_kind and f.deleted_at is null);
end $$;

create or replace function living_company(of_account uuid, of_company uuid) returns uuid
  language plpgsql stable as $$
begin
  return (select c.id from companies c where c.account_id = of_account and c.id = of_company and c.deleted_at is null);
end $$;
