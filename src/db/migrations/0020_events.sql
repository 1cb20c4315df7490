-- Events: the changes of the journal in one order per account, without gaps. `number_events` fills these tables.
create table events (
  account_id uuid not null references accounts on delete cascade,
  -- 1, 2, 3, … in each account
  sequence bigint not null,
  -- the change
  seq bigint not null,
  primary key (account_id, sequence)
);
create unique index events_change on events (account_id, seq);

create table event_feeds (
  account_id uuid primary key references accounts on delete cascade,
  last_sequence bigint not null default 0,
  -- every change up to this one has its event
  numbered_to bigint not null default 0,
  -- no open transaction can still write a change up to this one
  settled_to bigint not null default 0,
  -- changes up to mark_seq are settled once every transaction before mark_xid has ended
  mark_seq bigint,
  mark_xid xid8
);
