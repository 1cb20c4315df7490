-- From the 22 migrations of builds before the first release to the 8 files of this folder.

-- Triggers and functions are created again from ./functions, most of them under new names. The functions of 1_values.sql
-- stay: columns, indexes and policies depend on them, and they have been replaced by the new ones already.
set constraints all immediate;
do $$
declare old record;
begin
  for old in
    select t.tgname, c.relname from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'kith'::regnamespace and not t.tgisinternal
  loop
    execute format('drop trigger %I on %I', old.tgname, old.relname);
  end loop;
  for old in
    select p.oid::regprocedure as signature from pg_catalog.pg_proc p
    where p.pronamespace = 'kith'::regnamespace
      and p.proname not in ('current_account', 'cut_marks', 'fold', 'digits', 'texts_of', 'domain_name', 'chat_rank')
  loop
    execute format('drop routine %s', old.signature);
  end loop;
end $$;

drop view ties;
drop table held_ties;
create table trigger_foreign_keys (
  name text primary key,
  child text not null,
  child_columns text[] not null,
  parent text not null,
  parent_columns text[] not null,
  on_delete "char" not null check (on_delete in ('a', 'c', 'n'))
);

-- fold() cuts long runs of combining marks now, so the folded value of a name with such a run has changed.
reindex table categories;
reindex table pipelines;
reindex index companies_folded_name;
reindex index deals_folded_name;

-- Pages and messages are searched by their first 100,000 characters.
alter table kb_documents drop column search_text;
alter table kb_documents add column search_text text not null
  generated always as (fold(title || chr(10) || left(coalesce(content_markdown, ''), 100000))) stored;
alter table chat_messages drop column search_text;
alter table chat_messages add column search_text text not null
  generated always as (fold(left(content, 100000))) stored;

-- The trash by the time of deletion.
create index activities_deleted on activities (account_id, deleted_at, id) where deleted_at is not null;
create index categories_deleted on categories (account_id, deleted_at, id) where deleted_at is not null;
create index chat_folders_deleted on chat_folders (account_id, deleted_at, id) where deleted_at is not null;
create index chat_messages_deleted on chat_messages (account_id, deleted_at, id) where deleted_at is not null;
create index chat_shares_deleted on chat_shares (account_id, deleted_at, id) where deleted_at is not null;
create index chats_deleted on chats (account_id, deleted_at, id) where deleted_at is not null;
create index companies_deleted on companies (account_id, deleted_at, id) where deleted_at is not null;
create index contacts_deleted on contacts (account_id, deleted_at, id) where deleted_at is not null;
create index custom_fields_deleted on custom_fields (account_id, deleted_at, id) where deleted_at is not null;
create index deals_deleted on deals (account_id, deleted_at, id) where deleted_at is not null;
create index email_drafts_deleted on email_drafts (account_id, deleted_at, id) where deleted_at is not null;
create index email_templates_deleted on email_templates (account_id, deleted_at, id) where deleted_at is not null;
create index exports_deleted on exports (account_id, deleted_at, id) where deleted_at is not null;
create index favorite_folders_deleted on favorite_folders (account_id, deleted_at, id) where deleted_at is not null;
create index favorites_deleted on favorites (account_id, deleted_at, id) where deleted_at is not null;
create index imports_deleted on imports (account_id, deleted_at, id) where deleted_at is not null;
create index kb_documents_deleted on kb_documents (account_id, deleted_at, id) where deleted_at is not null;
create index notes_deleted on notes (account_id, deleted_at, id) where deleted_at is not null;
create index pipelines_deleted on pipelines (account_id, deleted_at, id) where deleted_at is not null;
create index stages_deleted on stages (account_id, deleted_at, id) where deleted_at is not null;
create index tags_deleted on tags (account_id, deleted_at, id) where deleted_at is not null;
create index transcriptions_deleted on transcriptions (account_id, deleted_at, id) where deleted_at is not null;
