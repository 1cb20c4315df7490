-- What people see of their sessions. Every token of a session carries it, because older tokens are deleted.
alter table refresh_tokens
  add column started_at timestamptz(3),
  add column user_agent text,
  -- the account that the person works in; not a foreign key, because membership is checked whenever it is read
  add column working_in uuid;
update refresh_tokens set started_at = created_at;
alter table refresh_tokens alter column started_at set default now(), alter column started_at set not null;
