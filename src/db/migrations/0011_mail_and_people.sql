-- Confirmed addresses, tokens that go out by mail, and how many people an account has written to.

alter table users add column email_confirmed_at timestamptz(3);

-- The account of the first start belongs to whoever runs the service. It may send mail although the address of its
-- owner, owner@kith.local, can never be confirmed.
alter table accounts add column is_operators boolean not null default false;
update accounts set is_operators = true where id = (select id from accounts order by created_at, id limit 1);

-- Tokens are single use: the row is deleted when one is redeemed. Each is for the address that it was mailed to.
create table mail_tokens (
  token_hash bytea primary key,
  created_at timestamptz(3) not null default now(),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm_email', 'reset_password')),
  email text not null,
  expires_at timestamptz(3) not null
);
create index mail_tokens_user on mail_tokens (user_id, purpose, created_at);
create index mail_tokens_expiry on mail_tokens (expires_at);

-- The token of an invitation as it was mailed. It differs from the one that the inviter gets to see, so that accepting
-- with it proves the address. Apart from the invitation, whose rows the journal copies.
create table invitation_mails (
  account_id uuid not null,
  invitation_id uuid not null,
  token_hash bytea not null unique,
  primary key (account_id, invitation_id),
  foreign key (account_id, invitation_id) references invitations on delete cascade
);

-- How many people each mail went to, for the limit over 24 hours. The id is the draft's or the invitation mail's.
create table mail_recipients (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  at timestamptz(3) not null default now(),
  recipients int not null,
  primary key (account_id, id)
);
create index mail_recipients_time on mail_recipients (account_id, at);
create index mail_recipients_age on mail_recipients (at);
