-- The search index: what records say, cut into passages; the words of the passages; their vectors. All of it is
-- made from the journal and the records, and can be thrown away and made again.

-- Readers that must miss nothing go by transaction, then by order: a transaction that began earlier may commit
-- later, and its lines would be passed over by someone who goes by `seq` alone.
create index changes_by_people on changes (xid, seq) where actor_kind <> 'import';
create index changes_by_imports on changes (xid, seq) where actor_kind = 'import';

-- How far the journal has been read, apart for what imports write: nobody waits behind a hundred thousand lines of
-- it. Whoever holds the lock of the first row is the one who indexes.
create table search_feed (
  lane text primary key check (lane in ('people', 'imports')),
  xid xid8 not null,
  seq bigint not null
);
insert into search_feed (lane, xid, seq) values ('people', '0', 0), ('imports', '0', 0);

-- Records whose passages are out of date. Few at a time: what people do goes before what imports bring.
create table search_dirty (
  account_id uuid not null references accounts on delete cascade,
  entity_type text not null,
  entity_id uuid not null,
  -- 0: somebody waits for it; 1: an import, or a rename that many records show; 2: to be made anew in any case
  priority smallint not null,
  seq bigint generated always as identity,
  since timestamptz(3) not null default clock_timestamp(),
  primary key (account_id, entity_id)
);
create index search_dirty_order on search_dirty (priority, seq);

-- Accounts that are to be indexed anew, and how far that has come for each kind of record.
create table search_reindex (
  account_id uuid not null references accounts on delete cascade,
  entity_type text not null,
  after_id uuid,
  primary key (account_id, entity_type)
);

-- A passage never changes: another text is another passage, so that a vector always belongs to what it was made of.
create table search_passages (
  account_id uuid not null references accounts on delete cascade,
  id bigint generated always as identity,
  entity_type text not null,
  entity_id uuid not null,
  part int not null,
  -- the record's name, for showing
  name text not null,
  -- what the record says, and beside it what it is tied to: names of linked records, stage, tags
  body text not null,
  context text not null,
  -- people wrote it; else it is put together from the record's fields
  written boolean not null,
  -- the words under which it stands in search_words, to take it out of there again
  words text[] not null,
  hash bytea not null,
  primary key (account_id, id)
);
create unique index search_passages_record on search_passages (account_id, entity_id, part);
create index search_passages_order on search_passages (id);

-- Plain rows and a plain index: behind row-level security nothing else may be used. `=` before a word marks a
-- whole name, address, domain or number.
create table search_words (
  account_id uuid not null,
  word text collate "C" not null,
  passage_id bigint not null,
  weight smallint not null,
  entity_type text not null,
  primary key (account_id, word, passage_id)
);

-- Each word once, with how many passages hold it.
create table search_vocabulary (
  account_id uuid not null,
  word text collate "C" not null,
  uses int not null,
  primary key (account_id, word)
);

-- For parts inside words and for misspelt ones.
create table search_trigrams (
  account_id uuid not null,
  trigram text collate "C" not null,
  word text collate "C" not null,
  primary key (account_id, trigram, word)
);

-- The models whose vectors are kept: while a new one is at work, the one before it answers.
create table search_models (
  model text primary key,
  since timestamptz(3) not null default now(),
  -- passages up to here have been queued for it
  queued_to bigint not null default 0,
  complete boolean not null default false
);

-- Passages that have no vector by the present model yet.
create table search_queue (
  account_id uuid not null,
  passage_id bigint not null,
  priority smallint not null,
  -- a process that is working on it has it until then
  claimed_until timestamptz(3) not null default '-infinity',
  primary key (account_id, passage_id),
  foreign key (account_id, passage_id) references search_passages (account_id, id) on delete cascade
);
create index search_queue_order on search_queue (priority, passage_id);

-- The signs find the nearest few hundred of an account with bit_count, the bytes rank those.
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

-- Takes passages out of the index with all that was made of them; a word that nobody uses any more goes too.
-- Always along the keys: whatever the planner knows about sizes, each of these tables may hold millions of rows.
create function search_take_out(of_account uuid, ids bigint[]) returns void
  language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  gone record;
begin
  for gone in
    select u.word, count(*)::int as uses
    from search_passages p cross join lateral unnest(p.words) u (word)
    where p.account_id = of_account and p.id = any(ids) group by u.word order by u.word
  loop
    delete from search_words where account_id = of_account and word = gone.word and passage_id = any(ids);
    update search_vocabulary set uses = uses - gone.uses where account_id = of_account and word = gone.word;
    delete from search_vocabulary where account_id = of_account and word = gone.word and uses <= 0;
    if found then
      delete from search_trigrams t using generate_series(1, length(gone.word) - 2) i
        where t.account_id = of_account and t.trigram = substr(gone.word, i, 3) and t.word = gone.word;
    end if;
  end loop;
  delete from search_passages where account_id = of_account and id = any(ids);
end $$;

-- What is erased leaves the index in the transaction that erases it.
create function search_forgets() returns trigger language plpgsql as $$
declare
  gone record;
begin
  for gone in
    select o.account_id, array_agg(p.id) as ids
    from old_rows o join search_passages p on p.account_id = o.account_id and p.entity_id = o.id
    group by o.account_id
  loop
    perform search_take_out(gone.account_id, gone.ids);
  end loop;
  return null;
end $$;

do $$
declare target text;
begin
  foreach target in array array['companies', 'contacts', 'deals', 'activities', 'notes', 'kb_documents',
    'email_templates', 'email_drafts', 'chat_messages']
  loop
    execute format('create trigger search_forgets after delete on %I referencing old table as old_rows
      for each statement execute function search_forgets()', target);
  end loop;
end $$;

-- Instead of foreign keys from the words, which would check the account a million times during an import.
create function search_forgets_account() returns trigger language plpgsql as $$
begin
  delete from search_words where account_id = old.id;
  delete from search_vocabulary where account_id = old.id;
  delete from search_trigrams where account_id = old.id;
  return null;
end $$;
create trigger search_forgets_account after delete on accounts
  for each row execute function search_forgets_account();
