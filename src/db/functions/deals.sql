-- Deals: their stage and position on the board, the history of their stages, and their company and primary contact.
-- Triggers enforce all of it, so that a bulk edit, an import or an undo cannot skip it.

call journal_records('pipelines');
call journal_records('stages');
call journal_records('deals', derived => '{last_activity_at,next_activity_at}', counted_by => '{stage_id}');
call journal_links('deal_companies', 'deal_id', 'company_id');
call journal_links('deal_contacts', 'deal_id', 'contact_id');
call journal_links('deal_line_items', 'deal_id', 'product_id');

-- A writer that changes stage_id alone gets the other columns from here. If the writer also sets stage_entered_at (an
-- undo, which restores every value), its values are used. A change of a stage's type moves no deal: a deal that was won
-- and is lost now stays closed since then, and its lost_reason stays in the row, where only a lost deal shows it.
create or replace function set_deal_stage() returns trigger language plpgsql as $$
declare
  stage stages;
  deleted stages;
  type_before text;
begin
  -- The lock makes a concurrent deletion of the stage wait until this deal is visible in it.
  select s.* into stage from stages s
    where s.account_id = new.account_id and s.id = new.stage_id and s.deleted_at is null for key share;
  if not found then
    select s.* into deleted from stages s where s.account_id = new.account_id and s.id = new.stage_id;
    select s.* into stage from stages s
      join pipelines p on p.account_id = s.account_id and p.id = s.pipeline_id and p.deleted_at is null
      where s.account_id = new.account_id and s.deleted_at is null and s.type = coalesce(deleted.type, 'open')
        and (p.id = new.pipeline_id or p.is_default and not exists (
          select from pipelines o
          where o.account_id = new.account_id and o.id = new.pipeline_id and o.deleted_at is null))
      order by s.position, s.id limit 1 for key share of s;
    if not found then
      if deleted.id is null then return new; end if;
      -- the API answers 409 with this sentence (src/db/sqlstate.ts)
      raise exception
        'The stage "%" of the deal "%" is deleted, and there is no other % stage for it: restore the stage or create one',
        deleted.name, new.name, deleted.type using errcode = 'KH409';
    end if;
    new.stage_id := stage.id;
    if tg_op = 'UPDATE' then new.position := null; end if;
  end if;
  new.pipeline_id := stage.pipeline_id;
  if new.position is null then
    select coalesce(max(d.position) + 1, 0) into new.position from deals d
      where d.account_id = new.account_id and d.stage_id = new.stage_id and d.deleted_at is null;
  end if;

  if tg_op = 'INSERT' then
    new.currency := coalesce(new.currency, (select a.currency from accounts a where a.id = new.account_id));
  elsif new.stage_id <> old.stage_id and new.stage_entered_at = old.stage_entered_at then
    -- never before the last move, even if the clock was set back: seconds in a stage are not negative
    new.stage_entered_at := greatest(clock_timestamp(), old.stage_entered_at);
    if new.probability is not distinct from old.probability then new.probability := null; end if;
    select s.type into type_before from stages s where s.account_id = old.account_id and s.id = old.stage_id;
    if type_before <> stage.type then new.closed_at := null; end if;
    if stage.type <> 'lost' then new.lost_reason := null; end if;
  end if;

  new.closed_at := case when stage.type <> 'open' then
    coalesce(new.closed_at, greatest(new.stage_entered_at, now())) end;
  return new;
end $$;
comment on function set_deal_stage() is
  'A deal is never in a stage that is in the trash (it moves to the first stage of the same type in its pipeline, or in the default pipeline if its own is in the trash); pipeline, position, entry time, probability and closing time follow the stage, and a deal that moves to a stage that is not lost has no lost reason.';
create trigger set_stage_of_new_deal before insert on deals
  for each row execute function set_deal_stage();
create trigger set_stage_of_changed_deal before update of pipeline_id, stage_id, closed_at, lost_reason, deleted_at on deals
  for each row when (new.deleted_at is null) execute function set_deal_stage();

create or replace function record_stage_change() returns trigger language plpgsql as $$
begin
  insert into deal_stage_history (account_id, deal_id, from_stage_id, to_stage_id, pipeline_id, entered_at, moved_by)
    values (
      new.account_id, new.id, old.stage_id, new.stage_id, new.pipeline_id,
      -- A move may bring its own time. An undo restores a time before the last move, but itself happens now.
      case when new.stage_entered_at > (
          select max(h.entered_at) from deal_stage_history h
          where h.account_id = new.account_id and h.deal_id = new.id)
        then new.stage_entered_at else clock_timestamp() end,
      nullif(current_setting('kith.user_id', true), '')::uuid
    );
  return null;
end $$;
comment on function record_stage_change() is 'Every change of a deal''s stage is a row of deal_stage_history.';
create trigger record_stage_change after update on deals
  for each row when (old.stage_id <> new.stage_id) execute function record_stage_change();

create or replace function correct_stage_history() returns trigger language plpgsql as $$
begin
  update deal_stage_history h set entered_at = new.stage_entered_at
    where h.account_id = new.account_id and h.deal_id = new.id and h.seq = (
      select max(l.seq) from deal_stage_history l where l.account_id = new.account_id and l.deal_id = new.id);
  return null;
end $$;
comment on function correct_stage_history() is
  'When the time at which a deal entered its stage is corrected, the last row of deal_stage_history follows.';
create trigger correct_stage_history after update of stage_entered_at on deals
  for each row when (old.stage_id = new.stage_id and old.stage_entered_at <> new.stage_entered_at)
  execute function correct_stage_history();

-- Parts run in the order of their names, so the journal has these links before the deal.
call after_insert('deals', 'history', 'A new deal has a first row in deal_stage_history.', null, $body$
    insert into deal_stage_history (account_id, deal_id, to_stage_id, pipeline_id, entered_at, moved_by)
      select n.account_id, n.id, n.stage_id, n.pipeline_id, n.stage_entered_at, write.user_id
      from new_rows n where n.account_id = write.account_id;$body$);
call after_insert('deals', 'company_links', 'A new deal is linked to its company.', 'n.company_id is not null', $body$
    insert into deal_companies (account_id, id, deal_id, company_id)
      select n.account_id, gen_random_uuid(), n.id, n.company_id from new_rows n
      where n.id = any(write.company_links);$body$);
call after_insert('deals', 'contact_links', 'A new deal is linked to its primary contact.',
  'n.primary_contact_id is not null', $body$
    insert into deal_contacts (account_id, id, deal_id, contact_id)
      select n.account_id, gen_random_uuid(), n.id, n.primary_contact_id
      from new_rows n where n.id = any(write.contact_links);$body$);

-- A deal's company and primary contact are always among its links: setting one adds the link, and removing the link,
-- from either side, clears the column. Checked at the end of the transaction: a merge or an undo changes links and
-- columns one after the other, and is consistent only when both are done.
create or replace function link_company_and_contact() returns trigger language plpgsql as $$
begin
  -- An undo in several transactions restores the links in a later one.
  if current_setting('kith.links_follow', true) = 'on' then return null; end if;
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
comment on function link_company_and_contact() is
  'A deal whose company or primary contact changes is linked to it by the end of the transaction.';
create constraint trigger link_company_and_contact after update on deals deferrable initially deferred for each row
  when (old.company_id is distinct from new.company_id
    or old.primary_contact_id is distinct from new.primary_contact_id)
  execute function link_company_and_contact();

create or replace function clear_unlinked_company() returns trigger language plpgsql as $$
begin
  if not account_stays(old.account_id) then return null; end if;
  -- An update of no row fires the statement triggers of deals, 5 ms for each link that an undo removes.
  if not exists (select from deals d where d.account_id = old.account_id and d.id = old.deal_id
    and d.company_id = old.company_id) then return null; end if;
  update deals d set company_id = null
    where d.account_id = old.account_id and d.id = old.deal_id and d.company_id = old.company_id and not exists (
      select from deal_companies l
      where l.account_id = d.account_id and l.deal_id = d.id and l.company_id = d.company_id);
  return null;
end $$;
comment on function clear_unlinked_company() is
  'A deal whose link to its company is removed has no company by the end of the transaction.';
create constraint trigger clear_unlinked_company after delete or update of deal_id, company_id on deal_companies
  deferrable initially deferred for each row execute function clear_unlinked_company();

create or replace function clear_unlinked_contact() returns trigger language plpgsql as $$
begin
  if not account_stays(old.account_id) then return null; end if;
  if not exists (select from deals d where d.account_id = old.account_id and d.id = old.deal_id
    and d.primary_contact_id = old.contact_id) then return null; end if;
  update deals d set primary_contact_id = null
    where d.account_id = old.account_id and d.id = old.deal_id and d.primary_contact_id = old.contact_id and not exists (
      select from deal_contacts l
      where l.account_id = d.account_id and l.deal_id = d.id and l.contact_id = d.primary_contact_id);
  return null;
end $$;
comment on function clear_unlinked_contact() is
  'A deal whose link to its primary contact is removed has no primary contact by the end of the transaction.';
create constraint trigger clear_unlinked_contact after delete or update of deal_id, contact_id on deal_contacts
  deferrable initially deferred for each row execute function clear_unlinked_contact();

-- Spaces the deals of a board column evenly again, in the same order. Not journaled: no user changed anything.
create or replace function space_out_stage(of_account uuid, of_stage uuid) returns void language plpgsql as $$
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

-- Decimal places of ISO 4217 where they are not two.
create or replace function currency_places(code text) returns int language sql immutable as $$
  select case
    when code in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
      'XAF', 'XOF', 'XPF') then 0
    when code in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    when code in ('CLF', 'UYW') then 4
    else 2 end
$$;

-- The price of a line after its discount and before its tax.
create or replace function line_net(quantity numeric, unit_price numeric, discount numeric, code text) returns numeric
  language sql immutable as $$ select round(quantity * unit_price * (100 - discount) / 100, currency_places(code)) $$;

-- Writing an amount means that it is set by hand; null means that it follows the line items. If the writer also sets
-- amount_source (an undo), that value is used. An amount that follows the line items is always computed.
create or replace function set_deal_amount() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.amount_source := coalesce(new.amount_source, case when new.amount is null then 'line_items' else 'manual' end);
    return new;
  end if;
  if new.amount is distinct from old.amount and new.amount_source = old.amount_source then
    new.amount_source := case when new.amount is null then 'line_items' else 'manual' end;
  end if;
  if new.amount_source = 'line_items' then
    new.amount := (select sum(line_net(l.quantity, l.unit_price, l.discount, new.currency)) from deal_line_items l
      where l.account_id = new.account_id and l.deal_id = new.id);
  end if;
  return new;
end $$;
comment on function set_deal_amount() is
  'The amount of a deal is the sum of its line items, before tax, unless it was set by hand; amount_source says which.';
create trigger set_amount_of_new_deal before insert on deals
  for each row execute function set_deal_amount();
create trigger set_amount_of_changed_deal before update of amount, amount_source, currency on deals
  for each row execute function set_deal_amount();

create or replace function refresh_deal_amounts() returns trigger language plpgsql as $$
begin
  -- Replaced lines are written by several statements, after which the writer has the amount computed.
  if current_setting('kith.amounts_follow', true) = 'later' then return null; end if;
  -- set_deal_amount() computes it, because the column is written
  update deals d set amount_source = d.amount_source
    from (
      select account_id, unnest(array_agg(distinct deal_id)) as deal_id from touched_rows
      group by account_id having account_stays(account_id)
    ) t
    where d.account_id = t.account_id and d.id = t.deal_id and d.amount_source = 'line_items';
  return null;
end $$;
comment on function refresh_deal_amounts() is
  'A change of line items changes the amounts of the deals that follow theirs.';
create trigger line_items_created after insert on deal_line_items referencing new table as touched_rows
  for each statement execute function refresh_deal_amounts();
create trigger line_items_updated after update on deal_line_items referencing new table as touched_rows
  for each statement execute function refresh_deal_amounts();
create trigger line_items_deleted after delete on deal_line_items referencing old table as touched_rows
  for each statement execute function refresh_deal_amounts();
