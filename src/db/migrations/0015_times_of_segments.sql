-- When the records of a segment were created, at the earliest and at the latest: a search in the order of creation reads
-- the segments in this order, and ends where no further one can have a record of the page. Unless stated, at any time.
alter table search_text_segments
  add column first_created timestamptz(3) not null default '-infinity',
  add column last_created timestamptz(3) not null default 'infinity';
update search_text_segments s set (first_created, last_created) = (
  select coalesce(min(r.created_at), '-infinity'), coalesce(max(r.created_at), 'infinity') from companies r
  where r.account_id = s.account_id and r.id > s.above and r.id <= s.ends[cardinality(s.ends)]
) where s.kind = 'companies';
update search_text_segments s set (first_created, last_created) = (
  select coalesce(min(r.created_at), '-infinity'), coalesce(max(r.created_at), 'infinity') from contacts r
  where r.account_id = s.account_id and r.id > s.above and r.id <= s.ends[cardinality(s.ends)]
) where s.kind = 'contacts';
update search_text_segments s set (first_created, last_created) = (
  select coalesce(min(r.created_at), '-infinity'), coalesce(max(r.created_at), 'infinity') from deals r
  where r.account_id = s.account_id and r.id > s.above and r.id <= s.ends[cardinality(s.ends)]
) where s.kind = 'deals';
update search_text_segments s set (first_created, last_created) = (
  select coalesce(min(r.created_at), '-infinity'), coalesce(max(r.created_at), 'infinity') from activities r
  where r.account_id = s.account_id and r.id > s.above and r.id <= s.ends[cardinality(s.ends)]
) where s.kind = 'activities';
update search_text_segments s set (first_created, last_created) = (
  select coalesce(min(r.created_at), '-infinity'), coalesce(max(r.created_at), 'infinity') from notes r
  where r.account_id = s.account_id and r.id > s.above and r.id <= s.ends[cardinality(s.ends)]
) where s.kind = 'notes';

-- Other result columns.
drop function if exists search_text_sample(uuid, text, int[]);
drop function if exists search_text_blocks(uuid, text, int[], int[]);
