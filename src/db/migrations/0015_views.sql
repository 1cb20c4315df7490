-- Saved views: a query with a name, for its owner or for everybody in the account.
create table views (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  name text not null,
  entity text not null,
  query jsonb not null,
  columns text[] not null default '{}',
  is_shared boolean not null default false,
  bytes int not null generated always as (octet_length(query::text)) stored,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);
create index views_created on views (account_id, created_at desc, id desc) where deleted_at is null;
create index views_updated on views (account_id, updated_at desc, id desc) where deleted_at is null;
create index views_deleted on views (account_id, deleted_at, id) where deleted_at is not null;
create index views_large on views (account_id) where bytes > 16384;

alter table favorites drop constraint favorites_entity_type_check;
alter table favorites add constraint favorites_entity_type_check
  check (entity_type in ('company', 'contact', 'deal', 'view'));
