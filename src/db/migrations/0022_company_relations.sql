-- Who is responsible for a company, and which company it belongs to. Foreign keys by trigger.
alter table companies add column owner_id uuid;
alter table companies add column parent_id uuid;
create index companies_owner on companies (account_id, owner_id, created_at, id)
  where deleted_at is null and owner_id is not null;
-- also companies in the trash: the foreign key looks here when a parent is purged
create index companies_parent on companies (account_id, parent_id) where parent_id is not null;
