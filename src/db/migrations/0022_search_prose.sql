-- How activities ended, why deals were lost and what comes next are passages of their own where people wrote sentences,
-- and codes are also found without their dashes: the index is brought up to date in the background.
insert into search_reindex (account_id, entity_type)
select a.id, t.entity_type
from accounts a, unnest(array['company', 'contact', 'deal', 'activity', 'note', 'kb_page', 'email_template',
  'email_draft', 'chat_message', 'transcription']) t (entity_type)
on conflict (account_id, entity_type) do update set after_id = null;
