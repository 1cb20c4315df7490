-- The search index: the texts of records cut into passages, the words of the passages, and their vectors. All of it is
-- derived from the journal and the records, and can be deleted and rebuilt.

-- How far the indexer has read the journal. Imports have a position of their own, so that users' changes do not wait
-- behind 100,000 imported rows. The process that holds the lock of the first row is the indexer.
create table search_feed (
  lane text primary key check (lane in ('people', 'imports')),
  xid xid8 not null,
  seq bigint not null
);
insert into search_feed (lane, xid, seq) values ('people', '0', 0), ('imports', '0', 0);

-- Records whose passages are out of date, processed in small batches by priority.
create table search_dirty (
  account_id uuid not null references accounts on delete cascade,
  entity_type text not null,
  entity_id uuid not null,
  -- 0: changed by a user; 1: changed by an import, or shows a renamed record; 2: to be rebuilt even if unchanged
  priority smallint not null,
  seq bigint generated always as identity,
  since timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, entity_id)
);
create index search_dirty_order on search_dirty (priority, seq);

-- Accounts to be indexed again, and the progress for each kind of record.
create table search_reindex (
  account_id uuid not null references accounts on delete cascade,
  entity_type text not null,
  after_id uuid,
  primary key (account_id, entity_type)
);

-- A passage never changes: a new text is a new passage, so that a vector always belongs to the text it was made from.
create table search_passages (
  account_id uuid not null references accounts on delete cascade,
  id bigint generated always as identity,
  entity_type text not null,
  entity_id uuid not null,
  part int not null,
  -- the record's name, for display
  name text not null,
  -- the record's own text
  body text not null,
  -- what the record is linked to: names of linked records, stage, tags
  context text not null,
  -- true: prose written by a user; false: assembled from the record's fields
  written boolean not null,
  -- its words in search_words, needed to remove them again
  words text[] not null,
  hash bytea not null,
  primary key (account_id, id)
);
create unique index search_passages_record on search_passages (account_id, entity_id, part);
create index search_passages_order on search_passages (id);

-- Plain rows and a plain index: row-level security allows nothing else. A word that begins with `=` is a whole name,
-- address, domain or number. The three tables of words have no foreign keys, which would be checked a million times
-- during an import; the trigger delete_account_index deletes their rows with the account.
create table search_words (
  account_id uuid not null,
  word text collate "C" not null,
  passage_id bigint not null,
  weight smallint not null,
  entity_type text not null,
  primary key (account_id, word, passage_id)
);

-- Every word once, with the number of passages that contain it.
create table search_vocabulary (
  account_id uuid not null,
  word text collate "C" not null,
  uses int not null,
  primary key (account_id, word)
);

-- For parts of words and for misspelt words.
create table search_trigrams (
  account_id uuid not null,
  trigram text collate "C" not null,
  word text collate "C" not null,
  primary key (account_id, trigram, word)
);

-- The embedding models whose vectors are stored. While a new model is indexing, the previous one answers.
create table search_models (
  model text primary key,
  since timestamptz(3) not null default now(),
  -- passages up to this id have been queued for it
  queued_to bigint not null default 0,
  complete boolean not null default false
);

-- Passages without a vector of the current model.
create table search_queue (
  account_id uuid not null,
  passage_id bigint not null,
  priority smallint not null,
  -- when the lease of the process that works on it expires
  claimed_until timestamptz(3) not null default '-infinity',
  primary key (account_id, passage_id),
  foreign key (account_id, passage_id) references search_passages (account_id, id) on delete cascade
);
create index search_queue_order on search_queue (priority, passage_id);

-- `signs` finds the nearest few hundred vectors of an account with bit_count, `bytes` ranks those.
create table search_vectors (
  account_id uuid not null,
  model text not null,
  passage_id bigint not null,
  entity_type text not null,
  signs bit varying not null,
  bytes bytea not null,
  primary key (account_id, model, passage_id),
  foreign key (account_id, passage_id) references search_passages (account_id, id) on delete cascade
);
create index search_vectors_passage on search_vectors (account_id, passage_id);

-- The index behind `search` in lists (decision 34). The records of a kind are divided by id into blocks of 8, and
-- 1,024 blocks are a segment. For each trigram of its texts a segment has a bit mask of the blocks that contain it.

-- How far in the journal a reader can be sure to miss nothing, for all accounts together; see
-- src/db/text-index/horizon.ts.
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
  blocks bit(1024) not null default b'0'::bit(1024),
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
