-- The bytes of what can be large in a record, so that a page can be measured before it is read
-- (src/kernel/page-budget.ts). Few accounts have large records at all, which is looked up in the indexes.
alter table companies add column bytes int not null generated always as (
  octet_length(metadata::text) + octet_length(enrichment::text) + coalesce(octet_length(description), 0)
    + coalesce(octet_length(notes), 0)) stored;
alter table contacts add column bytes int not null generated always as (
  octet_length(metadata::text) + octet_length(enrichment::text) + coalesce(octet_length(description), 0)
    + coalesce(octet_length(notes), 0)) stored;
alter table deals add column bytes int not null generated always as (
  octet_length(metadata::text) + coalesce(octet_length(description), 0) + coalesce(octet_length(notes), 0)) stored;
alter table activities add column bytes int not null generated always as (
  octet_length(metadata::text) + coalesce(octet_length(description), 0) + coalesce(octet_length(outcome), 0)) stored;
alter table notes add column bytes int not null generated always as (
  octet_length(metadata::text) + octet_length(attachments::text) + octet_length(content)) stored;
alter table chats add column bytes int not null generated always as (
  octet_length(metadata::text) + octet_length(settings::text)) stored;
alter table chat_messages add column bytes int not null generated always as (
  octet_length(metadata::text) + octet_length(attachments::text) + octet_length(content)) stored;
alter table email_templates add column bytes int not null generated always as (octet_length(body_html)) stored;
alter table email_drafts add column bytes int not null generated always as (
  octet_length(metadata::text) + octet_length(attachments::text) + octet_length(body_html) + octet_length(body_text)
  ) stored;
alter table kb_documents add column bytes int not null generated always as (
  coalesce(octet_length(content::text), 0) + coalesce(octet_length(content_markdown), 0)) stored;
alter table transcriptions add column bytes int not null generated always as (
  -- the segments say the same as the text, with a time for each
  3 * coalesce(octet_length(text), 0) + coalesce(octet_length(summary), 0)) stored;

create index companies_large on companies (account_id) where bytes > 16384;
create index contacts_large on contacts (account_id) where bytes > 16384;
create index deals_large on deals (account_id) where bytes > 16384;
create index activities_large on activities (account_id) where bytes > 16384;
create index notes_large on notes (account_id) where bytes > 16384;
create index chats_large on chats (account_id) where bytes > 16384;
create index chat_messages_large on chat_messages (account_id) where bytes > 16384;
create index email_templates_large on email_templates (account_id) where bytes > 16384;
create index email_drafts_large on email_drafts (account_id) where bytes > 16384;
create index kb_documents_large on kb_documents (account_id) where bytes > 16384;
create index transcriptions_large on transcriptions (account_id) where bytes > 16384;
