-- What cells of a column stand for: column → cell → value. json, not jsonb: it keeps the order of the columns.
alter table imports add column value_mapping json not null default '{}';
