-- The index behind `search` in lists (decision 34). The records of a kind are divided by id into blocks of 64, and 128
-- blocks are a segment. For each trigram of its texts a segment has a bit mask of the blocks that contain it.

-- How far in the journal a reader can be sure to miss nothing, for all accounts together; see src/db/text-index/horizon.ts.
create table search_text_horizon (
  only_row boolean primary key default true check (only_row),
  -- the last number that the journal had assigned when `running` was noted
  seq bigint not null,
  -- every transaction below this one must have ended before `seq` becomes `settled`
  running xid8 not null,
  settled bigint not null default 0
);

create table search_text_segments (
  account_id uuid not null references accounts on delete cascade,
  segment bigint generated always as identity,
  -- the table
  kind text not null,
  -- ids above this one
  above uuid not null,
  -- the last id of each block
  ends uuid[] not null,
  -- false while a process writes its masks; the row is its claim
  is_complete boolean not null default false,
  claimed_at timestamptz(3) not null default now(),
  primary key (account_id, segment),
  unique (account_id, kind, above)
);

create table search_text_masks (
  account_id uuid not null,
  segment bigint not null,
  -- a hash of one, two or three characters
  gram int not null,
  blocks bit(128) not null default b'0'::bit(128),
  primary key (account_id, segment, gram),
  foreign key (account_id, segment) references search_text_segments on delete cascade
);

-- Changes of the journal after `covered` are not in the masks yet.
create table search_text_progress (
  account_id uuid not null references accounts on delete cascade,
  kind text not null,
  covered bigint not null,
  primary key (account_id, kind)
);
