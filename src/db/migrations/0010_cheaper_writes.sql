-- What a write of a record costs the database (docs/performance.md).

-- PostgreSQL parses and plans the expressions of generated columns for every statement that writes a row. One call of a
-- function takes a fraction of the time: see 1_values.sql. This rewrites both tables with their indexes.
drop index companies_large;
alter table companies
  drop column bytes,
  drop column search_text,
  add column bytes int not null generated always as (record_bytes(metadata, enrichment, description, notes)) stored,
  add column search_text text not null generated always as (
    company_text(name, domains, email, website, phone, industry, city, country, description)
  ) stored;
create index companies_large on companies (account_id) where bytes > 16384;

drop index contacts_large;
drop index contacts_name;
alter table contacts
  drop column full_name,
  drop column phone_digits,
  drop column bytes,
  drop column search_text,
  add column full_name text not null generated always as (contact_name(first_name, last_name, email)) stored,
  add column phone_digits text generated always as (contact_phone_digits(phone, phones)) stored,
  add column bytes int not null generated always as (record_bytes(metadata, enrichment, description, notes)) stored,
  add column search_text text not null generated always as (
    contact_text(first_name, last_name, email, emails, phone, phones, job_title, department, city, country, description)
  ) stored;
create index contacts_large on contacts (account_id) where bytes > 16384;
create index contacts_name on contacts (account_id, lower(full_name collate "C"), id) where deleted_at is null;

-- One index instead of two: every new record writes a row here.
alter table record_counts drop constraint record_counts_pkey;
drop index record_counts_kind;
alter table record_counts add primary key (account_id, kind, id) include (living, trashed);

-- domain_names() replaces it.
drop function if exists domains_of(jsonb);
