-- Pairs of records that a person has looked at and that are not duplicates of each other. An id is that of a contact or
-- of a company; a record that is purged leaves pairs that nothing reads.
create table not_duplicates (
  account_id uuid not null references accounts on delete cascade,
  one_id uuid not null,
  other_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, one_id, other_id),
  check (one_id < other_id)
);
