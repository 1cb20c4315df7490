-- Work that is done apart from the request that asked for it. A job is queued in the transaction of its cause,
-- taken by one worker at a time for as long as that worker keeps renewing its hold, and kept afterwards so that
-- people can see what became of it.
create table jobs (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- lists read it; nothing sets it
  deleted_at timestamptz(3),
  name text not null,
  data jsonb not null default '{}',
  -- what the job is about: an import, an export
  entity_id uuid,
  user_id uuid references users,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  run_at timestamptz(3) not null default now(),
  -- how often its handler has failed, and how often in a row its worker was lost before it came any further
  attempts int not null default 0,
  max_attempts int not null,
  losses int not null default 0,
  done bigint not null default 0,
  total bigint,
  worker_id uuid,
  held_until timestamptz(3),
  cancel_requested_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  result jsonb,
  error text,
  primary key (account_id, id)
);
create index jobs_due on jobs (name, run_at, id) where status = 'queued';
create index jobs_running on jobs (held_until) where status = 'running';
create index jobs_finished on jobs (finished_at) where finished_at is not null;
create index jobs_created on jobs (account_id, created_at desc, id desc) where deleted_at is null;
create index jobs_status on jobs (account_id, status, created_at desc, id desc) where deleted_at is null;
create index jobs_entity on jobs (account_id, entity_id) where entity_id is not null;

-- Wakes the workers, at the commit of the transaction that queued the job.
create function jobs_queued() returns trigger language plpgsql as $$
begin
  perform pg_notify('kith_jobs', '');
  return null;
end $$;
create trigger jobs_queued after insert on jobs for each statement execute function jobs_queued();

-- Tells whoever watches a job that it has moved; the payload is its id.
create function job_moved() returns trigger language plpgsql as $$
begin
  perform pg_notify('kith_job', new.id::text);
  return null;
end $$;
create trigger job_moved after update on jobs for each row
  when ((old.status, old.done, old.total) is distinct from (new.status, new.done, new.total))
  execute function job_moved();
create trigger job_requeued after update on jobs for each row
  when (old.status <> 'queued' and new.status = 'queued') execute function jobs_queued();

-- When the service's own housekeeping is due next; whichever process gets the row does the work.
create table chores (
  name text primary key,
  due_at timestamptz(3) not null default now()
);
