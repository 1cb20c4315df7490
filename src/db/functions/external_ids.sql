-- The ids that records have in other systems.

create or replace function delete_external_ids() returns trigger language plpgsql as $$
begin
  delete from external_ids x using old_rows o where x.account_id = o.account_id and x.entity_id = o.id;
  return null;
end $$;
comment on function delete_external_ids() is 'The external ids of an erased record are deleted.';

create or replace function drop_merged_external_ids() returns trigger language plpgsql as $$
begin
  new.merged_external_ids := coalesce((select jsonb_object_agg(m.key, m.value)
    from jsonb_each(new.merged_external_ids) m where new.external_ids ? m.key), '{}');
  return new;
end $$;
comment on function drop_merged_external_ids() is
  'A record that loses its id of a source loses the ids of that source that it has from records merged into it.';

-- The ids by which a record is found: its own, and those of the records that were merged into it.
create or replace function ids_of_record(external_ids jsonb, merged_external_ids jsonb)
  returns table (source text, external_id text) language sql immutable
  as $$
    select own.key, own.value from jsonb_each_text(external_ids) own
    union all
    select m.key, i.value from jsonb_each(merged_external_ids) m cross join jsonb_array_elements_text(m.value) i (value)
    where external_ids ->> m.key <> i.value
  $$;

-- Gives ids to their holders, records of one kind. The error for an id that another record has names it: PostgreSQL
-- withholds the values of a unique index under row-level security. `restored`: holders that come back from the trash and
-- take their ids back from the record that they were merged into.
create or replace function hold_external_ids(of_account uuid, of_kind text, holders uuid[], sources text[], ids text[],
  restored uuid[] default '{}') returns void language plpgsql as $$
declare
  held int;
  taken record;
begin
  insert into external_ids (account_id, entity_type, source, external_id, entity_id)
    select of_account, of_kind, h.source, h.id, h.holder from unnest(holders, sources, ids) h (holder, source, id)
    on conflict do nothing;
  get diagnostics held = row_count;
  if held = cardinality(holders) then return; end if;

  if restored <> '{}' then
    perform take_back_external_ids(of_account, of_kind, restored, holders, sources, ids);
    insert into external_ids (account_id, entity_type, source, external_id, entity_id)
      select of_account, of_kind, h.source, h.id, h.holder from unnest(holders, sources, ids) h (holder, source, id)
      on conflict do nothing;
  end if;
  select h.source, h.id into taken from unnest(holders, sources, ids) h (holder, source, id)
    left join external_ids x on x.account_id = of_account and x.entity_type = of_kind and x.source = h.source
      and x.external_id = h.id
    where x.entity_id is distinct from h.holder limit 1;
  if found then
    raise unique_violation using message = 'an external id is taken', table = 'external_ids',
      constraint = 'external_ids_pkey',
      detail = json_build_object('field', 'external_ids.' || taken.source, 'value', taken.id);
  end if;
end $$;

-- Removes the ids of restored records from merged_external_ids of the records that hold them.
create or replace function take_back_external_ids(of_account uuid, of_kind text, restored uuid[], holders uuid[],
  sources text[], ids text[]) returns void language plpgsql as $$
declare holder record;
begin
  for holder in
    select x.entity_id as id, array_agg(x.source || ':' || x.external_id) as former
    from unnest(holders, sources, ids) h (holder, source, id)
    join external_ids x on x.account_id = of_account and x.entity_type = of_kind and x.source = h.source
      and x.external_id = h.id
    where h.holder = any(restored) and x.entity_id <> h.holder
    group by x.entity_id
  loop
    execute format($update$
      update %I r set merged_external_ids = coalesce((
        select jsonb_object_agg(k.source, k.ids) from (
          select m.key as source, jsonb_agg(i.value order by i.place) as ids
          from jsonb_each(r.merged_external_ids) m
          cross join jsonb_array_elements_text(m.value) with ordinality i (value, place)
          where m.key || ':' || i.value <> all($3) group by m.key
        ) k), '{}')
      where r.account_id = $1 and r.id = $2$update$, record_table(of_kind)) using of_account, holder.id, holder.former;
  end loop;
end $$;

do $$
declare target record;
begin
  for target in select table_name as name, entity_type from kinds where customizable loop
    call after_insert(target.name::regclass, 'external_ids',
      'Every external id of a new record is a row of external_ids, where no other record outside the trash has it.',
      $condition$n.external_ids <> '{}' and n.deleted_at is null$condition$, format($body$
    select array_agg(n.id) as holders, array_agg(i.source) as sources, array_agg(i.external_id) as ids into step
      from new_rows n cross join ids_of_record(n.external_ids, n.merged_external_ids) i
      where n.id = any(write.external_ids);
    perform hold_external_ids(write.account_id, %L, step.holders, step.sources, step.ids);$body$, target.entity_type));
    call after_update(target.name::regclass, 'external_ids',
      'external_ids has the ids of the record and of those merged into it, and none of a record in the trash.',
      $condition$o.external_ids <> n.external_ids or o.merged_external_ids <> n.merged_external_ids
        or ((o.deleted_at is null) <> (n.deleted_at is null) and n.external_ids <> '{}')$condition$, format($body$
    delete from external_ids x where x.account_id = write.account_id and x.entity_id = any(write.external_ids);
    select array_agg(n.id) as holders, array_agg(i.source) as sources, array_agg(i.external_id) as ids,
        coalesce(array_agg(n.id) filter (where o.deleted_at is not null), '{}') as restored into step
      from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
      cross join ids_of_record(n.external_ids, n.merged_external_ids) i
      where n.id = any(write.external_ids) and n.deleted_at is null;
    if step.holders is not null then
      perform hold_external_ids(write.account_id, %L, step.holders, step.sources, step.ids, step.restored);
    end if;$body$, target.entity_type));
    execute format('create trigger drop_merged_external_ids before update of external_ids on %I
      for each row when (new.merged_external_ids <> ''{}'' and new.external_ids <> old.external_ids)
      execute function drop_merged_external_ids()', target.name);
    execute format('create trigger external_ids_deleted after delete on %I referencing old table as old_rows
      for each statement execute function delete_external_ids()', target.name);
  end loop;
end $$;
