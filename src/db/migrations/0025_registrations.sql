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
