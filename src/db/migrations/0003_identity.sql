-- Rotated keys, one open invitation an address, and the journal of who may do what.

-- Lists read it. A key is revoked instead of deleted and stays in sight, so nothing ever sets it.
alter table api_keys add column deleted_at timestamptz(3);

-- What a rotated key was before, for as long as it still works.
create table retired_api_keys (
  account_id uuid not null,
  key_id uuid not null,
  key_hash bytea not null unique,
  valid_until timestamptz(3) not null,
  primary key (account_id, key_hash),
  foreign key (account_id, key_id) references api_keys on delete cascade
);
create index retired_api_keys_key on retired_api_keys (account_id, key_id);

drop trigger tell_caches on api_keys;
create trigger tell_caches after insert or update of key_hash, scopes, expires_at, revoked_at or delete on api_keys
  for each row execute function tell_caches();

-- Inviting the same address again renews the invitation.
create unique index invitations_open on invitations (account_id, lower(email)) where accepted_at is null;

create index invitations_list on invitations (account_id, created_at desc, id desc) where accepted_at is null;

-- What the service itself must remember: the secret that our own tokens are signed with, where none is
-- configured (every process that shares this database must have the same), and the hash of the key that came
-- by the environment. The role that serves requests has no right to it.
create table service_secrets (
  name text primary key,
  created_at timestamptz(3) not null default now(),
  value text not null
);

-- Keys, members and invitations are changed by few and matter much: the journal keeps every step, without
-- the hashes. The argument names the column that identifies the row.
create function identity_changed() returns trigger language plpgsql as $$
declare
  row_before jsonb := case when tg_op = 'INSERT' then null
    else to_jsonb(old) - array['key_hash', 'token_hash', 'last_used_at', 'updated_at', 'deleted_at'] end;
  row_after jsonb := case when tg_op = 'DELETE' then null
    else to_jsonb(new) - array['key_hash', 'token_hash', 'last_used_at', 'updated_at', 'deleted_at'] end;
  of_account uuid := coalesce(row_after, row_before) ->> 'account_id';
begin
  -- an account that is being removed takes its journal along
  if not exists (select from accounts where id = of_account) then return null; end if;
  -- never part of an operation: undoing one must not bring a revoked key or a former role back
  insert into changes (account_id, kind, entity_id, action, before, after, actor_kind, actor_id, user_id)
    values (of_account, tg_table_name, (coalesce(row_after, row_before) ->> tg_argv[0])::uuid,
      case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'updated' else 'deleted' end,
      row_before, row_after, coalesce(nullif(current_setting('kith.actor_kind', true), ''), 'system'),
      nullif(current_setting('kith.actor_id', true), '')::uuid, nullif(current_setting('kith.user_id', true), '')::uuid);
  return null;
end $$;

create trigger journal after insert or delete or update of name, key_hash, scopes, expires_at, revoked_at on api_keys
  for each row execute function identity_changed('id');
create trigger journal after insert or delete or update of role on members
  for each row execute function identity_changed('user_id');
create trigger journal after insert or delete or update on invitations
  for each row execute function identity_changed('id');
