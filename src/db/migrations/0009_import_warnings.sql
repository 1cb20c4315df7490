-- What an import does not take over: columns, before it starts, and single values of rows that went in.
alter table imports
  add column warnings jsonb not null default '[]',
  add column warning_count int not null default 0;
alter table import_errors
  add column severity text not null default 'error' check (severity in ('error', 'warning'));
