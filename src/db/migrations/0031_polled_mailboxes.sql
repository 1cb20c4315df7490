-- How far the mailbox of KITH_IMAP_URL has been read. `due_at` is when it is read next; a process that reads it moves the
-- time ahead, so that no other one reads it meanwhile.
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
