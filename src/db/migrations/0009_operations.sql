-- Changes that were made as one (a bulk edit, a merge, an import) and can be undone as one. What changed is
-- in the journal under the operation's id.
create table operations (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  kind text not null,
  entity_type text not null,
  record_count int not null default 0,
  user_id uuid references users,
  undone_at timestamptz(3),
  -- the operation that undid this one, which can itself be undone
  undone_by uuid,
  primary key (account_id, id)
);
create index operations_list on operations (account_id, created_at desc, id desc);
