-- What stands around the assistant in a chat: the changes that it proposes, the files that it reads, what people
-- think of its answers; and shares that follow their chat.

-- A change that the assistant would make. Nothing happens until a person accepts it. Not in the journal: what is
-- done about it is, under the operation that it became.
create table chat_proposals (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  chat_id uuid not null,
  -- null until the answer that it belongs to is stored
  message_id uuid,
  kind text not null check (kind in ('create', 'update', 'draft_mail')),
  entity_type text not null,
  -- of an update; of the others once they are accepted, what was made
  entity_id uuid,
  summary text not null,
  proposed jsonb not null,
  -- what the fields held when it was proposed
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

-- What is erased is not kept in proposals either, nor in the answers that show them, nor in their history. With its
-- owner's rights, because the journal is otherwise only added to.
create function forget_proposals() returns trigger
  language plpgsql security definer set search_path = kith, pg_temp
as $$
declare shown uuid[];
begin
  with gone as (
    delete from chat_proposals p using old_rows o where p.account_id = o.account_id and p.entity_id = o.id
      returning p.message_id
  )
  select array_agg(distinct message_id) into shown from gone where message_id is not null;
  if shown is null then return null; end if;
  perform set_config('kith.derived', 'on', true);
  update chat_messages m set metadata = jsonb_set(m.metadata, '{proposals}', coalesce((
      select jsonb_agg(e order by n) from jsonb_array_elements(m.metadata -> 'proposals') with ordinality p (e, n)
      where not exists (select from old_rows o where o.id::text = e ->> 'entity_id')), '[]'))
    where m.account_id in (select o.account_id from old_rows o) and m.id = any(shown)
      and jsonb_typeof(m.metadata -> 'proposals') = 'array';
  perform set_config('kith.derived', '', true);
  update changes c set before = null, after = null
    where c.account_id in (select o.account_id from old_rows o) and c.entity_id = any(shown)
      and (c.before is not null or c.after is not null);
  return null;
end $$;

do $$
declare target text;
begin
  foreach target in array array['companies', 'contacts', 'deals', 'activities', 'notes', 'email_drafts'] loop
    execute format('create trigger forget_proposals after delete on %I referencing old table as old_rows
      for each statement execute function forget_proposals()', target);
  end loop;
end $$;

-- A file that is read into a chat. Its bytes lie in the data folder under `file_id`, which a copy of the chat shares;
-- the file goes when no row names it any more.
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

-- What people think of an answer, each for themselves.
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

-- A share shows what was said until it was made, or, when it says so, also what is said later.
alter table chat_shares add column include_later boolean not null default false;

drop function shared_messages(bytea, boolean);
drop function valid_share(bytea, boolean);

create function valid_share(wanted bytea, signed_in boolean)
  returns table (account_id uuid, id uuid, chat_id uuid, include_later boolean)
  language sql stable
  set search_path = kith, pg_temp
  as $$
    select s.account_id, s.id, s.chat_id, s.include_later
    from chat_shares s
    where s.token_hash = wanted and s.deleted_at is null and s.revoked_at is null
      and (s.expires_at is null or s.expires_at > now()) and (s.is_public or signed_in)
  $$;

-- What people and the assistant said to each other. What a program told the model, what its tools found, and an
-- answer that is still being given are nobody else's business.
create function shared_messages(wanted bytea, signed_in boolean, most int)
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
    where m.deleted_at is null and (s.include_later or m.id < s.id) and m.role in ('user', 'assistant')
      and not exists (select from chat_answers a where a.account_id = m.account_id and a.message_id = m.id)
    order by m.created_at, m.id limit most
  $$;
