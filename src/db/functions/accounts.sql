-- Members, API keys and invitations: the journal of access, and cache invalidation.

-- Every change of access is journaled, without the hashes. The argument is the column that identifies the row.
create or replace function journal_access() returns trigger language plpgsql as $$
declare
  row_before jsonb := case when tg_op = 'INSERT' then null
    else to_jsonb(old) - array['key_hash', 'token_hash', 'last_used_at', 'updated_at', 'deleted_at'] end;
  row_after jsonb := case when tg_op = 'DELETE' then null
    else to_jsonb(new) - array['key_hash', 'token_hash', 'last_used_at', 'updated_at', 'deleted_at'] end;
  of_account uuid := coalesce(row_after, row_before) ->> 'account_id';
begin
  -- The journal of an account that is being deleted is deleted too.
  if not account_stays(of_account) then return null; end if;
  -- Never part of an operation: undo must not restore a revoked key or a previous role.
  insert into changes (account_id, kind, entity_id, action, before, after, actor_kind, actor_id, user_id)
    values (of_account, tg_table_name, (coalesce(row_after, row_before) ->> tg_argv[0])::uuid,
      case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end,
      row_before, row_after, coalesce(nullif(current_setting('kith.actor_kind', true), ''), 'system'),
      nullif(current_setting('kith.actor_id', true), '')::uuid, nullif(current_setting('kith.user_id', true), '')::uuid);
  return null;
end $$;
comment on function journal_access() is
  'Every change of a member, an API key or an invitation is in the journal, without secrets and never as part of an operation that could be undone.';

create trigger journal after insert or delete or update of name, key_hash, scopes, expires_at, revoked_at on api_keys
  for each row execute function journal_access('id');
create trigger journal after insert or delete or update of role on members
  for each row execute function journal_access('user_id');
create trigger journal after insert or delete or update on invitations
  for each row execute function journal_access('id');

create or replace function notify_caches() returns trigger language plpgsql as $$
begin
  perform pg_notify('kith_stale', tg_table_name || ':' || coalesce(new.account_id, old.account_id));
  return null;
end $$;
comment on function notify_caches() is
  'All processes drop their cached copy when the row changes; the notification on `kith_stale` is `<table>:<account id>`.';

create trigger notify_caches after insert or update of key_hash, scopes, expires_at, revoked_at or delete on api_keys
  for each row execute function notify_caches();
create trigger notify_caches after insert or update or delete on members
  for each row execute function notify_caches();
create trigger notify_caches after insert or update or delete on custom_fields
  for each row execute function notify_caches();

create or replace function notify_ended_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('kith_stale', tg_table_name);
  return null;
end $$;
comment on function notify_ended_sessions() is
  'All processes look up sign-ins again when some have ended, so that access tokens end with them.';
create trigger notify_ended_sessions after delete on refresh_tokens
  for each statement execute function notify_ended_sessions();

-- The name of a member, for sums by owner. Row-level security limits it to members of the current account.
create or replace function member_name(of_user uuid) returns text
  language sql stable as $$ select name from users where id = of_user $$;

-- The API lets only members own records. Undo and restore write old values, whose owner may have left the account.
create or replace function drop_departed_owner() returns trigger language plpgsql as $$
begin
  if not exists (select from members where account_id = new.account_id and user_id = new.owner_id) then
    new.owner_id := null;
  end if;
  return new;
end $$;
comment on function drop_departed_owner() is 'An owner is a member of the account: an update that sets another user clears the column instead.';

create trigger drop_departed_owner before update of owner_id on contacts
  for each row when (new.owner_id is not null and new.owner_id is distinct from old.owner_id)
  execute function drop_departed_owner();
create trigger drop_departed_owner before update of owner_id on companies
  for each row when (new.owner_id is not null and new.owner_id is distinct from old.owner_id)
  execute function drop_departed_owner();
create trigger drop_departed_owner before update of owner_id on deals
  for each row when (new.owner_id is not null and new.owner_id is distinct from old.owner_id)
  execute function drop_departed_owner();

create or replace function drop_departed_assignee() returns trigger language plpgsql as $$
begin
  if not exists (select from members where account_id = new.account_id and user_id = new.assignee_id) then
    new.assignee_id := null;
  end if;
  return new;
end $$;
comment on function drop_departed_assignee() is
  'An assignee is a member of the account: an update that sets another user clears the column instead.';

create trigger drop_departed_assignee before update of assignee_id on activities
  for each row when (new.assignee_id is not null and new.assignee_id is distinct from old.assignee_id)
  execute function drop_departed_assignee();
