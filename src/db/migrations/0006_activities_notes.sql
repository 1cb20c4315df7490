-- Activities and notes, their ties to contacts, companies and deals, and what contacts and deals show of
-- their activities.

create table activities (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  type text not null check (type in ('call', 'meeting', 'task', 'email', 'other')),
  subject text not null,
  description text,
  status text not null default 'planned' check (status in ('planned', 'in_progress', 'completed', 'cancelled')),
  priority text check (priority in ('low', 'medium', 'high', 'urgent')),
  due_at timestamptz(3),
  due_date date,
  start_at timestamptz(3),
  end_at timestamptz(3),
  all_day boolean not null default false,
  -- null: from start_at to end_at
  duration_minutes int check (duration_minutes >= 0),
  completed_at timestamptz(3),
  direction text check (direction in ('inbound', 'outbound')),
  outcome text,
  location text,
  meeting_url text,
  assignee_id uuid references users,
  reminder_at timestamptz(3),
  -- recordings come with a table of their own, which then adds the foreign key
  transcription_id uuid,
  metadata jsonb not null default '{}',
  created_by uuid references users,
  -- when it is late: a day without a time lasts until its end
  falls_due_at timestamptz(3) generated always as (
    coalesce(due_at, ((due_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC')
  ) stored,
  -- the same while it is still to be done: a column of its own, because the planner would take the share of open
  -- activities times the share of past dates for the share of late ones, which is nearly none
  open_due_at timestamptz(3) generated always as (
    case when status in ('planned', 'in_progress')
      then coalesce(due_at, ((due_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC') end
  ) stored,
  -- when a completed one happened; what was done ahead of its time happened when it was completed
  happened_at timestamptz(3) generated always as (
    case when status = 'completed' then least(coalesce(end_at, start_at), completed_at) end
  ) stored,
  -- when one that is still to be done is up
  planned_at timestamptz(3) generated always as (
    case when status in ('planned', 'in_progress') then coalesce(
      start_at, due_at, ((due_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC'
    ) end
  ) stored,
  -- for the calendar: an activity of more than a day is looked for by its end, any other near its beginning
  begins_at timestamptz(3) generated always as (coalesce(start_at, end_at)) stored,
  long_until timestamptz(3) generated always as (
    case when end_at - start_at > interval '24 hours' then end_at end
  ) stored,
  search_text text not null generated always as (fold(
    subject || chr(10) || coalesce(description, '') || chr(10) || coalesce(location, '') || chr(10) ||
    coalesce(outcome, '')
  )) stored,
  primary key (account_id, id)
);
create index activities_created on activities (account_id, created_at desc, id desc) where deleted_at is null;
create index activities_updated on activities (account_id, updated_at desc, id desc) where deleted_at is null;
create index activities_trash on activities (account_id, created_at desc, id desc) where deleted_at is not null;
create index activities_type on activities (account_id, type, created_at desc, id desc) where deleted_at is null;
create index activities_status on activities (account_id, status, created_at desc, id desc) where deleted_at is null;
create index activities_assignee on activities (account_id, assignee_id, created_at desc, id desc)
  where deleted_at is null and assignee_id is not null;
create index activities_due_at on activities (account_id, due_at, id) where deleted_at is null;
create index activities_falls_due on activities (account_id, falls_due_at) where deleted_at is null;
create index activities_open_due on activities (account_id, open_due_at)
  where deleted_at is null and open_due_at is not null;
create index activities_begins on activities (account_id, begins_at) where deleted_at is null;
create index activities_long on activities (account_id, long_until) where deleted_at is null and long_until is not null;
call journal_records('activities');

-- Whichever statement sets the status, completed_at goes with it; and nothing ends before it starts.
create function keep_activity_consistent() returns trigger language plpgsql as $$
begin
  if new.end_at < new.start_at then
    raise exception 'an activity cannot end before it starts' using errcode = 'invalid_parameter_value';
  end if;
  new.completed_at := case when new.status = 'completed' then coalesce(new.completed_at, now()) end;
  return new;
end $$;
create trigger keep_activity_consistent before insert or update on activities for each row
  when ((new.status = 'completed') <> (new.completed_at is not null) or new.end_at < new.start_at)
  execute function keep_activity_consistent();

create table notes (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  title text,
  content text not null,
  entity_type text check (entity_type in ('company', 'contact', 'deal', 'activity')),
  entity_id uuid,
  is_pinned boolean not null default false,
  attachments jsonb not null default '{}',
  metadata jsonb not null default '{}',
  user_id uuid references users,
  search_text text not null generated always as (fold(coalesce(title, '') || chr(10) || content)) stored,
  primary key (account_id, id),
  check ((entity_type is null) = (entity_id is null))
);
create index notes_created on notes (account_id, created_at desc, id desc) where deleted_at is null;
create index notes_updated on notes (account_id, updated_at desc, id desc) where deleted_at is null;
create index notes_trash on notes (account_id, created_at desc, id desc) where deleted_at is not null;
create index notes_entity on notes (account_id, entity_id) where entity_id is not null;
create index notes_user on notes (account_id, user_id, created_at desc, id desc) where deleted_at is null;
create index notes_pinned on notes (account_id, created_at desc, id desc) where deleted_at is null and is_pinned;
call journal_records('notes');

-- activity_contacts, activity_companies, activity_deals; note_contacts, note_companies, note_deals,
-- note_activities: what an activity or a note is about. The rows stay while one of the ends is in the trash.
do $$
declare
  owner record;
  other record;
  name text;
begin
  for owner in select * from (values ('activity', 'activities'), ('note', 'notes')) v (one, many) loop
    for other in
      select * from (values ('contact', 'contacts'), ('company', 'companies'), ('deal', 'deals'), ('activity', 'activities'))
        v (one, many)
      where one <> owner.one
    loop
      name := owner.one || '_' || other.many;
      execute format(
        'create table %1$I (
          account_id uuid not null,
          id uuid not null,
          created_at timestamptz(3) not null default now(),
          %2$I uuid not null,
          %3$I uuid not null,
          position int not null default 0,
          primary key (account_id, %2$I, %3$I),
          unique (account_id, id),
          foreign key (account_id, %2$I) references %4$I (account_id, id) on delete cascade,
          foreign key (account_id, %3$I) references %5$I (account_id, id) on delete cascade
        )',
        name, owner.one || '_id', other.one || '_id', owner.many, other.many);
      execute format('create index %I on %I (account_id, %I, %I)',
        name || '_' || other.one, name, other.one || '_id', owner.one || '_id');
      call journal_links(name::regclass, owner.one || '_id', other.one || '_id');
    end loop;
  end loop;
end $$;

-- A note outlives the record it was on, and names it no longer. The journal has nothing to keep of this: that the
-- record was erased stands there already.
create function notes_forget_entity() returns trigger language plpgsql as $$
begin
  perform set_config('kith.derived', 'on', true);
  update notes n set entity_type = null, entity_id = null
    from old_rows o where n.account_id = o.account_id and n.entity_id = o.id;
  perform set_config('kith.derived', '', true);
  return null;
end $$;
create trigger notes_forget_entity after delete on contacts referencing old table as old_rows
  for each statement execute function notes_forget_entity();
create trigger notes_forget_entity after delete on companies referencing old table as old_rows
  for each statement execute function notes_forget_entity();
create trigger notes_forget_entity after delete on deals referencing old table as old_rows
  for each statement execute function notes_forget_entity();
create trigger notes_forget_entity after delete on activities referencing old table as old_rows
  for each statement execute function notes_forget_entity();

-- What contacts and deals show of their activities.
--
-- A completed call, meeting or email is an interaction with its contacts; first_interaction and last_interaction
-- are the earliest and the latest happened_at of those. next_interaction is the earliest planned_at from now on
-- of the calls, meetings and emails that are still to be done. Deals count activities of every type.
-- Time alone can make a next_* wrong: one that has passed says nothing, and whoever reads it asks
-- coming_interaction or coming_activity instead. A null stays right, for no activity becomes future by waiting.
--
-- Both functions first lock the rows they are about to change: the statement that follows then sees what another
-- transaction, which had the same contact in hand, has committed meanwhile. Without this, the later of two
-- writers would overwrite the value with one that knows only its own activity.
--
-- They always go by the indexes, with one plan: on tables without statistics (an import into a new account) the
-- planner chose to read all ties for each contact, and 1,000 more ties took 1.1 s instead of 0.2 s.

create function refresh_contact_interactions(of_account uuid, touched uuid[]) returns void language plpgsql
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

create function refresh_deal_activity(of_account uuid, touched uuid[]) returns void language plpgsql
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

create function coming_interaction(of_account uuid, of_contact uuid) returns timestamptz
  language sql stable as $$
    select min(a.planned_at) from activity_contacts l
    join activities a on a.account_id = l.account_id and a.id = l.activity_id
    where l.account_id = of_account and l.contact_id = of_contact
      and a.deleted_at is null and a.type in ('call', 'meeting', 'email') and a.planned_at >= now()
  $$;

create function coming_activity(of_account uuid, of_deal uuid) returns timestamptz
  language sql stable as $$
    select min(a.planned_at) from activity_deals l
    join activities a on a.account_id = l.account_id and a.id = l.activity_id
    where l.account_id = of_account and l.deal_id = of_deal and a.deleted_at is null and a.planned_at >= now()
  $$;

-- A new activity has no ties yet, and one that is erased takes its ties along: the ties' triggers see to both.
create function activities_changed() returns trigger language plpgsql as $$
declare
  changed record;
  touched uuid[];
begin
  for changed in
    select account_id, array_agg(id) as ids from (
      select account_id, id, type, happened_at, planned_at, deleted_at is null from new_rows
      except select account_id, id, type, happened_at, planned_at, deleted_at is null from old_rows
    ) c group by account_id
  loop
    touched := array(select distinct contact_id from activity_contacts
      where account_id = changed.account_id and activity_id = any(changed.ids));
    if touched <> '{}' then perform refresh_contact_interactions(changed.account_id, touched); end if;
    touched := array(select distinct deal_id from activity_deals
      where account_id = changed.account_id and activity_id = any(changed.ids));
    if touched <> '{}' then perform refresh_deal_activity(changed.account_id, touched); end if;
  end loop;
  return null;
end $$;
create trigger refresh_derived after update on activities referencing old table as old_rows new table as new_rows
  for each statement execute function activities_changed();

-- The activities are locked against a change that is under way elsewhere and does not see these ties yet.
create function contact_ties_changed() returns trigger language plpgsql as $$
declare touched record;
begin
  for touched in
    select account_id, array_agg(distinct contact_id) as contacts, array_agg(distinct activity_id) as activities
    from touched_rows group by account_id
  loop
    perform from activities where account_id = touched.account_id and id = any(touched.activities)
      order by id for share;
    perform refresh_contact_interactions(touched.account_id, touched.contacts);
  end loop;
  return null;
end $$;

create function deal_ties_changed() returns trigger language plpgsql as $$
declare touched record;
begin
  for touched in
    select account_id, array_agg(distinct deal_id) as deals, array_agg(distinct activity_id) as activities
    from touched_rows group by account_id
  loop
    perform from activities where account_id = touched.account_id and id = any(touched.activities)
      order by id for share;
    perform refresh_deal_activity(touched.account_id, touched.deals);
  end loop;
  return null;
end $$;

-- A tie that is moved from one record to another (a merge) touches both: a trigger for each side.
do $$
declare
  target record;
  event record;
begin
  for target in
    select * from (values ('activity_contacts', 'contact_ties_changed'), ('activity_deals', 'deal_ties_changed'))
      v (name, follow)
  loop
    for event in
      select * from (values ('tied', 'insert', 'new'), ('untied', 'delete', 'old'), ('moved_from', 'update', 'old'),
        ('moved_to', 'update', 'new')) v (name, action, side)
    loop
      execute format('create trigger %I after %s on %I referencing %s table as touched_rows
        for each statement execute function %I()',
        'refresh_derived_' || event.name, event.action, target.name, event.side, target.follow);
    end loop;
  end loop;
end $$;
