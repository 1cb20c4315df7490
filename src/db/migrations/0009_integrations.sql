-- What other systems get from an account and send to it: events, webhooks, calendar feeds, polled mailboxes.

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

-- Webhooks: events that are posted to addresses of the account's choice (src/features/webhooks).
create table webhooks (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The shared list code reads it; it is always null.
  deleted_at timestamptz(3),
  url text not null,
  event_types text[] not null,
  description text,
  is_active boolean not null,
  -- why the service disabled it
  disabled_reason text,
  disabled_at timestamptz(3),
  -- the first failed attempt since the last one that succeeded
  failing_since timestamptz(3),
  -- encrypted by src/kernel/encryption.ts
  secret text not null,
  -- the one before a rotation, which signs as well until it expires
  previous_secret text,
  previous_secret_expires_at timestamptz(3),
  -- every event up to this sequence has its delivery
  position bigint not null,
  created_by uuid not null references users,
  primary key (account_id, id)
);
create index webhooks_created on webhooks (account_id, created_at desc, id desc) where deleted_at is null;
create index webhooks_active on webhooks (account_id, id) where is_active;

-- The delivery of one event to one webhook: what has to be done, and afterwards the log. It has no copy of the event,
-- so that erasing a record leaves no values here.
create table webhook_deliveries (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The shared list code reads it; it is always null.
  deleted_at timestamptz(3),
  webhook_id uuid not null,
  -- what the receiver recognises a repeated delivery by
  message_id text not null,
  event_type text not null,
  -- null: a test
  event_sequence bigint,
  -- deliveries of one record go out one after the other
  record_id uuid not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  attempt_count int not null default 0,
  -- of the last attempt
  attempted_at timestamptz(3),
  url text,
  response_status int,
  response_excerpt text,
  error text,
  duration_ms int,
  -- the latest attempts
  attempts jsonb not null default '[]',
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
);
create unique index webhook_deliveries_event on webhook_deliveries (account_id, webhook_id, event_sequence);
create index webhook_deliveries_pending on webhook_deliveries (account_id, webhook_id, record_id, event_sequence)
  where status = 'pending';
create index webhook_deliveries_created on webhook_deliveries (account_id, webhook_id, created_at desc, id desc)
  where deleted_at is null;
create index webhook_deliveries_record on webhook_deliveries (account_id, record_id);
create index webhook_deliveries_ended on webhook_deliveries (updated_at) where status <> 'pending';

-- A record that has pending deliveries of a webhook. A process takes the lane, not the delivery, so that the deliveries
-- of a record keep their order and those of others do not wait for them.
create table webhook_lanes (
  account_id uuid not null,
  webhook_id uuid not null,
  record_id uuid not null,
  -- when the next attempt is due; while a process has the lane, when its lease expires
  next_at timestamptz(3) not null default now(),
  lease_id uuid,
  -- failed attempts of the first delivery of the lane, and when the first of them was
  failures int not null default 0,
  failing_since timestamptz(3),
  primary key (account_id, webhook_id, record_id),
  foreign key (account_id, webhook_id) references webhooks (account_id, id) on delete cascade
);
create index webhook_lanes_due on webhook_lanes (account_id, webhook_id, next_at);

-- The secret address of a member's calendar; of the token there is only a hash. It goes with the membership.
create table calendar_feeds (
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, user_id)
);
create unique index calendar_feeds_token on calendar_feeds (token_hash);

-- How far the mailbox of KITH_IMAP_URL has been read. `due_at` is when it is read next; a process that reads it moves
-- the time ahead, so that no other one reads it meanwhile.
create table polled_mailboxes (
  account_id uuid not null references accounts on delete cascade,
  mailbox text not null,
  -- a new one means that the server has numbered the mails again
  uid_validity bigint not null default 0,
  last_uid bigint not null default 0,
  -- of the mail after `last_uid`
  attempts integer not null default 0,
  -- rounds in succession that failed
  failures integer not null default 0,
  due_at timestamptz(3) not null default now(),
  primary key (account_id, mailbox)
);
