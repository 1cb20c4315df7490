-- Recordings and what was said in them.
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
  -- the file goes when the record is deleted, and does not come back with it
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
  -- of four hours of speech about 250,000 characters: of very long texts the beginning must do
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
call journal_records('transcriptions');

-- What was said from when to when, as it is recognised. Apart from the record, and not in the journal: an hour of
-- speech comes in some four hundred pieces, and each would write the whole anew.
create table transcription_segments (
  account_id uuid not null,
  transcription_id uuid not null,
  place int not null,
  start_seconds double precision not null,
  end_seconds double precision not null,
  text text not null,
  primary key (account_id, transcription_id, place),
  foreign key (account_id, transcription_id) references transcriptions (account_id, id) on delete cascade
);

alter table activities add foreign key (account_id, transcription_id)
  references transcriptions (account_id, id) on delete set null (transcription_id);
create index activities_transcription on activities (account_id, transcription_id) where transcription_id is not null;
