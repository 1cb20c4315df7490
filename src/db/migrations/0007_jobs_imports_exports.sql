-- Background jobs, imports and exports.

-- Work that is done outside the request that asked for it. A job is queued in the transaction of its cause, leased by
-- one worker at a time as long as that worker renews the lease. Its row remains when it has ended, so that clients can
-- read the result.
create table jobs (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The shared list code reads it; it is always null.
  deleted_at timestamptz(3),
  name text not null,
  data jsonb not null default '{}',
  -- the record the job works on: an import, an export
  entity_id uuid,
  user_id uuid references users,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  run_at timestamptz(3) not null default now(),
  -- how often its handler has failed
  attempts int not null default 0,
  max_attempts int not null,
  -- how often in a row its worker was lost without progress
  losses int not null default 0,
  done bigint not null default 0,
  total bigint,
  worker_id uuid,
  -- when the worker's lease expires
  held_until timestamptz(3),
  cancel_requested_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  result jsonb,
  error text,
  primary key (account_id, id)
);
create index jobs_due on jobs (name, run_at, id) where status = 'queued';
-- which accounts wait for a job of a name, and when each was last served (src/worker/queue.ts)
create index jobs_waiting on jobs (name, account_id, run_at, id) where status = 'queued';
create index jobs_started on jobs (name, account_id, started_at) where started_at is not null;
create index jobs_running on jobs (held_until) where status = 'running';
create index jobs_finished on jobs (finished_at) where finished_at is not null;
create index jobs_created on jobs (account_id, created_at desc, id desc) where deleted_at is null;
create index jobs_status on jobs (account_id, status, created_at desc, id desc) where deleted_at is null;
create index jobs_entity on jobs (account_id, entity_id) where entity_id is not null;

-- When the next run of each kind of the service's own maintenance is due; the process that gets the row does the work.
create table chores (
  name text primary key,
  due_at timestamptz(3) not null default now()
);

create table exports (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  entity_type text not null,
  format text not null check (format in ('csv', 'json', 'archive')),
  fields text[],
  filter jsonb not null default '{}',
  -- a condition in the query language
  "where" jsonb,
  ids uuid[],
  bom boolean not null default false,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  row_count bigint,
  file_name text not null,
  file_size bigint,
  expires_at timestamptz(3),
  error text,
  job_id uuid,
  user_id uuid references users,
  primary key (account_id, id)
);
create index exports_created on exports (account_id, created_at desc, id desc) where deleted_at is null;
create index exports_trash on exports (account_id, created_at desc, id desc) where deleted_at is not null;
create index exports_deleted on exports (account_id, deleted_at, id) where deleted_at is not null;

create table imports (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  entity_type text not null,
  file_name text not null,
  file_size bigint not null,
  -- of the uploaded file; what is stored is a CSV table in any case
  format text not null default 'csv' check (format in ('csv', 'xlsx', 'json', 'vcard', 'ical')),
  -- the sheet of the workbook that was read
  sheet text,
  -- what of the file is not in the table, as warnings
  notices jsonb not null default '[]',
  encoding text not null,
  delimiter text not null,
  has_header boolean not null,
  columns jsonb not null,
  -- json and not jsonb, to keep the order of the columns
  mapping json not null,
  -- what cells of a column stand for: column → cell → value
  value_mapping json not null default '{}',
  options jsonb not null,
  status text not null default 'uploaded' check (status in (
    'uploaded', 'validating', 'ready', 'running', 'completed', 'failed', 'cancelled', 'reverted')),
  total_rows int not null,
  -- written in the transaction of the rows themselves, so that it is exact after a crash
  processed_rows int not null default 0,
  created_count int not null default 0,
  updated_count int not null default 0,
  skipped_count int not null default 0,
  error_count int not null default 0,
  -- what is not imported: columns, before the import starts, and single values of rows that are
  warnings jsonb not null default '[]',
  warning_count int not null default 0,
  error text,
  job_id uuid,
  -- the operation that groups the import's changes in the journal
  operation_id uuid,
  reverted_count int,
  conflict_count int,
  conflicts jsonb,
  -- the progress of a revert
  revert_state jsonb,
  user_id uuid references users,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index imports_created on imports (account_id, created_at desc, id desc) where deleted_at is null;
create index imports_trash on imports (account_id, created_at desc, id desc) where deleted_at is not null;
create index imports_deleted on imports (account_id, deleted_at, id) where deleted_at is not null;

-- Rows and values that an import did not write.
create table import_errors (
  account_id uuid not null,
  import_id uuid not null,
  -- as a spreadsheet counts: the header is row 1
  row int not null,
  -- the number of the error within its row
  place int not null,
  severity text not null default 'error' check (severity in ('error', 'warning', 'skipped')),
  "column" text,
  field text,
  value text,
  code text not null,
  message text not null,
  primary key (account_id, import_id, row, place),
  foreign key (account_id, import_id) references imports (account_id, id) on delete cascade
);
