-- Accounts (the tenants), users and their membership, credentials, and what the service stores for itself.
--
-- Conventions of all files:
-- * Tables only. Functions and triggers are in ../functions, row-level security and grants in ../protect.sql.
-- * Primary and foreign keys begin with account_id: a row cannot refer to a row of another account.
-- * `deleted_at` marks a record that is in the trash. Lists read the partial indexes `where deleted_at is null`; the
--   index `<table>_deleted` reads the trash by the time of deletion and costs records outside the trash nothing.

create table accounts (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  name text not null,
  slug text not null unique,
  currency text not null default 'USD',
  -- The account of the first start, which belongs to the operator of the service. It may send mail although the address
  -- of its owner, owner@kith.local, can never be confirmed.
  is_operators boolean not null default false,
  -- Set while the account is being deleted. Its members and credentials are gone by then; a job removes its rows in
  -- steps, and the account last. Triggers neither journal nor count what it loses.
  closed_at timestamptz(3)
);

create table users (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  email text not null,
  email_confirmed_at timestamptz(3),
  name text not null,
  -- null: the user signs in through an external issuer and has no password here
  password_hash text,
  -- the `sub` claim of the external issuer's token
  external_subject text unique
);
create unique index users_email on users (lower(email));

create table members (
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  primary key (account_id, user_id)
);
create index members_by_user on members (user_id);

create table invitations (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  created_by uuid not null references users,
  primary key (account_id, id)
);
-- One open invitation per address: inviting it again renews the invitation.
create unique index invitations_open on invitations (account_id, lower(email)) where accepted_at is null;
create index invitations_list on invitations (account_id, created_at desc, id desc) where accepted_at is null;

-- The token of an invitation as it was mailed. It differs from the one that the inviter gets to see, so that accepting
-- with it proves the address. Apart from the invitation, whose rows the journal copies.
create table invitation_mails (
  account_id uuid not null,
  invitation_id uuid not null,
  token_hash bytea not null unique,
  primary key (account_id, invitation_id),
  foreign key (account_id, invitation_id) references invitations on delete cascade
);

create table api_keys (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The shared list code reads it. A key is revoked, never deleted, so it is always null.
  deleted_at timestamptz(3),
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null default '{*}',
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_by uuid not null references users,
  primary key (account_id, id)
);
create index api_keys_list on api_keys (account_id, created_at desc, id desc);

-- The previous value of a rotated key, while it still works.
create table retired_api_keys (
  account_id uuid not null,
  key_id uuid not null,
  key_hash bytea not null unique,
  valid_until timestamptz(3) not null,
  primary key (account_id, key_hash),
  foreign key (account_id, key_id) references api_keys on delete cascade
);
create index retired_api_keys_key on retired_api_keys (account_id, key_id);

create table refresh_tokens (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  user_id uuid not null references users on delete cascade,
  -- One login. A token that is used twice revokes its whole family.
  family_id uuid not null,
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- What people see of their sessions. Every token of a session has it, because older tokens are deleted.
  started_at timestamptz(3) not null default now(),
  user_agent text,
  -- the account that the person works in; not a foreign key, because membership is checked whenever it is read
  working_in uuid
);
create index refresh_tokens_family on refresh_tokens (family_id);
create index refresh_tokens_user on refresh_tokens (user_id);

-- Registrations that wait for the token in their mail. Nobody exists and no address is taken until it is redeemed.
-- A registered address gets a row, too, whose token is never mailed: the answer and its time must not differ.
create table registrations (
  token_hash bytea primary key,
  created_at timestamptz(3) not null default now(),
  email text not null,
  name text not null,
  account_name text,
  password_hash text not null,
  expires_at timestamptz(3) not null
);
create index registrations_email on registrations (lower(email), created_at);
create index registrations_expiry on registrations (expires_at);

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

create table idempotency_keys (
  account_id uuid not null references accounts on delete cascade,
  -- the client's key together with the caller and the route
  scope text not null,
  created_at timestamptz(3) not null default now(),
  request_hash bytea not null,
  status int not null,
  headers jsonb not null default '{}',
  body text not null,
  primary key (account_id, scope)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- What the service itself stores: the secret that signs its tokens when none is configured (all processes that
-- share this database need the same one), and the hash of the API key given by the environment. The role that
-- serves requests has no access to this table.
create table service_secrets (
  name text primary key,
  created_at timestamptz(3) not null default now(),
  value text not null
);
