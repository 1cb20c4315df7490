-- Run after every migration; each statement may run again.
do $$
begin
  if not exists (select from pg_roles where rolname = 'kith_app') then
    create role kith_app nologin;
  end if;
exception
  -- another database of the same server is being set up at the same time
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise exception 'the database user may not create roles: as an administrator run "create role kith_app; grant kith_app to %"', current_user;
end $$;

do $$
declare target record;
begin
  if not pg_has_role(current_user, 'kith_app', 'member') then
    execute format('grant kith_app to %I', current_user);
  end if;
  grant usage on schema kith to kith_app;
  grant execute on all functions in schema kith to kith_app;

  for target in
    select c.oid::regclass as name, c.relname
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = 'kith'::regnamespace and c.relkind in ('r', 'p')
  loop
    execute format('alter table %s enable row level security', target.name);
    execute format('alter table %s force row level security', target.name);
    execute format('drop policy if exists account on %s', target.name);
    -- in a subselect, so that it is evaluated once per statement and not per row
    execute format('create policy account on %s to kith_app
      using (account_id = (select kith.current_account())) with check (account_id = (select kith.current_account()))',
      target.name);
    execute format('drop policy if exists service on %s', target.name);
    execute format('create policy service on %s to %I using (true) with check (true)', target.name, current_user);
    execute format('grant select, insert, update, delete on %s to kith_app', target.name);
  end loop;

  -- the journal is append-only
  revoke update, delete on changes from kith_app;

  alter table accounts enable row level security;
  alter table accounts force row level security;
  drop policy if exists account on accounts;
  create policy account on accounts to kith_app using (id = (select kith.current_account()));
  drop policy if exists service on accounts;
  execute format('create policy service on accounts to %I using (true) with check (true)', current_user);
  grant select, update on accounts to kith_app;

  -- users are visible to the accounts that they belong to; their password hashes to none
  alter table users enable row level security;
  alter table users force row level security;
  drop policy if exists account on users;
  create policy account on users to kith_app
    using (exists (select from members m where m.user_id = users.id and m.account_id = (select kith.current_account())));
  drop policy if exists service on users;
  execute format('create policy service on users to %I using (true) with check (true)', current_user);
  grant select (id, created_at, updated_at, email, email_confirmed_at, name) on users to kith_app;
end $$;
