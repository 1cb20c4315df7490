-- Files on records. Their content is in the folder of record files, under their id.
create table files (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- the record that it is on; `attachable` of kinds says which kinds these are
  entity_type text not null,
  entity_id uuid not null,
  name text not null,
  file_size bigint not null,
  -- found from the content
  mime_type text not null,
  user_id uuid references users,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);
create index files_created on files (account_id, created_at desc, id desc) where deleted_at is null;
create index files_updated on files (account_id, updated_at desc, id desc) where deleted_at is null;
create index files_deleted on files (account_id, deleted_at, id) where deleted_at is not null;
-- also of files in the trash: they go with their record
create index files_entity on files (account_id, entity_id);

alter table kinds add column attachable boolean not null default true;
