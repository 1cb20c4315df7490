-- Which accounts wait for a job of a name, and when each was last served (src/worker/queue.ts).
create index jobs_waiting on jobs (name, account_id, run_at, id) where status = 'queued';
create index jobs_started on jobs (name, account_id, started_at) where started_at is not null;
