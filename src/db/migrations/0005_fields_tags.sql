-- Custom fields, categories in use, tags, saved views and favorites.
--
-- Row-level security lets an index serve only comparisons that PostgreSQL knows to leak nothing: those of text, uuid,
-- numbers and times, but not those of jsonb, numeric and arrays. So triggers copy the values of `metadata` and
-- `categories` into tables with plain columns, by which lists find and sort records.

create table custom_fields (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- checked by ../functions/kinds.sql, like the other columns of this name in this file
  entity_type text not null,
  key text not null,
  name text not null,
  field_type text not null check (field_type in (
    'text', 'long_text', 'number', 'currency', 'boolean', 'date', 'datetime', 'select', 'multi_select', 'url',
    'email', 'phone', 'user', 'reference', 'rating', 'json')),
  description text,
  is_required boolean not null default false,
  is_unique boolean not null default false,
  default_value jsonb,
  options jsonb,
  validation jsonb,
  group_name text,
  position int not null default 0,
  is_archived boolean not null default false,
  search_text text not null generated always as (fold(
    name || chr(10) || key || chr(10) || coalesce(description, '') || chr(10) || coalesce(group_name, '')
  )) stored,
  primary key (account_id, id)
);
create unique index custom_fields_key on custom_fields (account_id, entity_type, key) where deleted_at is null;
create index custom_fields_order on custom_fields (account_id, position, id) where deleted_at is null;
create index custom_fields_deleted on custom_fields (account_id, deleted_at, id) where deleted_at is not null;

-- One row per value of a declared field, several for a multi_select. Triggers maintain it and delete rows with their
-- field or record; foreign keys would take longer than everything else when records are written.
create table custom_values (
  account_id uuid not null,
  entity_id uuid not null,
  field_id uuid not null,
  item int not null,
  -- the beginning of a text: an index entry holds at most 2,700 bytes
  text_value text collate "C",
  sort_text text collate "C" generated always as (lower(left(text_value, 200))) stored,
  number_value double precision,
  time_value timestamptz(3),
  -- hash of the whole value, for records not in the trash, if the field is unique
  unique_hash bytea,
  primary key (account_id, entity_id, field_id, item)
);
create unique index custom_values_unique on custom_values (account_id, field_id, unique_hash)
  where unique_hash is not null;
create index custom_values_text on custom_values (account_id, field_id, text_value, entity_id)
  where text_value is not null;
create index custom_values_order on custom_values (account_id, field_id, sort_text, entity_id)
  where item = 0 and sort_text is not null;
create index custom_values_number on custom_values (account_id, field_id, number_value, entity_id)
  where number_value is not null;
create index custom_values_time on custom_values (account_id, field_id, time_value, entity_id)
  where time_value is not null;

-- Which records have which category, by its folded name. Maintained by triggers, like custom_values.
create table category_uses (
  account_id uuid not null,
  entity_id uuid not null,
  name_key text collate "C" not null,
  primary key (account_id, entity_id, name_key)
);
create index category_uses_name on category_uses (account_id, name_key, entity_id);

create table tags (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  color text,
  name_key text collate "C" generated always as (fold(name)) stored,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);
create unique index tags_name on tags (account_id, name_key) where deleted_at is null;
create index tags_created on tags (account_id, created_at desc, id desc) where deleted_at is null;
create index tags_deleted on tags (account_id, deleted_at, id) where deleted_at is not null;

create table taggings (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  tag_id uuid not null,
  entity_type text not null,
  entity_id uuid not null,
  created_by uuid references users,
  primary key (account_id, entity_id, tag_id),
  unique (account_id, id),
  foreign key (account_id, tag_id) references tags (account_id, id) on delete cascade
);
create index taggings_tag on taggings (account_id, tag_id, entity_type, entity_id);

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

create table favorite_folders (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  name text not null,
  color text,
  display_order int not null default 0,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);
create index favorite_folders_order on favorite_folders (account_id, user_id, display_order, id);
create index favorite_folders_deleted on favorite_folders (account_id, deleted_at, id) where deleted_at is not null;

create table favorites (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  -- a kind of record, or `view`
  entity_type text not null,
  entity_id uuid not null,
  folder_id uuid,
  display_order int not null default 0,
  notes text,
  primary key (account_id, id),
  foreign key (account_id, folder_id) references favorite_folders (account_id, id) on delete set null (folder_id)
);
create unique index favorites_record on favorites (account_id, entity_id, user_id) where deleted_at is null;
create index favorites_order on favorites (account_id, user_id, folder_id, display_order, id) where deleted_at is null;
create index favorites_deleted on favorites (account_id, deleted_at, id) where deleted_at is not null;
