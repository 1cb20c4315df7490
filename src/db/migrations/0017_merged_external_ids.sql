-- The ids that the records which were merged into this one have in other systems, where it has another id of its own:
-- {"hubspot": ["2", "3"]}. The record is found by them, too. A column of the record, so that the journal has it, an undo
-- gives the ids back, and the record that is restored from the trash or from an archive has them again.
alter table companies add column merged_external_ids jsonb not null default '{}';
alter table contacts add column merged_external_ids jsonb not null default '{}';
alter table deals add column merged_external_ids jsonb not null default '{}';
alter table products add column merged_external_ids jsonb not null default '{}';
alter table activities add column merged_external_ids jsonb not null default '{}';
