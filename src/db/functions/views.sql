-- Saved views.

call journal_records('views');

create trigger delete_favorites after delete on views referencing old table as old_rows
  for each statement execute function delete_tags_and_favorites();
