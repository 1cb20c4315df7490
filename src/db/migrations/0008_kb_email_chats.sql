-- Email templates and drafts, chats with their messages, folders and shares, and the knowledge base.
-- Folding a text for the search takes about 1 ms for 1,000 characters in the embedded engine, so of very long
-- ones the beginning must do.

create table email_templates (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  subject text not null,
  body_html text not null,
  -- the body without its tags, so that a search finds what people read and not the markup
  body_text text not null,
  is_favorite boolean not null default false,
  search_text text not null generated always as (fold(subject || chr(10) || left(body_text, 100000))) stored,
  primary key (account_id, id)
);
create index email_templates_created on email_templates (account_id, created_at desc, id desc) where deleted_at is null;
create index email_templates_updated on email_templates (account_id, updated_at desc, id desc) where deleted_at is null;
create index email_templates_trash on email_templates (account_id, created_at desc, id desc) where deleted_at is not null;
call journal_records('email_templates');

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
  search_text text not null generated always as (fold(
    subject || chr(10) || "to"::text || chr(10) || cc::text || chr(10) || bcc::text || chr(10) ||
    left(body_text, 100000)
  )) stored,
  primary key (account_id, id),
  foreign key (account_id, template_id) references email_templates (account_id, id) on delete set null (template_id),
  foreign key (account_id, contact_id) references contacts (account_id, id) on delete set null (contact_id),
  foreign key (account_id, company_id) references companies (account_id, id) on delete set null (company_id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete set null (deal_id)
);
create index email_drafts_created on email_drafts (account_id, created_at desc, id desc) where deleted_at is null;
create index email_drafts_updated on email_drafts (account_id, updated_at desc, id desc) where deleted_at is null;
create index email_drafts_trash on email_drafts (account_id, created_at desc, id desc) where deleted_at is not null;
create index email_drafts_status on email_drafts (account_id, status, created_at desc, id desc) where deleted_at is null;
create index email_drafts_template on email_drafts (account_id, template_id) where template_id is not null;
create index email_drafts_contact on email_drafts (account_id, contact_id) where contact_id is not null;
create index email_drafts_company on email_drafts (account_id, company_id) where company_id is not null;
create index email_drafts_deal on email_drafts (account_id, deal_id) where deal_id is not null;
call journal_records('email_drafts');

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
call journal_records('chat_folders');

create table chats (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  created_by uuid not null references users,
  -- null until it is given or the first message gives it
  title text,
  is_pinned boolean not null default false,
  is_archived boolean not null default false,
  folder_id uuid,
  settings jsonb not null default '{}',
  metadata jsonb not null default '{}',
  search_text text not null generated always as (fold(coalesce(title, 'New chat'))) stored,
  primary key (account_id, id),
  foreign key (account_id, folder_id) references chat_folders (account_id, id) on delete set null (folder_id)
);
-- the order of the list: pinned first, then the latest. One number, because a list is sorted by one value.
create function chat_rank(is_pinned boolean, updated_at timestamptz) returns numeric
  language sql immutable parallel safe
  as $$ select extract(epoch from updated_at at time zone 'UTC') + case when is_pinned then 1e12 else 0 end $$;
create index chats_rank on chats (account_id, chat_rank(is_pinned, updated_at) desc nulls last, id desc)
  where deleted_at is null;
create index chats_created on chats (account_id, created_at desc, id desc) where deleted_at is null;
create index chats_updated on chats (account_id, updated_at desc, id desc) where deleted_at is null;
create index chats_trash on chats (account_id, created_at desc, id desc) where deleted_at is not null;
create index chats_folder on chats (account_id, folder_id) where folder_id is not null;
call journal_records('chats');

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
  search_text text not null generated always as (fold(content)) stored,
  primary key (account_id, id),
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade
);
create index chat_messages_order on chat_messages (account_id, chat_id, created_at, id);
call journal_records('chat_messages');

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
  primary key (account_id, id),
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade
);
create index chat_shares_chat on chat_shares (account_id, chat_id, created_at desc, id desc);
call journal_records('chat_shares');

-- Apart from the shares, so that a reader of a share writes no line into the account's journal.
create table chat_share_views (
  account_id uuid not null references accounts on delete cascade,
  share_id uuid not null,
  view_count bigint not null,
  primary key (account_id, share_id),
  foreign key (account_id, share_id) references chat_shares (account_id, id) on delete cascade
);

-- The two doors through which one account's chat is read from outside it. Whoever has the token has the
-- chat and nothing more: not its settings, nor what was written after the share was made. They run as their
-- owner; the caller stays behind row-level security.
create function valid_share(wanted bytea, signed_in boolean)
  returns table (account_id uuid, id uuid, chat_id uuid)
  language sql stable
  set search_path = kith, pg_temp
  as $$
    select s.account_id, s.id, s.chat_id
    from chat_shares s
    where s.token_hash = wanted and s.deleted_at is null and s.revoked_at is null
      and (s.expires_at is null or s.expires_at > now()) and (s.is_public or signed_in)
  $$;

create function shared_chat(wanted bytea, signed_in boolean)
  returns table (
    id uuid, created_at timestamptz, updated_at timestamptz, account_id uuid, created_by uuid, title text,
    is_pinned boolean, is_archived boolean, folder_id uuid
  )
  language sql volatile security definer
  set search_path = kith, pg_temp
  as $$
    with found as (
      select c.*, s.id as share_id
      from valid_share(wanted, signed_in) s
      join chats c on c.account_id = s.account_id and c.id = s.chat_id
      where c.deleted_at is null
    ), seen as (
      insert into chat_share_views as v (account_id, share_id, view_count)
        select f.account_id, f.share_id, 1 from found f
        on conflict (account_id, share_id) do update set view_count = v.view_count + 1
    )
    select f.id, f.created_at, f.updated_at, f.account_id, f.created_by, coalesce(f.title, 'New chat'),
      f.is_pinned, f.is_archived, d.id
    from found f
    left join chat_folders d on d.account_id = f.account_id and d.id = f.folder_id and d.deleted_at is null
  $$;

-- Ids grow with time, also within a millisecond, so they tell what was there when the share was made.
create function shared_messages(wanted bytea, signed_in boolean)
  returns table (
    id uuid, created_at timestamptz, updated_at timestamptz, role text, content text, chat_id uuid
  )
  language sql stable security definer
  set search_path = kith, pg_temp
  as $$
    select m.id, m.created_at, m.updated_at, m.role, m.content, m.chat_id
    from valid_share(wanted, signed_in) s
    join chats c on c.account_id = s.account_id and c.id = s.chat_id and c.deleted_at is null
    join chat_messages m on m.account_id = s.account_id and m.chat_id = s.chat_id
    where m.deleted_at is null and m.id < s.id
    order by m.created_at, m.id
  $$;

create table kb_documents (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- the delete that it went with: a folder's subtree comes back with the folder
  deletion_id uuid,
  type text not null check (type in ('folder', 'page')),
  title text not null,
  slug text collate "C" not null,
  content jsonb check (content is null or type = 'page'),
  content_markdown text check (content_markdown is null or type = 'page'),
  visibility text not null default 'private' check (visibility in ('private', 'public')),
  parent_id uuid,
  position int not null default 0,
  search_text text not null generated always as (fold(
    title || chr(10) || left(coalesce(content_markdown, ''), 300000)
  )) stored,
  primary key (account_id, id),
  foreign key (account_id, parent_id) references kb_documents (account_id, id) on delete set null (parent_id)
);
create unique index kb_documents_slug on kb_documents (account_id, slug) where deleted_at is null;
create index kb_documents_order on kb_documents (account_id, parent_id, position, id) where deleted_at is null;
create index kb_documents_root on kb_documents (account_id, position, id) where deleted_at is null and parent_id is null;
create index kb_documents_parent on kb_documents (account_id, parent_id) where parent_id is not null;
create index kb_documents_trash on kb_documents (account_id, position, id) where deleted_at is not null;
call journal_records('kb_documents');

-- Documents with everything below them, in the trash or not; they themselves are at level 1.
create function kb_below(of_account uuid, tops uuid[]) returns table (id uuid, level int)
  language sql stable
  as $$
    with recursive below as (
      select d.id, 1 as level from kb_documents d where d.account_id = of_account and d.id = any(tops)
      union all
      select d.id, b.level + 1 from below b
        join kb_documents d on d.account_id = of_account and d.parent_id = b.id
    )
    select b.id, b.level from below b
  $$;

-- A document at level 1 with the folders above it.
create function kb_above(of_account uuid, bottom uuid) returns table (id uuid, level int)
  language sql stable
  as $$
    with recursive above as (
      select d.id, d.parent_id, 1 as level from kb_documents d where d.account_id = of_account and d.id = bottom
      union all
      select d.id, d.parent_id, a.level + 1 from above a
        join kb_documents d on d.account_id = of_account and d.id = a.parent_id
    )
    select a.id, a.level from above a
  $$;
