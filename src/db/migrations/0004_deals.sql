-- Deals: their place on the board, the history of their stages, and their company and contact among those they
-- are tied to. Triggers see to all of it, so that a bulk edit, an import or an undo cannot leave any of it out.

alter table pipelines add column search_text text not null
  generated always as (fold(name || chr(10) || coalesce(description, ''))) stored;
alter table stages add column search_text text not null generated always as (fold(name)) stored;

drop index deals_stage;
-- the order of a column; with what its sums are made of, so that they are read from the index alone
create index deals_stage on deals (account_id, stage_id, position, id) include (amount, currency, probability)
  where deleted_at is null;
create index deals_pipeline on deals (account_id, pipeline_id, created_at desc, id desc) where deleted_at is null;
create index deals_owner on deals (account_id, owner_id, created_at desc, id desc) where deleted_at is null;
create index deals_amount on deals (account_id, amount desc nulls last, id desc) where deleted_at is null;
create index deals_expected_close on deals (account_id, expected_close_date, id) where deleted_at is null;
-- not only the living: a contact that is erased is looked for here
create index deals_primary_contact on deals (account_id, primary_contact_id) where primary_contact_id is not null;

-- Without a position a deal comes last in its column.
alter table deals alter column position drop default;

-- What a deal carries of its stage. Whoever changes stage_id alone gets the rest from here; whoever also writes
-- stage_entered_at (an undo, which puts back every value as it was) keeps what they write. A deal is never in a
-- stage that is in the trash: a new, moved or restored one then comes to the first open stage of its pipeline or,
-- when that is gone too, of the default one.
create function deal_takes_its_place() returns trigger language plpgsql as $$
declare
  place stages;
  type_before text;
begin
  -- The lock holds off whoever is deleting the stage at this moment, until this deal can be seen in it.
  select s.* into place from stages s
    where s.account_id = new.account_id and s.id = new.stage_id and s.deleted_at is null for key share;
  if not found then
    select s.* into place from stages s
      join pipelines p on p.account_id = s.account_id and p.id = s.pipeline_id and p.deleted_at is null
      where s.account_id = new.account_id and s.deleted_at is null and s.type = 'open'
        and (p.id = new.pipeline_id or p.is_default)
      order by coalesce(p.id = new.pipeline_id, false) desc, s.position, s.id limit 1 for key share of s;
    if not found then return new; end if;
    new.stage_id := place.id;
    if tg_op = 'UPDATE' then new.position := null; end if;
  end if;
  new.pipeline_id := place.pipeline_id;
  if new.position is null then
    select coalesce(max(d.position) + 1, 0) into new.position from deals d
      where d.account_id = new.account_id and d.stage_id = new.stage_id and d.deleted_at is null;
  end if;

  if tg_op = 'INSERT' then
    new.currency := coalesce(new.currency, (select a.currency from accounts a where a.id = new.account_id));
  elsif new.stage_id <> old.stage_id and new.stage_entered_at = old.stage_entered_at then
    -- never before the last move, whatever the clock did meanwhile: seconds in a stage are not negative
    new.stage_entered_at := greatest(clock_timestamp(), old.stage_entered_at);
    if new.probability is not distinct from old.probability then new.probability := null; end if;
    select s.type into type_before from stages s where s.account_id = old.account_id and s.id = old.stage_id;
    if type_before <> place.type then new.closed_at := null; end if;
  end if;

  new.closed_at := case when place.type <> 'open' then
    coalesce(new.closed_at, greatest(new.stage_entered_at, now())) end;
  if place.type <> 'lost' then new.lost_reason := null; end if;
  return new;
end $$;
create trigger deal_takes_its_place before insert on deals
  for each row execute function deal_takes_its_place();
create trigger deal_keeps_its_place before update of pipeline_id, stage_id, closed_at, lost_reason, deleted_at on deals
  for each row when (new.deleted_at is null) execute function deal_takes_its_place();

create table deal_stage_history (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null default gen_random_uuid(),
  deal_id uuid not null,
  seq bigint generated always as identity,
  from_stage_id uuid,
  to_stage_id uuid not null,
  pipeline_id uuid not null,
  entered_at timestamptz(3) not null,
  moved_by uuid,
  primary key (account_id, deal_id, seq),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade
);

create function deal_changed_stage() returns trigger language plpgsql as $$
begin
  insert into deal_stage_history (account_id, deal_id, from_stage_id, to_stage_id, pipeline_id, entered_at, moved_by)
    values (
      new.account_id, new.id, old.stage_id, new.stage_id, new.pipeline_id,
      -- An undo puts stage_entered_at back; the way back itself happens now. (Columns round to milliseconds.)
      case when new.stage_entered_at > now() - interval '1 millisecond'
        then new.stage_entered_at else clock_timestamp() end,
      nullif(current_setting('kith.user_id', true), '')::uuid
    );
  return null;
end $$;
create trigger deal_changed_stage after update on deals
  for each row when (old.stage_id <> new.stage_id) execute function deal_changed_stage();

insert into deal_stage_history (account_id, deal_id, to_stage_id, pipeline_id, entered_at, moved_by)
  select account_id, id, stage_id, pipeline_id, stage_entered_at, created_by from deals;

-- Spaces the deals of a column evenly again, in the order they have; nobody has changed anything by that.
create function space_out_stage(of_account uuid, of_stage uuid) returns void language plpgsql as $$
begin
  perform set_config('kith.derived', 'on', true);
  update deals d set position = k.place
    from (
      select id, row_number() over (order by position, id) - 1 as place from deals
      where account_id = of_account and stage_id = of_stage and deleted_at is null
    ) k
    where d.account_id = of_account and d.id = k.id and d.position <> k.place;
  perform set_config('kith.derived', '', true);
end $$;

-- A deal's company and its primary contact are always among those it is tied to: naming one ties it, and untying
-- it, from either side, takes the name away. Seen to at the end of the transaction: a merge or an undo changes ties
-- and names one after the other, and is right only when it has done both.
create function deal_ties_named() returns trigger language plpgsql as $$
begin
  insert into deal_companies (account_id, id, deal_id, company_id)
    select d.account_id, gen_random_uuid(), d.id, d.company_id from deals d
    where d.account_id = new.account_id and d.id = new.id and d.company_id is not null and not exists (
      select from deal_companies l
      where l.account_id = d.account_id and l.deal_id = d.id and l.company_id = d.company_id)
    on conflict do nothing;
  insert into deal_contacts (account_id, id, deal_id, contact_id)
    select d.account_id, gen_random_uuid(), d.id, d.primary_contact_id from deals d
    where d.account_id = new.account_id and d.id = new.id and d.primary_contact_id is not null and not exists (
      select from deal_contacts l
      where l.account_id = d.account_id and l.deal_id = d.id and l.contact_id = d.primary_contact_id)
    on conflict do nothing;
  return null;
end $$;
create constraint trigger deal_ties_named after update on deals deferrable initially deferred for each row
  when (old.company_id is distinct from new.company_id
    or old.primary_contact_id is distinct from new.primary_contact_id)
  execute function deal_ties_named();

create function deal_company_untied() returns trigger language plpgsql as $$
begin
  update deals d set company_id = null
    where d.account_id = old.account_id and d.id = old.deal_id and d.company_id = old.company_id and not exists (
      select from deal_companies l
      where l.account_id = d.account_id and l.deal_id = d.id and l.company_id = d.company_id);
  return null;
end $$;
create constraint trigger deal_company_untied after delete or update of deal_id, company_id on deal_companies
  deferrable initially deferred for each row execute function deal_company_untied();

create function deal_contact_untied() returns trigger language plpgsql as $$
begin
  update deals d set primary_contact_id = null
    where d.account_id = old.account_id and d.id = old.deal_id and d.primary_contact_id = old.contact_id and not exists (
      select from deal_contacts l
      where l.account_id = d.account_id and l.deal_id = d.id and l.contact_id = d.primary_contact_id);
  return null;
end $$;
create constraint trigger deal_contact_untied after delete or update of deal_id, contact_id on deal_contacts
  deferrable initially deferred for each row execute function deal_contact_untied();

-- What new deals bring along, all of a statement together: an import has them by the thousand.
create function deals_began() returns trigger language plpgsql as $$
begin
  insert into deal_stage_history (account_id, deal_id, to_stage_id, pipeline_id, entered_at, moved_by)
    select n.account_id, n.id, n.stage_id, n.pipeline_id, n.stage_entered_at,
      nullif(current_setting('kith.user_id', true), '')::uuid
    from new_rows n;
  if exists (select from new_rows n where n.company_id is not null) then
    insert into deal_companies (account_id, id, deal_id, company_id)
      select n.account_id, gen_random_uuid(), n.id, n.company_id from new_rows n where n.company_id is not null;
  end if;
  if exists (select from new_rows n where n.primary_contact_id is not null) then
    insert into deal_contacts (account_id, id, deal_id, contact_id)
      select n.account_id, gen_random_uuid(), n.id, n.primary_contact_id
      from new_rows n where n.primary_contact_id is not null;
  end if;
  return null;
end $$;
create trigger deals_began after insert on deals referencing new table as new_rows
  for each statement execute function deals_began();

insert into deal_companies (account_id, id, deal_id, company_id)
  select account_id, gen_random_uuid(), id, company_id from deals where company_id is not null
  on conflict do nothing;
insert into deal_contacts (account_id, id, deal_id, contact_id)
  select account_id, gen_random_uuid(), id, primary_contact_id from deals where primary_contact_id is not null
  on conflict do nothing;

-- A member's name, for sums by owner; row-level security shows the people of the current account alone.
create function member_name(of_user uuid) returns text
  language sql stable as $$ select name from users where id = of_user $$;
