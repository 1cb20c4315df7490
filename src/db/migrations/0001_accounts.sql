-- Accounts (the tenants), their people and keys; the journal that every account-owned table writes;
-- and the helpers that the record tables stand on.

create table accounts (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  name text not null,
  slug text not null unique,
  currency text not null default 'USD'
);

create table users (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  email text not null,
  name text not null,
  -- null: a person who comes in through an outside issuer and has no password here
  password_hash text,
  -- the `sub` of an outside issuer's token
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

create table api_keys (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
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

create table refresh_tokens (
  id uuid primary key,
  created_at timestamptz(3) not null default now(),
  user_id uuid not null references users on delete cascade,
  -- one login; a token that is used twice ends the whole family
  family_id uuid not null,
  token_hash bytea not null unique,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index refresh_tokens_family on refresh_tokens (family_id);
create index refresh_tokens_user on refresh_tokens (user_id);

create table idempotency_keys (
  account_id uuid not null references accounts on delete cascade,
  -- the key the client sent, with who sent it and to which route
  scope text not null,
  created_at timestamptz(3) not null default now(),
  request_hash bytea not null,
  status int not null,
  headers jsonb not null default '{}',
  body text not null,
  primary key (account_id, scope)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Who is at work on this connection; src/db/engine.ts sets these before each statement or transaction.
create function current_account() returns uuid
  language sql stable parallel safe
  as $$ select nullif(current_setting('kith.account_id', true), '')::uuid $$;

-- Text as it is searched: without case and without accents, the same on every server and locale
-- (lower() under the C locale leaves everything but ASCII alone, so the letters are named here).
create function fold(value text) returns text
  language sql immutable strict parallel safe
  as $$
    select replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "C"),
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІЇҐЂЃЅЈЉЊЋЌЎЏØøĐđŁłÐÞŒÆĦıŊŦ',
        'αβγδεζηθικλμνξοπρστυφχψωσабвгдежзийклмнопрстуфхцчшщъыьэюяєіїґђѓѕјљњћќўџooddllðþœæħiŋŧ'
      ), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss')
  $$;

create function digits(value text) returns text
  language sql immutable strict parallel safe
  as $$ select regexp_replace(value, '[^0-9]', '', 'g') $$;

-- The journal: every change of every account-owned record, written by triggers in the transaction of the
-- change, so that no path that writes (a request, a bulk edit, a merge, an import) can go around it.
-- Timelines, undo, the search index, webhooks and the event stream all read it.
create table changes (
  -- goes with its account by a trigger: a foreign key is looked up for each of a hundred thousand rows of an import
  account_id uuid not null,
  seq bigint generated always as identity,
  -- readers that must miss nothing wait until every transaction up to here has ended
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default clock_timestamp(),
  kind text not null,
  entity_id uuid not null,
  -- a link's other end
  related_id uuid,
  action text not null check (action in ('created', 'updated', 'deleted', 'restored', 'erased')),
  before jsonb,
  after jsonb,
  operation_id uuid,
  actor_kind text not null,
  actor_id uuid,
  user_id uuid,
  primary key (account_id, seq)
);
create index changes_entity on changes (account_id, entity_id, seq desc);
create index changes_related on changes (account_id, related_id, seq desc) where related_id is not null;
create index changes_operation on changes (account_id, operation_id, seq) where operation_id is not null;
create function forget_changes() returns trigger language plpgsql as $$
begin
  delete from changes where account_id = old.id;
  return null;
end $$;
create trigger forget_changes after delete on accounts for each row execute function forget_changes();

-- How many records of a kind an account has, as sums of small steps: counting 100,000 rows takes 12 ms,
-- and one row per account would make its writers wait for each other. record_change() folds the steps.
create table record_counts (
  account_id uuid not null references accounts on delete cascade,
  id bigint generated always as identity,
  kind text not null,
  living bigint not null,
  trashed bigint not null,
  primary key (account_id, id)
);
create index record_counts_kind on record_counts (account_id, kind) include (living, trashed);

create function count_step(of_account uuid, of_kind text, living_step bigint, trashed_step bigint) returns void
  language plpgsql as $$
begin
  if living_step = 0 and trashed_step = 0 then return; end if;
  if random() < 0.02 then
    with folded as (
      delete from record_counts c using (
        select id from record_counts where account_id = of_account and kind = of_kind for update skip locked
      ) free
      where c.account_id = of_account and c.id = free.id returning c.living, c.trashed
    )
    insert into record_counts (account_id, kind, living, trashed)
      select of_account, of_kind, coalesce(sum(living), 0) + living_step, coalesce(sum(trashed), 0) + trashed_step
      from folded;
  else
    insert into record_counts (account_id, kind, living, trashed)
      values (of_account, of_kind, living_step, trashed_step);
  end if;
end $$;

-- Statement triggers of record tables (those with id and deleted_at): journal and counts.
-- Who makes the changes of this transaction, and as part of what: read once a statement, not once a row.
create type journal_author as (operation_id uuid, actor_kind text, actor_id uuid, user_id uuid);
create function journal_author() returns journal_author language sql stable as $$
  select row(
    nullif(current_setting('kith.operation_id', true), '')::uuid,
    coalesce(nullif(current_setting('kith.actor_kind', true), ''), 'system'),
    nullif(current_setting('kith.actor_id', true), '')::uuid,
    nullif(current_setting('kith.user_id', true), '')::uuid
  )::journal_author
$$;

create function record_created() returns trigger language plpgsql as $$
declare
  step record;
  author journal_author := journal_author();
begin
  insert into changes (account_id, kind, entity_id, action, operation_id, actor_kind, actor_id, user_id)
    select account_id, tg_table_name, id, 'created', author.operation_id, author.actor_kind, author.actor_id, author.user_id
    from new_rows;
  for step in
    select account_id, count(*) filter (where deleted_at is null) living,
      count(*) filter (where deleted_at is not null) trashed
    from new_rows group by account_id
  loop
    perform count_step(step.account_id, tg_table_name, step.living, step.trashed);
  end loop;
  return null;
end $$;

-- The journal keeps what people and programs changed. What follows from it (derived columns; kith.derived is on
-- while they are written) is left out, which also spares 300,000 comparisons of whole rows when as many
-- activities are imported.
-- Without nested loops: the plan is made once a connection, for the first update, which is mostly of one row, and
-- would then compare each old row with each new one. 3,000 rows took 10 s so, and take 0.3 s by a hash.
create function record_updated() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  step record;
  author journal_author := journal_author();
begin
  if current_setting('kith.derived', true) = 'on' then return null; end if;
  insert into changes
    (account_id, kind, entity_id, action, before, after, operation_id, actor_kind, actor_id, user_id)
    select n.account_id, tg_table_name, n.id,
      case
        when o.deleted_at is null and n.deleted_at is not null then 'deleted'
        when o.deleted_at is not null and n.deleted_at is null then 'restored'
        else 'updated'
      end,
      d.before, d.after, author.operation_id, author.actor_kind, author.actor_id, author.user_id
    from new_rows n
    join old_rows o on o.account_id = n.account_id and o.id = n.id
    cross join lateral (
      select jsonb_object_agg(a.key, b.value) as before, jsonb_object_agg(a.key, a.value) as after
      from jsonb_each(to_jsonb(n)) a
      join jsonb_each(to_jsonb(o)) b on b.key = a.key
      where a.value is distinct from b.value and a.key not in (
        'updated_at', 'search_text', 'phone_digits', 'name_key', 'falls_due_at', 'open_due_at', 'happened_at',
        'planned_at', 'begins_at', 'long_until', 'first_interaction', 'last_interaction', 'next_interaction', 'last_activity_at', 'next_activity_at')
    ) d
    where d.after is not null;
  for step in
    select n.account_id,
      count(*) filter (where n.deleted_at is null) - count(*) filter (where o.deleted_at is null) living,
      count(*) filter (where n.deleted_at is not null) - count(*) filter (where o.deleted_at is not null) trashed
    from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
    group by n.account_id
  loop
    perform count_step(step.account_id, tg_table_name, step.living, step.trashed);
  end loop;
  return null;
end $$;

create function record_erased() returns trigger language plpgsql as $$
declare
  step record;
  author journal_author := journal_author();
begin
  -- What was erased is not kept here either: only that it went, when and by whom.
  insert into changes (account_id, kind, entity_id, action, operation_id, actor_kind, actor_id, user_id)
    select o.account_id, tg_table_name, o.id, 'erased', author.operation_id, author.actor_kind, author.actor_id, author.user_id
    from old_rows o join accounts a on a.id = o.account_id;
  for step in
    select o.account_id, -count(*) filter (where deleted_at is null) living,
      -count(*) filter (where deleted_at is not null) trashed
    from old_rows o join accounts a on a.id = o.account_id group by o.account_id
  loop
    perform count_step(step.account_id, tg_table_name, step.living, step.trashed);
  end loop;
  return null;
end $$;

create procedure journal_records(target regclass) language plpgsql as $$
begin
  execute format('create trigger journal_created after insert on %s referencing new table as new_rows
    for each statement execute function record_created()', target);
  execute format('create trigger journal_updated after update on %s referencing old table as old_rows new table as new_rows
    for each statement execute function record_updated()', target);
  execute format('create trigger journal_erased after delete on %s referencing old table as old_rows
    for each statement execute function record_erased()', target);
end $$;

-- Link tables: rows that tie two records together and really go when they are untied. The journal keeps the
-- whole row, so that undo can tie it again; the ends are named by the trigger's arguments.
create function link_changed() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  left_end text := tg_argv[0];
  right_end text := tg_argv[1];
  author journal_author := journal_author();
begin
  if tg_op = 'INSERT' then
    insert into changes
      (account_id, kind, entity_id, related_id, action, after, operation_id, actor_kind, actor_id, user_id)
      select n.account_id, tg_table_name, (n.row ->> left_end)::uuid, (n.row ->> right_end)::uuid,
        'created', n.row, author.operation_id, author.actor_kind, author.actor_id, author.user_id
      from (select account_id, to_jsonb(new_rows) as row from new_rows offset 0) n;
  elsif tg_op = 'DELETE' then
    insert into changes
      (account_id, kind, entity_id, related_id, action, before, operation_id, actor_kind, actor_id, user_id)
      select o.account_id, tg_table_name, (o.row ->> left_end)::uuid, (o.row ->> right_end)::uuid,
        'deleted', o.row, author.operation_id, author.actor_kind, author.actor_id, author.user_id
      from (select account_id, to_jsonb(old_rows) as row from old_rows offset 0) o
      join accounts a on a.id = o.account_id;
  else
    insert into changes
      (account_id, kind, entity_id, related_id, action, before, after, operation_id, actor_kind, actor_id, user_id)
      select n.account_id, tg_table_name, (to_jsonb(n) ->> left_end)::uuid, (to_jsonb(n) ->> right_end)::uuid,
        'updated', to_jsonb(o), to_jsonb(n), author.operation_id, author.actor_kind, author.actor_id, author.user_id
      from new_rows n join old_rows o on o.account_id = n.account_id and o.id = n.id
      where to_jsonb(o) is distinct from to_jsonb(n);
  end if;
  return null;
end $$;

create procedure journal_links(target regclass, left_end text, right_end text) language plpgsql as $$
begin
  execute format('create trigger journal_created after insert on %s referencing new table as new_rows
    for each statement execute function link_changed(%L, %L)', target, left_end, right_end);
  execute format('create trigger journal_updated after update on %s referencing old table as old_rows new table as new_rows
    for each statement execute function link_changed(%L, %L)', target, left_end, right_end);
  execute format('create trigger journal_erased after delete on %s referencing old table as old_rows
    for each statement execute function link_changed(%L, %L)', target, left_end, right_end);
end $$;

-- Tells every process that something it keeps in memory is stale; the payload is `<table>:<account id>`.
create function tell_caches() returns trigger language plpgsql as $$
begin
  perform pg_notify('kith_stale', tg_table_name || ':' || coalesce(new.account_id, old.account_id));
  return null;
end $$;

create trigger tell_caches after insert or update of scopes, expires_at, revoked_at or delete on api_keys
  for each row execute function tell_caches();
create trigger tell_caches after insert or update or delete on members
  for each row execute function tell_caches();
