-- The journal of all changes, the operations that group them, and the record counts.

-- Every change of every record of an account. Triggers write it in the transaction of the change, so that no writer
-- (a request, a bulk edit, a merge, an import) can bypass it. Timelines, undo, the search index and the event stream
-- read it.
create table changes (
  -- No foreign key: it would be checked for each of the 100,000 rows of an import. The trigger
  -- delete_account_changes deletes the rows with their account.
  account_id uuid not null,
  seq bigint generated always as identity,
  -- A reader that must not miss a row waits until every transaction up to this one has ended.
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default clock_timestamp(),
  -- the table
  kind text not null,
  entity_id uuid not null,
  -- the other end of a link
  related_id uuid,
  action text not null check (action in ('created', 'updated', 'deleted', 'restored', 'erased')),
  before jsonb,
  after jsonb,
  operation_id uuid,
  actor_kind text not null,
  actor_id uuid,
  user_id uuid,
  primary key (account_id, seq)
);
create index changes_entity on changes (account_id, entity_id, seq desc);
create index changes_related on changes (account_id, related_id, seq desc) where related_id is not null;
create index changes_operation on changes (account_id, operation_id, seq) where operation_id is not null;
-- The search indexer reads in order of transaction, then seq: a transaction that began earlier can commit later, and
-- a reader that goes by `seq` alone would skip its rows. Imports have an index of their own, so that users' changes
-- do not wait behind 100,000 imported rows.
create index changes_by_people on changes (xid, seq) where actor_kind <> 'import';
create index changes_by_imports on changes (xid, seq) where actor_kind = 'import';

-- Who makes the changes of the current transaction, and as part of which operation; see journal_author().
create type journal_author as (operation_id uuid, actor_kind text, actor_id uuid, user_id uuid);

-- Changes that were made as one (a bulk edit, a merge, an import) and can be undone as one. The journal holds the
-- changes themselves under the operation's id.
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

-- How many records of a kind an account has, as the sum of small steps. Counting 100,000 rows takes 12 ms, and a
-- single row per account would make its writers wait for each other. count_step() merges the steps now and then.
create table record_counts (
  account_id uuid not null references accounts on delete cascade,
  id bigint generated always as identity,
  -- a table, `tag <id>` or `category <folded name>`
  kind text not null,
  living bigint not null,
  trashed bigint not null,
  primary key (account_id, id)
);
create index record_counts_kind on record_counts (account_id, kind) include (living, trashed);
