-- Passages of what hangs on people and deals hold the names of their companies now, and profiles are found by their
-- addresses: the index is brought up to date in the background, and answers meanwhile as it stands.
insert into search_reindex (account_id, entity_type)
select a.id, t.entity_type
from accounts a, unnest(array['company', 'contact', 'activity', 'note', 'email_draft', 'transcription']) t (entity_type)
on conflict (account_id, entity_type) do update set after_id = null;
