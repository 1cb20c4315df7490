-- Files on records.

call journal_records('files');

create or replace function delete_files_of_records() returns trigger language plpgsql as $$
begin
  delete from files f using old_rows o where f.account_id = o.account_id and f.entity_id = o.id;
  return null;
end $$;
comment on function delete_files_of_records() is 'Files on an erased record are deleted with it.';
