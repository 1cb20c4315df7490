-- The ids that records have in the systems they came from: {"hubspot": "123"}.
alter table companies add column external_ids jsonb not null default '{}';
alter table contacts add column external_ids jsonb not null default '{}';
alter table deals add column external_ids jsonb not null default '{}';
alter table activities add column external_ids jsonb not null default '{}';

-- The same, one row for each id of a record outside the trash: how records are found, and why an id is unique.
create table external_ids (
  account_id uuid not null,
  entity_type text not null,
  source text not null collate "C",
  external_id text not null collate "C",
  entity_id uuid not null,
  primary key (account_id, entity_type, source, external_id)
);
create index external_ids_entity on external_ids (account_id, entity_id);
