-- The ids that records have in other systems.

create or replace function delete_external_ids() returns trigger language plpgsql as $$
begin
  delete from external_ids x using old_rows o where x.account_id = o.account_id and x.entity_id = o.id;
  return null;
end $$;
comment on function delete_external_ids() is 'The external ids of an erased record are deleted.';

do $$
declare target record;
begin
  for target in select table_name as name, entity_type from kinds where customizable loop
    call after_insert(target.name::regclass, 'external_ids',
      'Every external id of a new record is a row of external_ids, where no other record outside the trash has it.',
      $condition$n.external_ids <> '{}' and n.deleted_at is null$condition$, format($body$
    insert into external_ids (account_id, entity_type, source, external_id, entity_id)
      select n.account_id, %L, e.key, e.value, n.id
      from new_rows n cross join jsonb_each_text(n.external_ids) e
      where n.id = any(write.external_ids);$body$, target.entity_type));
    call after_update(target.name::regclass, 'external_ids',
      'external_ids matches the ids of the record, and has none of a record in the trash.',
      $condition$o.external_ids <> n.external_ids
        or ((o.deleted_at is null) <> (n.deleted_at is null) and n.external_ids <> '{}')$condition$, format($body$
    delete from external_ids x where x.account_id = write.account_id and x.entity_id = any(write.external_ids);
    insert into external_ids (account_id, entity_type, source, external_id, entity_id)
      select n.account_id, %L, e.key, e.value, n.id
      from new_rows n cross join jsonb_each_text(n.external_ids) e
      where n.id = any(write.external_ids) and n.deleted_at is null;$body$, target.entity_type));
    execute format('create trigger external_ids_deleted after delete on %I referencing old table as old_rows
      for each statement execute function delete_external_ids()', target.name);
  end loop;
end $$;
