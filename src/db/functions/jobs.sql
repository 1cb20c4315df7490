-- Background jobs: notifications to workers and to clients that follow a job.

create or replace function notify_workers() returns trigger language plpgsql as $$
begin
  perform pg_notify('kith_jobs', '');
  return null;
end $$;
comment on function notify_workers() is
  'A job that is queued, or brought forward, wakes the workers when its transaction commits (notification on `kith_jobs`).';
create trigger notify_workers after insert on jobs for each statement execute function notify_workers();
create trigger notify_workers_requeued after update on jobs for each row
  when (new.status = 'queued' and (old.status <> 'queued' or new.run_at < old.run_at))
  execute function notify_workers();

create or replace function notify_progress() returns trigger language plpgsql as $$
begin
  perform pg_notify('kith_job', new.id::text);
  return null;
end $$;
comment on function notify_progress() is
  'Clients that follow a job learn of every change of its status or progress (notification on `kith_job` with its id).';
create trigger notify_progress after update on jobs for each row
  when ((old.status, old.done, old.total) is distinct from (new.status, new.done, new.total))
  execute function notify_progress();
