-- The knowledge base, mail and chats.

call journal_records('kb_documents');
call journal_records('email_templates');
call journal_records('email_drafts');
call journal_records('chat_folders');
call journal_records('chats');
call journal_records('chat_messages');
call journal_records('chat_shares');

-- Documents with everything below them, in the trash or not; the given documents are at level 1.
create or replace function kb_below(of_account uuid, tops uuid[]) returns table (id uuid, level int)
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

-- A document, at level 1, with the folders above it.
create or replace function kb_above(of_account uuid, bottom uuid) returns table (id uuid, level int)
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

create or replace function insert_kb_revision() returns trigger language plpgsql as $$
begin
  insert into kb_revisions (account_id, document_id, user_id, title, content, content_markdown)
    values (new.account_id, new.id, nullif(current_setting('kith.user_id', true), '')::uuid, new.title, new.content,
      new.content_markdown);
  -- The web client saves a second after the last key: 200 saves of one afternoon must not replace those of a year.
  delete from kb_revisions r where r.account_id = new.account_id and r.document_id = new.id and r.number = (
    select k.number from (
      select v.number, count(*) over () as total,
        coalesce(v.user_id is not distinct from lead(v.user_id) over w
          and lead(v.created_at) over w < v.created_at + interval '10 minutes', false) as is_replaced_soon
      from kb_revisions v where v.account_id = new.account_id and v.document_id = new.id
      window w as (order by v.number)
    ) k where k.total > 200 order by k.is_replaced_soon desc, k.number limit 1);
  return null;
end $$;
comment on function insert_kb_revision() is
  'Every version of a page is a row of kb_revisions, whichever way it was written; 200 remain, and those that their author replaced within 10 minutes go first.';
create trigger kb_revision_created after insert on kb_documents for each row
  when (new.type = 'page') execute function insert_kb_revision();
create trigger kb_revision_updated after update on kb_documents for each row
  when (new.type = 'page' and (new.title, new.content_markdown, new.content)
    is distinct from (old.title, old.content_markdown, old.content))
  execute function insert_kb_revision();

-- The two functions through which an anonymous visitor reads an account's public pages, and nothing else of it. They
-- run with their owner's rights; the caller stays behind row-level security.
create or replace function public_page(of_account text, of_page text)
  returns table (
    account_name text, account_slug text, title text, slug text, content jsonb, content_markdown text,
    updated_at timestamptz
  )
  language sql stable security definer
  set search_path = kith, pg_temp
  as $$
    select a.name, a.slug, d.title, d.slug, d.content, d.content_markdown, d.updated_at
    from accounts a
    join kb_documents d on d.account_id = a.id
    where a.slug = of_account and d.slug = of_page and d.type = 'page' and d.visibility = 'public'
      and d.deleted_at is null
      and not exists (
        select from kb_above(a.id, d.id) up
        join kb_documents f on f.account_id = a.id and f.id = up.id
        where f.deleted_at is not null
      )
  $$;

create or replace function public_pages(of_account text)
  returns table (account_name text, account_slug text, title text, slug text, updated_at timestamptz)
  language sql stable security definer
  set search_path = kith, pg_temp
  as $$
    select a.name, a.slug, d.title, d.slug, d.updated_at
    from accounts a
    join kb_documents d on d.account_id = a.id
    where a.slug = of_account and d.type = 'page' and d.visibility = 'public' and d.deleted_at is null
      and not exists (
        select from kb_above(a.id, d.id) up
        join kb_documents f on f.account_id = a.id and f.id = up.id
        where f.deleted_at is not null
      )
    order by d.position, d.title, d.id limit 2000
  $$;

-- The functions through which a shared chat is read from outside its account. The token gives access to the chat and
-- nothing more: not to its settings, and to later messages only if the share includes them. They run with their
-- owner's rights; the caller stays behind row-level security.
create or replace function valid_share(wanted bytea, signed_in boolean)
  returns table (account_id uuid, id uuid, chat_id uuid, include_later boolean)
  language sql stable
  set search_path = kith, pg_temp
  as $$
    select s.account_id, s.id, s.chat_id, s.include_later
    from chat_shares s
    where s.token_hash = wanted and s.deleted_at is null and s.revoked_at is null
      and (s.expires_at is null or s.expires_at > now()) and (s.is_public or signed_in)
  $$;

create or replace function shared_chat(wanted bytea, signed_in boolean)
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

-- Messages of users and of the assistant. System messages, tool results and answers in progress are not shared. Ids
-- grow with time, also within a millisecond, so they tell which messages existed when the share was created.
create or replace function shared_messages(wanted bytea, signed_in boolean, most int)
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

-- With its owner's rights, because the role that serves requests may not edit the journal.
create or replace function erase_proposals() returns trigger
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
comment on function erase_proposals() is
  'The values of an erased record are also removed from the assistant''s proposals, from the messages that show them and from the journal of those messages.';
do $$
declare target text;
begin
  for target in select table_name from kinds union all select 'email_drafts' loop
    execute format('create trigger erase_proposals after delete on %I referencing old table as old_rows
      for each statement execute function erase_proposals()', target);
  end loop;
end $$;
