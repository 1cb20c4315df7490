-- Activities, recordings, notes and files, and their links to contacts, companies, deals and products.

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
  -- null: the time from start_at to end_at
  duration_minutes int check (duration_minutes >= 0),
  completed_at timestamptz(3),
  direction text check (direction in ('inbound', 'outbound')),
  outcome text,
  location text,
  meeting_url text,
  assignee_id uuid references users,
  reminder_at timestamptz(3),
  transcription_id uuid,
  metadata jsonb not null default '{}',
  external_ids jsonb not null default '{}',
  created_by uuid references users,
  -- when it becomes overdue: a due date without a time lasts until the end of that day
  falls_due_at timestamptz(3) generated always as (
    coalesce(due_at, ((due_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC')
  ) stored,
  -- The same for open activities only. A column of its own, because the planner would multiply the share of open
  -- activities by the share of past due dates and expect almost no overdue ones.
  open_due_at timestamptz(3) generated always as (
    case when status in ('planned', 'in_progress')
      then coalesce(due_at, ((due_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC') end
  ) stored,
  -- when a completed activity happened; one that was completed before its planned time happened on completion
  happened_at timestamptz(3) generated always as (
    case when status = 'completed' then least(coalesce(end_at, start_at), completed_at) end
  ) stored,
  -- when an open activity is planned
  planned_at timestamptz(3) generated always as (
    case when status in ('planned', 'in_progress') then coalesce(
      start_at, due_at, ((due_date + 1)::timestamp - interval '1 millisecond') at time zone 'UTC'
    ) end
  ) stored,
  -- for the calendar, which looks for activities longer than a day by their end and for others by their start
  begins_at timestamptz(3) generated always as (coalesce(start_at, end_at)) stored,
  long_until timestamptz(3) generated always as (
    case when end_at - start_at > interval '24 hours' then end_at end
  ) stored,
  bytes int not null generated always as (
    octet_length(metadata::text) + coalesce(octet_length(description), 0) + coalesce(octet_length(outcome), 0)
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
create index activities_transcription on activities (account_id, transcription_id) where transcription_id is not null;
create index activities_deleted on activities (account_id, deleted_at, id) where deleted_at is not null;
create index activities_large on activities (account_id) where bytes > 16384;

-- Recordings and their transcripts.
create table transcriptions (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  file_name text not null,
  mime_type text not null,
  file_size bigint not null,
  -- The audio file is removed when the record is deleted, and restoring the record does not restore the file.
  has_audio boolean not null default true,
  duration_seconds double precision,
  language text,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  text text,
  summary text,
  activity_id uuid,
  contact_id uuid,
  company_id uuid,
  deal_id uuid,
  provider text,
  error text,
  job_id uuid,
  -- the segments say the same as the text, with a time for each
  bytes int not null generated always as (
    3 * coalesce(octet_length(text), 0) + coalesce(octet_length(summary), 0)
  ) stored,
  -- Four hours of speech are about 250,000 characters; only the first 100,000 are searched here.
  search_text text not null generated always as (fold(
    file_name || chr(10) || coalesce(summary, '') || chr(10) || left(coalesce(text, ''), 100000)
  )) stored,
  primary key (account_id, id),
  foreign key (account_id, activity_id) references activities (account_id, id) on delete set null (activity_id),
  foreign key (account_id, contact_id) references contacts (account_id, id) on delete set null (contact_id),
  foreign key (account_id, company_id) references companies (account_id, id) on delete set null (company_id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete set null (deal_id)
);
create index transcriptions_created on transcriptions (account_id, created_at desc, id desc) where deleted_at is null;
create index transcriptions_updated on transcriptions (account_id, updated_at desc, id desc) where deleted_at is null;
create index transcriptions_trash on transcriptions (account_id, created_at desc, id desc) where deleted_at is not null;
create index transcriptions_status on transcriptions (account_id, status, created_at desc, id desc) where deleted_at is null;
create index transcriptions_activity on transcriptions (account_id, activity_id) where activity_id is not null;
create index transcriptions_contact on transcriptions (account_id, contact_id) where contact_id is not null;
create index transcriptions_company on transcriptions (account_id, company_id) where company_id is not null;
create index transcriptions_deal on transcriptions (account_id, deal_id) where deal_id is not null;
create index transcriptions_deleted on transcriptions (account_id, deleted_at, id) where deleted_at is not null;
create index transcriptions_large on transcriptions (account_id) where bytes > 16384;

-- The two tables refer to each other.
alter table activities add foreign key (account_id, transcription_id)
  references transcriptions (account_id, id) on delete set null (transcription_id);

-- The transcript by segments, written as they are recognised. Not part of the record and not in the journal: an hour
-- of speech has about 400 segments, and each would write the whole record again.
create table transcription_segments (
  account_id uuid not null,
  transcription_id uuid not null,
  -- the number of the segment, from 0
  place int not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  text text not null,
  primary key (account_id, transcription_id, place),
  foreign key (account_id, transcription_id) references transcriptions (account_id, id) on delete cascade
);

create table notes (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  title text,
  content text not null,
  -- the record that it was written on; ../functions/kinds.sql checks the kind
  entity_type text,
  entity_id uuid,
  is_pinned boolean not null default false,
  attachments jsonb not null default '{}',
  metadata jsonb not null default '{}',
  user_id uuid references users,
  bytes int not null generated always as (
    octet_length(metadata::text) + octet_length(attachments::text) + octet_length(content)
  ) stored,
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
create index notes_deleted on notes (account_id, deleted_at, id) where deleted_at is not null;
create index notes_large on notes (account_id) where bytes > 16384;

-- The records that an activity or a note is linked to. A link stays while one of its ends is in the trash.

create table activity_contacts (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  activity_id uuid not null,
  contact_id uuid not null,
  position int not null default 0,
  primary key (account_id, activity_id, contact_id),
  unique (account_id, id),
  foreign key (account_id, activity_id) references activities (account_id, id) on delete cascade,
  foreign key (account_id, contact_id) references contacts (account_id, id) on delete cascade
);
create index activity_contacts_contact on activity_contacts (account_id, contact_id, activity_id);

create table activity_companies (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  activity_id uuid not null,
  company_id uuid not null,
  position int not null default 0,
  primary key (account_id, activity_id, company_id),
  unique (account_id, id),
  foreign key (account_id, activity_id) references activities (account_id, id) on delete cascade,
  foreign key (account_id, company_id) references companies (account_id, id) on delete cascade
);
create index activity_companies_company on activity_companies (account_id, company_id, activity_id);

create table activity_deals (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  activity_id uuid not null,
  deal_id uuid not null,
  position int not null default 0,
  primary key (account_id, activity_id, deal_id),
  unique (account_id, id),
  foreign key (account_id, activity_id) references activities (account_id, id) on delete cascade,
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade
);
create index activity_deals_deal on activity_deals (account_id, deal_id, activity_id);

create table note_contacts (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  note_id uuid not null,
  contact_id uuid not null,
  position int not null default 0,
  primary key (account_id, note_id, contact_id),
  unique (account_id, id),
  foreign key (account_id, note_id) references notes (account_id, id) on delete cascade,
  foreign key (account_id, contact_id) references contacts (account_id, id) on delete cascade
);
create index note_contacts_contact on note_contacts (account_id, contact_id, note_id);

create table note_companies (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  note_id uuid not null,
  company_id uuid not null,
  position int not null default 0,
  primary key (account_id, note_id, company_id),
  unique (account_id, id),
  foreign key (account_id, note_id) references notes (account_id, id) on delete cascade,
  foreign key (account_id, company_id) references companies (account_id, id) on delete cascade
);
create index note_companies_company on note_companies (account_id, company_id, note_id);

create table note_deals (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  note_id uuid not null,
  deal_id uuid not null,
  position int not null default 0,
  primary key (account_id, note_id, deal_id),
  unique (account_id, id),
  foreign key (account_id, note_id) references notes (account_id, id) on delete cascade,
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade
);
create index note_deals_deal on note_deals (account_id, deal_id, note_id);

create table note_activities (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  note_id uuid not null,
  activity_id uuid not null,
  position int not null default 0,
  primary key (account_id, note_id, activity_id),
  unique (account_id, id),
  foreign key (account_id, note_id) references notes (account_id, id) on delete cascade,
  foreign key (account_id, activity_id) references activities (account_id, id) on delete cascade
);
create index note_activities_activity on note_activities (account_id, activity_id, note_id);

create table note_products (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  note_id uuid not null,
  product_id uuid not null,
  position int not null default 0,
  primary key (account_id, note_id, product_id),
  unique (account_id, id),
  foreign key (account_id, note_id) references notes (account_id, id) on delete cascade,
  foreign key (account_id, product_id) references products (account_id, id) on delete cascade
);
create index note_products_product on note_products (account_id, product_id, note_id);

-- Files on records. Their content is in the folder of record files, under their id.
create table files (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- the record that it is on; ../functions/kinds.sql checks the kind
  entity_type text not null,
  entity_id uuid not null,
  name text not null,
  file_size bigint not null,
  -- found from the content
  mime_type text not null,
  user_id uuid references users,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id)
);
create index files_created on files (account_id, created_at desc, id desc) where deleted_at is null;
create index files_updated on files (account_id, updated_at desc, id desc) where deleted_at is null;
create index files_deleted on files (account_id, deleted_at, id) where deleted_at is not null;
-- also of files in the trash: they go with their record
create index files_entity on files (account_id, entity_id);
