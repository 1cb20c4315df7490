-- Recordings leave the index as other records do.
create trigger search_forgets after delete on transcriptions referencing old table as old_rows
  for each statement execute function search_forgets();

-- Passages that show the name of a person who is erased leave the index with them, and are made again without it.
-- Before the delete, for it takes along what says where the name is shown.
create function search_forgets_person() returns trigger language plpgsql as $$
declare
  shown bigint[];
begin
  -- The whole account goes, and its index with it.
  if not exists (select from accounts where id = old.account_id) then return old; end if;
  with showing (entity_type, id) as (
    select 'company', company_id from company_people where account_id = old.account_id and person_id = old.id
    union select 'deal', deal_id from deal_contacts where account_id = old.account_id and contact_id = old.id
    union select 'activity', activity_id from activity_contacts
      where account_id = old.account_id and contact_id = old.id
    union select 'note', note_id from note_contacts where account_id = old.account_id and contact_id = old.id
    union select 'email_draft', id from email_drafts where account_id = old.account_id and contact_id = old.id
    union select 'transcription', id from transcriptions where account_id = old.account_id and contact_id = old.id
  ), dirty as (
    insert into search_dirty as d (account_id, entity_type, entity_id, priority)
      select old.account_id, s.entity_type, s.id, 0 from showing s
      on conflict (account_id, entity_id) do update set priority = 0 where d.priority = 1
  )
  select array_agg(p.id) into shown from showing s
    join search_passages p on p.account_id = old.account_id and p.entity_id = s.id
    where strpos(p.context, old.full_name) > 0 or strpos(p.body, old.full_name) > 0;
  if shown is not null then
    perform search_take_out(old.account_id, shown);
  end if;
  return old;
end $$;

-- One that has been in the trash for long is shown nowhere any more.
create trigger search_forgets_person before delete on contacts for each row
  when (old.deleted_at is null or old.deleted_at > now() - interval '1 day')
  execute function search_forgets_person();
