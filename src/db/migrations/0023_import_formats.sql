-- The format of the uploaded file. What is stored is a CSV table in any case.
alter table imports add column format text not null default 'csv' check (format in ('csv', 'xlsx', 'json', 'vcard'));
-- the sheet of the workbook that was read
alter table imports add column sheet text;
-- what of the file is not in the table, as warnings
alter table imports add column notices jsonb not null default '[]';
