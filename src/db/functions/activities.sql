-- Activities and notes, and the columns of contacts and deals that are derived from activities.

call journal_records('activities', counted_by => '{type,status}');
call journal_records('transcriptions');
call journal_links('activity_contacts', 'activity_id', 'contact_id');
call journal_links('activity_companies', 'activity_id', 'company_id');
call journal_links('activity_deals', 'activity_id', 'deal_id');

create or replace function keep_activity_consistent() returns trigger language plpgsql as $$
begin
  if new.end_at < new.start_at then
    raise exception 'an activity cannot end before it starts' using errcode = 'invalid_parameter_value';
  end if;
  if new.status <> 'completed' then
    new.completed_at := null;
  elsif tg_op = 'INSERT' then
    -- generated columns such as falls_due_at have no value yet
    new.completed_at := coalesce(new.completed_at, least(now(), coalesce(new.end_at, new.start_at, new.due_at,
      ((new.due_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC')));
  else
    new.completed_at := coalesce(new.completed_at, now());
  end if;
  return new;
end $$;
comment on function keep_activity_consistent() is
  'An activity has completed_at exactly while its status is completed, and does not end before it starts. One that is '
  'created as completed was completed at its end, start or due time, unless that is in the future.';
create trigger keep_activity_consistent before insert or update on activities for each row
  when ((new.status = 'completed') <> (new.completed_at is not null) or new.end_at < new.start_at)
  execute function keep_activity_consistent();

-- Not journaled: the journal already states that the record was erased.
create or replace function clear_note_entity() returns trigger language plpgsql as $$
begin
  perform set_config('kith.derived', 'on', true);
  update notes n set entity_type = null, entity_id = null
    from old_rows o where n.account_id = o.account_id and n.entity_id = o.id;
  perform set_config('kith.derived', '', true);
  return null;
end $$;
comment on function clear_note_entity() is 'A note outlives the record it was on and no longer refers to it.';

-- A completed call, meeting or email is an interaction with its contacts; first_interaction and last_interaction are
-- the earliest and the latest happened_at of those. next_interaction is the earliest planned_at from now on of the open
-- calls, meetings and emails. Deals count activities of every type. A next_* value becomes wrong as time passes:
-- readers ignore one in the past and call coming_interaction() or coming_activity() instead. A null remains correct,
-- because no activity moves into the future by itself.
--
-- Both functions first lock the rows they are about to change, so that the next statement sees what a concurrent
-- transaction on the same contact has committed. Otherwise the later of two writers would store a value that is
-- computed without the other's activity.
--
-- They always use the indexes, with one plan: on tables without statistics (an import into a new account) the planner
-- chose to read all links for each contact, and 1,000 more links took 1.1 s instead of 0.2 s.

create or replace function refresh_contact_interactions(of_account uuid, touched uuid[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform from contacts where account_id = of_account and id = any(touched) order by id for no key update;
  perform set_config('kith.derived', 'on', true);
  update contacts c set first_interaction = d.first, last_interaction = d.last, next_interaction = d.next
    from (
      select t.id, min(a.happened_at) as first, max(a.happened_at) as last,
        min(a.planned_at) filter (where a.planned_at >= now()) as next
      from unnest(touched) t (id)
      left join activity_contacts l on l.account_id = of_account and l.contact_id = t.id
      left join activities a on a.account_id = of_account and a.id = l.activity_id
        and a.deleted_at is null and a.type in ('call', 'meeting', 'email')
      group by t.id
    ) d
    where c.account_id = of_account and c.id = d.id
      and (c.first_interaction, c.last_interaction, c.next_interaction) is distinct from (d.first, d.last, d.next);
  perform set_config('kith.derived', '', true);
end $$;

create or replace function refresh_deal_activity(of_account uuid, touched uuid[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  perform from deals where account_id = of_account and id = any(touched) order by id for no key update;
  perform set_config('kith.derived', 'on', true);
  update deals e set last_activity_at = d.last, next_activity_at = d.next
    from (
      select t.id, max(a.happened_at) as last, min(a.planned_at) filter (where a.planned_at >= now()) as next
      from unnest(touched) t (id)
      left join activity_deals l on l.account_id = of_account and l.deal_id = t.id
      left join activities a on a.account_id = of_account and a.id = l.activity_id and a.deleted_at is null
      group by t.id
    ) d
    where e.account_id = of_account and e.id = d.id
      and (e.last_activity_at, e.next_activity_at) is distinct from (d.last, d.next);
  perform set_config('kith.derived', '', true);
end $$;

create or replace function coming_interaction(of_account uuid, of_contact uuid) returns timestamptz
  language sql stable as $$
    select min(a.planned_at) from activity_contacts l
    join activities a on a.account_id = l.account_id and a.id = l.activity_id
    where l.account_id = of_account and l.contact_id = of_contact
      and a.deleted_at is null and a.type in ('call', 'meeting', 'email') and a.planned_at >= now()
  $$;

create or replace function coming_activity(of_account uuid, of_deal uuid) returns timestamptz
  language sql stable as $$
    select min(a.planned_at) from activity_deals l
    join activities a on a.account_id = l.account_id and a.id = l.activity_id
    where l.account_id = of_account and l.deal_id = of_deal and a.deleted_at is null and a.planned_at >= now()
  $$;

-- Only on update: a new activity has no links yet, and an erased one deletes its links, whose triggers do the same.
call after_update('activities', 'interactions',
  'The interaction times of contacts and the activity times of deals follow every change of a linked activity.',
  '(o.type, o.happened_at, o.planned_at, o.deleted_at is null)
        is distinct from (n.type, n.happened_at, n.planned_at, n.deleted_at is null)', $body$
    perform refresh_after_activities(write.account_id, write.interactions);$body$);

create or replace function refresh_after_activities(of_account uuid, changed uuid[]) returns void language plpgsql
  set enable_nestloop = on as $$
declare
  touched uuid[];
begin
  touched := array(select distinct contact_id from activity_contacts
    where account_id = of_account and activity_id = any(changed));
  if touched <> '{}' then perform refresh_contact_interactions(of_account, touched); end if;
  touched := array(select distinct deal_id from activity_deals
    where account_id = of_account and activity_id = any(changed));
  if touched <> '{}' then perform refresh_deal_activity(of_account, touched); end if;
end $$;

-- The lock on the activities makes this wait for a concurrent change of them, which does not see the new links yet.
create or replace function refresh_linked_contacts() returns trigger language plpgsql as $$
declare touched record;
begin
  for touched in
    select account_id, array_agg(distinct contact_id) as contacts, array_agg(distinct activity_id) as activities
    from touched_rows group by account_id having account_stays(account_id)
  loop
    perform from activities where account_id = touched.account_id and id = any(touched.activities)
      order by id for share;
    perform refresh_contact_interactions(touched.account_id, touched.contacts);
  end loop;
  return null;
end $$;
comment on function refresh_linked_contacts() is
  'The interaction times of a contact follow every new, moved or removed link to an activity.';

create or replace function refresh_linked_deals() returns trigger language plpgsql as $$
declare touched record;
begin
  for touched in
    select account_id, array_agg(distinct deal_id) as deals, array_agg(distinct activity_id) as activities
    from touched_rows group by account_id having account_stays(account_id)
  loop
    perform from activities where account_id = touched.account_id and id = any(touched.activities)
      order by id for share;
    perform refresh_deal_activity(touched.account_id, touched.deals);
  end loop;
  return null;
end $$;
comment on function refresh_linked_deals() is
  'The activity times of a deal follow every new, moved or removed link to an activity.';

-- A link that moves from one record to another (a merge) touches both, so an update has a trigger for each side.
create trigger refresh_derived_created after insert on activity_contacts referencing new table as touched_rows
  for each statement execute function refresh_linked_contacts();
create trigger refresh_derived_deleted after delete on activity_contacts referencing old table as touched_rows
  for each statement execute function refresh_linked_contacts();
create trigger refresh_derived_moved_from after update on activity_contacts referencing old table as touched_rows
  for each statement execute function refresh_linked_contacts();
create trigger refresh_derived_moved_to after update on activity_contacts referencing new table as touched_rows
  for each statement execute function refresh_linked_contacts();
create trigger refresh_derived_created after insert on activity_deals referencing new table as touched_rows
  for each statement execute function refresh_linked_deals();
create trigger refresh_derived_deleted after delete on activity_deals referencing old table as touched_rows
  for each statement execute function refresh_linked_deals();
create trigger refresh_derived_moved_from after update on activity_deals referencing old table as touched_rows
  for each statement execute function refresh_linked_deals();
create trigger refresh_derived_moved_to after update on activity_deals referencing new table as touched_rows
  for each statement execute function refresh_linked_deals();
