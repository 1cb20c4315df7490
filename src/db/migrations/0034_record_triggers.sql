-- One trigger function for each table and event now does what these did (src/db/functions/3_record_triggers.sql,
-- foreign_keys.sql). Their triggers go with them; the functions that are applied after the migrations create the others.
do $$
declare
  old text;
begin
  foreach old in array array['journal_created', 'journal_updated', 'sync_custom_values', 'sync_category_uses',
    'count_tags_of_records', 'insert_external_ids', 'update_external_ids', 'insert_contact_addresses',
    'update_contact_addresses', 'insert_company_domains', 'update_company_domains', 'refresh_after_activity',
    'add_history_and_links'] || array(select name || suffix from trigger_foreign_keys
      cross join unnest(array['_insert', '_update', '_parent_update']) suffix)
  loop
    execute format('drop function if exists %I() cascade', old);
  end loop;
end $$;
