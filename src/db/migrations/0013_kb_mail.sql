-- Revisions of pages, pages for people outside, and what it takes to send a draft.

create table kb_revisions (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null default gen_random_uuid(),
  created_at timestamptz(3) not null default clock_timestamp(),
  -- in which order they were made, also within a millisecond
  number bigint generated always as identity,
  document_id uuid not null,
  -- who wrote it; null: the service itself
  user_id uuid references users,
  title text not null,
  content jsonb,
  content_markdown text,
  primary key (account_id, document_id, number),
  foreign key (account_id, document_id) references kb_documents (account_id, id) on delete cascade
);

-- By trigger, so that no way of writing a page (a request, a copy, an import, an undo) goes around it. Of one page
-- the last 200 are kept.
create function kb_revise() returns trigger language plpgsql as $$
begin
  insert into kb_revisions (account_id, document_id, user_id, title, content, content_markdown)
    values (new.account_id, new.id, nullif(current_setting('kith.user_id', true), '')::uuid, new.title, new.content,
      new.content_markdown);
  delete from kb_revisions r where r.account_id = new.account_id and r.document_id = new.id and r.number <= (
    select k.number from kb_revisions k where k.account_id = new.account_id and k.document_id = new.id
    order by k.number desc offset 200 limit 1);
  return null;
end $$;
create trigger kb_revise_new after insert on kb_documents for each row
  when (new.type = 'page') execute function kb_revise();
create trigger kb_revise_changed after update on kb_documents for each row
  when (new.type = 'page' and (new.title, new.content_markdown, new.content)
    is distinct from (old.title, old.content_markdown, old.content))
  execute function kb_revise();

insert into kb_revisions (account_id, document_id, created_at, title, content, content_markdown)
  select d.account_id, d.id, d.updated_at, d.title, d.content, d.content_markdown from kb_documents d
  where d.type = 'page' order by d.updated_at, d.id;

-- The two doors through which a stranger reads an account's public pages, and nothing else of it. They run as their
-- owner; the caller stays behind row-level security.
create function public_page(of_account text, of_page text)
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

create function public_pages(of_account text)
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
create index kb_documents_public on kb_documents (account_id, position, title, id)
  where visibility = 'public' and type = 'page' and deleted_at is null;

-- A mail keeps its Message-ID from the first try on, so that a repeat is recognised as the same mail. `send_id` is
-- the job that may send it: one that was taken back or replaced finds another there and leaves it alone.
alter table email_drafts add column message_id text;
alter table email_drafts add column error text;
alter table email_drafts add column send_id uuid;
alter table email_drafts add column activity_id uuid;
alter table email_drafts add constraint email_drafts_activity
  foreign key (account_id, activity_id) references activities (account_id, id) on delete set null (activity_id);
create index email_drafts_activity on email_drafts (account_id, activity_id) where activity_id is not null;

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
