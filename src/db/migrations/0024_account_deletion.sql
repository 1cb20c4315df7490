-- An account that is being deleted. Its members and credentials are gone when this is set; a job removes its rows in
-- steps, and the account last. Triggers neither journal nor count what it loses.
alter table accounts add column closed_at timestamptz(3);
