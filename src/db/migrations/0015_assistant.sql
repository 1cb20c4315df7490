-- The assistant in chats: answers that are being given, and how much each caller has asked for.

-- An answer under way. Its message is there from the beginning, empty; the row goes in the transaction that fills it.
-- Whoever gives the answer renews its hold on it and leaves here what has been said: should that process die, another
-- one finds the hold expired and closes the answer with what is here. Not in the journal: it is written several times
-- a second.
create table chat_answers (
  account_id uuid not null references accounts on delete cascade,
  message_id uuid not null,
  chat_id uuid not null,
  started_at timestamptz(3) not null default now(),
  held_until timestamptz(3) not null default now() + interval '10 minutes',
  said text not null default '',
  -- tools that were used and records that were cited so far
  progress jsonb not null default '{}',
  stop_requested_at timestamptz(3),
  -- somebody follows it through another process
  followed_until timestamptz(3),
  primary key (account_id, message_id),
  foreign key (account_id, message_id) references chat_messages (account_id, id) on delete cascade,
  foreign key (account_id, chat_id) references chats (account_id, id) on delete cascade
);
create index chat_answers_held on chat_answers (held_until);
create index chat_answers_chat on chat_answers (account_id, chat_id);

-- What was asked of the assistant, by day (UTC) and by key or person.
create table assistant_usage (
  account_id uuid not null references accounts on delete cascade,
  day date not null,
  caller_id uuid not null,
  caller_kind text not null,
  requests bigint not null default 0,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  primary key (account_id, day, caller_id)
);

-- How many answers were asked for in the present minute; `subject` is a key, a person, or the account as a whole.
create table assistant_rates (
  account_id uuid not null references accounts on delete cascade,
  subject uuid not null,
  minute timestamptz(3) not null,
  requests int not null,
  primary key (account_id, subject)
);
