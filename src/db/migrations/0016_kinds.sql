-- The kinds of record that people work with, as src/resources/kinds.ts declares them (a test compares the two). The
-- triggers and checks of ../functions/kinds.sql follow from this table; a new kind is a row that its migration inserts.
create table kinds (
  entity_type text primary key,
  table_name text not null unique,
  taggable boolean not null,
  notable boolean not null,
  favorite boolean not null,
  customizable boolean not null,
  categorized boolean not null
);
insert into kinds values
  ('company', 'companies', true, true, true, true, true),
  ('contact', 'contacts', true, true, true, true, true),
  ('deal', 'deals', true, true, true, true, true),
  ('activity', 'activities', true, true, false, true, false),
  ('note', 'notes', true, false, false, false, false);

drop function if exists record_table(text);
