-- `deleted_after`, `deleted_before` and `sort_by=deleted_at` read the trash of an account by the time of deletion.
-- Partial: living records, nearly all there are, cost nothing. In the order of time, as in 0020.
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
