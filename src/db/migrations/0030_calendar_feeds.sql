-- The secret address of a member's calendar; of the token there is only a hash. It goes with the membership.
create table calendar_feeds (
  account_id uuid not null references accounts on delete cascade,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, user_id)
);
create unique index calendar_feeds_token on calendar_feeds (token_hash);

alter table imports drop constraint imports_format_check,
  add constraint imports_format_check check (format in ('csv', 'xlsx', 'json', 'vcard', 'ical'));
