-- The knowledge base, email templates and drafts, and chats with the assistant.
--
-- Folding a text takes about 1 ms per 1,000 characters in the embedded engine, so `search_text` covers only the
-- first 100,000 characters of a text.

create table kb_documents (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- the deletion it was part of: restoring a folder restores the documents deleted with it
  deletion_id uuid,
  type text not null check (type in ('folder', 'page')),
  title text not null,
  slug text collate "C" not null,
  content jsonb check (content is null or type = 'page'),
  content_markdown text check (content_markdown is null or type = 'page'),
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  parent_id uuid,
  position int not null default 0,
  bytes int not null generated always as (
    coalesce(octet_length(content::text), 0) + coalesce(octet_length(content_markdown), 0)
  ) stored,
  search_text text not null generated always as (fold(
    title || chr(10) || left(coalesce(content_markdown, ''), 100000)
  )) stored,
  primary key (account_id, id),
  foreign key (account_id, parent_id) references kb_documents (account_id, id) on delete set null (parent_id)
);
create unique index kb_documents_slug on kb_documents (account_id, slug) where deleted_at is null;
create index kb_documents_order on kb_documents (account_id, parent_id, position, id) where deleted_at is null;
create index kb_documents_root on kb_documents (account_id, position, id) where deleted_at is null and parent_id is null;
create index kb_documents_parent on kb_documents (account_id, parent_id) where parent_id is not null;
create index kb_documents_trash on kb_documents (account_id, position, id) where deleted_at is not null;
create index kb_documents_public on kb_documents (account_id, position, title, id)
  where visibility = 'public' and type = 'page' and deleted_at is null;
create index kb_documents_deleted on kb_documents (account_id, deleted_at, id) where deleted_at is not null;
create index kb_documents_large on kb_documents (account_id) where bytes > 16384;

create table kb_revisions (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null default gen_random_uuid(),
  created_at timestamptz(3) not null default clock_timestamp(),
  -- the order of creation, also within a millisecond
  number bigint generated always as identity,
  document_id uuid not null,
  -- the author; null: the service itself
  user_id uuid references users,
  title text not null,
  content jsonb,
  content_markdown text,
  primary key (account_id, document_id, number),
  foreign key (account_id, document_id) references kb_documents (account_id, id) on delete cascade
);

create table email_templates (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  subject text not null,
  body_html text not null,
  -- the body without tags, so that a search matches the text and not the markup
  body_text text not null,
  is_favorite boolean not null default false,
  bytes int not null generated always as (octet_length(body_html)) stored,
  search_text text not null generated always as (fold(subject || chr(10) || left(body_text, 100000))) stored,
  primary key (account_id, id)
);
create index email_templates_created on email_templates (account_id, created_at desc, id desc) where deleted_at is null;
create index email_templates_updated on email_templates (account_id, updated_at desc, id desc) where deleted_at is null;
create index email_templates_trash on email_templates (account_id, created_at desc, id desc) where deleted_at is not null;
create index email_templates_deleted on email_templates (account_id, deleted_at, id) where deleted_at is not null;
create index email_templates_large on email_templates (account_id) where bytes > 16384;

create table email_drafts (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  "to" jsonb not null default '[]',
  cc jsonb not null default '[]',
  bcc jsonb not null default '[]',
  subject text not null default '',
  body_html text not null default '',
  body_text text not null default '',
  template_id uuid,
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  in_reply_to text,
  attachments jsonb not null default '[]',
  status text not null default 'draft' check (status in ('draft', 'scheduled', 'sent', 'failed')),
  scheduled_at timestamptz(3),
  sent_at timestamptz(3),
  metadata jsonb not null default '{}',
  -- set at the first attempt to send and kept, so that a retry is recognised as the same mail
  message_id text,
  error text,
  -- The job that may send the draft. A job that was cancelled or replaced finds another id here and does nothing.
  send_id uuid,
  -- the activity that records the sent mail
  activity_id uuid,
  bytes int not null generated always as (
    octet_length(metadata::text) + octet_length(attachments::text) + octet_length(body_html) +
    octet_length(body_text)
  ) stored,
  search_text text not null generated always as (fold(
    subject || chr(10) || "to"::text || chr(10) || cc::text || chr(10) || bcc::text || chr(10) ||
    left(body_text, 100000)
  )) stored,
  primary key (account_id, id),
  foreign key (account_id, template_id) references email_templates (account_id, id) on delete set null (template_id),
  foreign key (account_id, contact_id) references contacts (account_id, id) on delete set null (contact_id),
  foreign key (account_id, company_id) references companies (account_id, id) on delete set null (company_id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete set null (deal_id),
  constraint email_drafts_activity foreign key (account_id, activity_id) references activities (account_id, id)
    on delete set null (activity_id)
);
create index email_drafts_created on email_drafts (account_id, created_at desc, id desc) where deleted_at is null;
create index email_drafts_updated on email_drafts (account_id, updated_at desc, id desc) where deleted_at is null;
create index email_drafts_trash on email_drafts (account_id, created_at desc, id desc) where deleted_at is not null;
create index email_drafts_status on email_drafts (account_id, status, created_at desc, id desc) where deleted_at is null;
create index email_drafts_template on email_drafts (account_id, template_id) where template_id is not null;
create index email_drafts_contact on email_drafts (account_id, contact_id) where contact_id is not null;
create index email_drafts_company on email_drafts (account_id, company_id) where company_id is not null;
create index email_drafts_deal on email_drafts (account_id, deal_id) where deal_id is not null;
create index email_drafts_activity on email_drafts (account_id, activity_id) where activity_id is not null;
create index email_drafts_deleted on email_drafts (account_id, deleted_at, id) where deleted_at is not null;
create index email_drafts_large on email_drafts (account_id) where bytes > 16384;

create table email_attachments (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  draft_id uuid not null,
  file_name text not null,
  mime_type text not null,
  file_size int not null,
  content bytea not null,
  primary key (account_id, id),
  foreign key (account_id, draft_id) references email_drafts (account_id, id) on delete cascade
);
create index email_attachments_draft on email_attachments (account_id, draft_id);

-- How many people each mail went to, for the limit over 24 hours. The id is the draft's or the invitation mail's.
create table mail_recipients (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  at timestamptz(3) not null default now(),
  recipients int not null,
  primary key (account_id, id)
);
create index mail_recipients_time on mail_recipients (account_id, at);
create index mail_recipients_age on mail_recipients (at);

create table chat_folders (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  created_by uuid not null references users,
  name text not null,
  display_order int not null default 0,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);
create index chat_folders_order on chat_folders (account_id, display_order, id) where deleted_at is null;
create index chat_folders_deleted on chat_folders (account_id, deleted_at, id) where deleted_at is not null;

create table chats (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  created_by uuid not null references users,
  -- null until a client sets it or it is derived from the first message
  title text,
  is_pinned boolean not null default false,
  is_archived boolean not null default false,
  folder_id uuid,
  settings jsonb not null default '{}',
  metadata jsonb not null default '{}',
  bytes int not null generated always as (octet_length(metadata::text) + octet_length(settings::text)) stored,
  search_text text not null generated always as (fold(coalesce(title, 'New chat'))) stored,
  primary key (account_id, id),
  foreign key (account_id, folder_id) references chat_folders (account_id, id) on delete set null (folder_id)
);
create index chats_rank on chats (account_id, chat_rank(is_pinned, updated_at) desc nulls last, id desc)
  where deleted_at is null;
create index chats_created on chats (account_id, created_at desc, id desc) where deleted_at is null;
create index chats_updated on chats (account_id, updated_at desc, id desc) where deleted_at is null;
create index chats_trash on chats (account_id, created_at desc, id desc) where deleted_at is not null;
create index chats_folder on chats (account_id, folder_id) where folder_id is not null;
create index chats_deleted on chats (account_id, deleted_at, id) where deleted_at is not null;
create index chats_large on chats (account_id) where bytes > 16384;

create table chat_messages (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  chat_id uuid not null,
  role text not null check (role in ('user', 'assistant', 'system', 'tool')),
  content text not null,
  attachments jsonb not null default '{}',
  metadata jsonb not null default '{}',
  bytes int not null generated always as (
    octet_length(metadata::text) + octet_length(attachments::text) + octet_length(content)
  ) stored,
  search_text text not null generated always as (fold(left(content, 100000))) stored,
  primary key (account_id, id),
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade
);
create index chat_messages_order on chat_messages (account_id, chat_id, created_at, id);
create index chat_messages_deleted on chat_messages (account_id, deleted_at, id) where deleted_at is not null;
create index chat_messages_large on chat_messages (account_id) where bytes > 16384;

create table chat_shares (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  chat_id uuid not null,
  token_hash bytea not null unique,
  created_by uuid not null references users,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  is_public boolean not null default false,
  -- also share the messages written after the share was created
  include_later boolean not null default false,
  primary key (account_id, id),
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade
);
create index chat_shares_chat on chat_shares (account_id, chat_id, created_at desc, id desc);
create index chat_shares_deleted on chat_shares (account_id, deleted_at, id) where deleted_at is not null;

-- A table of its own, so that reading a share writes nothing into the account's journal.
create table chat_share_views (
  account_id uuid not null references accounts on delete cascade,
  share_id uuid not null,
  view_count bigint not null,
  primary key (account_id, share_id),
  foreign key (account_id, share_id) references chat_shares (account_id, id) on delete cascade
);

-- An answer in progress. Its message exists from the beginning, empty; the transaction that fills the message deletes
-- this row. The process that answers renews its lease and stores the text so far here. If it dies, another process
-- finds the lease expired and finishes the answer with that text. Not in the journal: the row is written several times
-- a second.
create table chat_answers (
  account_id uuid not null references accounts on delete cascade,
  message_id uuid not null,
  chat_id uuid not null,
  started_at timestamptz(3) not null default now(),
  -- when the lease expires
  held_until timestamptz(3) not null default now() + interval '10 minutes',
  -- the text so far
  said text not null default '',
  -- the tools used and the records cited so far
  progress jsonb not null default '{}',
  stop_requested_at timestamptz(3),
  -- a client follows the answer through another process until then
  followed_until timestamptz(3),
  primary key (account_id, message_id),
  foreign key (account_id, message_id) references chat_messages (account_id, id) on delete cascade,
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade
);
create index chat_answers_held on chat_answers (held_until);
create index chat_answers_chat on chat_answers (account_id, chat_id);

-- A change that the assistant proposes. It is made only when a user accepts it. Not in the journal: the accepted
-- change is, under its operation.
create table chat_proposals (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  chat_id uuid not null,
  -- null until the answer it belongs to is stored
  message_id uuid,
  kind text not null check (kind in ('create', 'update', 'draft_mail')),
  entity_type text not null,
  -- the record to update; for the other kinds the record created on acceptance
  entity_id uuid,
  summary text not null,
  proposed jsonb not null,
  -- the values of the fields when the change was proposed
  before jsonb not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'failed')),
  error text,
  proposed_for uuid references users,
  decided_by uuid references users,
  decided_at timestamptz(3),
  operation_id uuid,
  primary key (account_id, id),
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade,
  foreign key (account_id, message_id) references chat_messages (account_id, id) on delete cascade,
  foreign key (account_id, operation_id) references operations (account_id, id) on delete set null (operation_id)
);
create index chat_proposals_chat on chat_proposals (account_id, chat_id, created_at desc, id desc);
create index chat_proposals_message on chat_proposals (account_id, message_id);
create index chat_proposals_status on chat_proposals (account_id, status, created_at desc, id desc);
create index chat_proposals_entity on chat_proposals (account_id, entity_id) where entity_id is not null;

-- A file attached to a chat. Its bytes are in the data folder under `file_id`, which copies of the chat share; the
-- file is removed when no row refers to it.
create table chat_attachments (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  chat_id uuid not null,
  created_by uuid not null references users,
  file_id uuid not null,
  file_name text not null,
  mime_type text not null,
  file_size bigint not null,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  text text,
  is_truncated boolean not null default false,
  error text,
  job_id uuid,
  primary key (account_id, id),
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade
);
create index chat_attachments_chat on chat_attachments (account_id, chat_id, created_at, id);
create index chat_attachments_file on chat_attachments (account_id, file_id);

-- Ratings of answers, one per user.
create table chat_feedback (
  account_id uuid not null references accounts on delete cascade,
  message_id uuid not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  rating text not null check (rating in ('up', 'down')),
  comment text,
  primary key (account_id, message_id, user_id),
  foreign key (account_id, message_id) references chat_messages (account_id, id) on delete cascade
);

-- Use of the assistant by day (UTC) and by API key or user.
create table assistant_usage (
  account_id uuid not null references accounts on delete cascade,
  day date not null,
  caller_id uuid not null,
  caller_kind text not null,
  requests bigint not null default 0,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  primary key (account_id, day, caller_id)
);

-- Requests to the assistant in the current minute; `subject` is an API key, a user or the account as a whole.
create table assistant_rates (
  account_id uuid not null references accounts on delete cascade,
  subject uuid not null,
  minute timestamptz(3) not null,
  requests int not null,
  primary key (account_id, subject)
);
