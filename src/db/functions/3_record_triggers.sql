-- What follows from new and changed records is written by one trigger function for each table and event, which
-- z_record_triggers.sql builds from the parts that the other files declare with these procedures. Most records have no
-- categories, custom values or external ids: one query decides which parts have work, where a trigger for each part ran
-- two or three queries to find out that it had none.
--
-- `concerned` is a condition on a new row `n` (and, of an update, the old row `o`); null for all rows. The body is
-- PL/pgSQL. It runs for each account with rows that the part is concerned with and finds in `write`: account_id, the
-- ids of these rows under the name of the part, and the author of the change (operation_id, actor_kind, actor_id,
-- user_id). The tables new_rows and old_rows have the rows of all accounts. Parts run in the order of their names.

create temp table record_parts (
  target regclass not null,
  event text not null,
  name text not null,
  rule text not null,
  concerned text,
  body text not null,
  primary key (target, event, name)
) on commit drop;

-- The columns that the journal of a table leaves out.
create temp table record_journals (target regclass primary key, not_journaled text[] not null) on commit drop;

create or replace procedure after_insert(target regclass, name text, rule text, concerned text, body text)
  language sql as $$ insert into record_parts values (target, 'insert', name, rule, concerned, body) $$;

create or replace procedure after_update(target regclass, name text, rule text, concerned text, body text)
  language sql as $$ insert into record_parts values (target, 'update', name, rule, concerned, body) $$;
