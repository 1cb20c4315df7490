-- Derived from the rows of `kinds`: triggers for tags, categories, custom fields and the journal, and check constraints
-- of the columns called entity_type.

-- Not a foreign key to kinds: every new tag, note or favorite would lock one of a handful of rows. `not valid`, because
-- this runs again with every change of a function, and existing rows have already passed the check.
create or replace procedure accept_kinds(target regclass, capability text, also text[] default '{}')
  language plpgsql as $$
declare
  name text := (select relname from pg_catalog.pg_class where oid = target) || '_entity_type_check';
  accepted text := (select string_agg(quote_literal(n.name), ', ' order by n.name) from (
    select k.entity_type as name from kinds k where (to_jsonb(k) ->> capability)::boolean
    union select unnest(also)) n);
begin
  execute format('alter table %s drop constraint if exists %I', target, name);
  execute format('alter table %s add constraint %I check (entity_type in (%s)) not valid', target, name, accepted);
end $$;
call accept_kinds('notes', 'notable');
-- saved views are not a kind of record and get nothing else
call accept_kinds('favorites', 'favorite', also => '{view}');
call accept_kinds('taggings', 'taggable');
call accept_kinds('custom_fields', 'customizable');
call accept_kinds('files', 'attachable');

do $$
declare
  kind kinds;
  links text;
begin
  for kind in select * from kinds order by entity_type loop
    if kind.customizable then call track_custom_values(kind.table_name::regclass, kind.entity_type); end if;
    if kind.categorized then call track_categories(kind.table_name::regclass); end if;
    if kind.taggable then call track_tags(kind.table_name::regclass); end if;
    if kind.notable then
      links := 'note_' || kind.table_name;
      call journal_links(links::regclass, 'note_id', kind.entity_type || '_id');
      execute format('create trigger notes_clear_entity after delete on %I referencing old table as old_rows
        for each statement execute function clear_note_entity()', kind.table_name);
    end if;
    if kind.attachable then
      execute format('create trigger files_deleted after delete on %I referencing old table as old_rows
        for each statement execute function delete_files_of_records()', kind.table_name);
    end if;
    -- A kind with derived columns already has its journal: another file called journal_records() with their names.
    if not exists (select from record_journals where target = kind.table_name::regclass) then
      call journal_records(kind.table_name::regclass);
    end if;
  end loop;
end $$;
