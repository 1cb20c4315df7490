-- The ids that records have in other systems. The argument of the triggers is the entity type.

create or replace function insert_external_ids() returns trigger language plpgsql as $$
begin
  insert into external_ids (account_id, entity_type, source, external_id, entity_id)
    select n.account_id, tg_argv[0], e.key, e.value, n.id
    from new_rows n cross join jsonb_each_text(n.external_ids) e
    where n.external_ids <> '{}' and n.deleted_at is null;
  return null;
end $$;
comment on function insert_external_ids() is
  'Every external id of a new record is a row of external_ids, where no other record outside the trash has it.';

create or replace function update_external_ids() returns trigger language plpgsql as $$
begin
  delete from external_ids where account_id = new.account_id and entity_id = new.id;
  if new.deleted_at is null then
    insert into external_ids (account_id, entity_type, source, external_id, entity_id)
      select new.account_id, tg_argv[0], e.key, e.value, new.id from jsonb_each_text(new.external_ids) e;
  end if;
  return null;
end $$;
comment on function update_external_ids() is
  'external_ids matches the ids of the record, and has none of a record in the trash.';

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
    execute format('create trigger external_ids_created after insert on %I referencing new table as new_rows
      for each statement execute function insert_external_ids(%L)', target.name, target.entity_type);
    execute format('create trigger external_ids_updated after update on %I for each row
      when (old.external_ids is distinct from new.external_ids
        or (old.deleted_at is distinct from new.deleted_at and new.external_ids <> ''{}''))
      execute function update_external_ids(%L)', target.name, target.entity_type);
    execute format('create trigger external_ids_deleted after delete on %I referencing old table as old_rows
      for each statement execute function delete_external_ids()', target.name);
  end loop;
end $$;
