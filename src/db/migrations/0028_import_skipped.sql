-- Rows that were skipped are listed, too.
alter table import_errors drop constraint import_errors_severity_check;
alter table import_errors add constraint import_errors_severity_check
  check (severity in ('error', 'warning', 'skipped'));
