-- Contacts in full: their addresses as rows of their own, what lists are filtered by, and erasing for good.

-- The texts in a JSON array, or under a key of the objects in it, one a line: `[{"email": "a@b.c"}]` is found
-- by its address and not by the word "email".
create function texts_of(value jsonb, key text default null) returns text
  language sql immutable parallel safe
  as $$
    select string_agg(case when key is null then part #>> '{}' else part ->> key end, chr(10))
    from jsonb_array_elements('[]'::jsonb || value) part
  $$;

alter table contacts drop column search_text, drop column phone_digits;
alter table contacts
  add column phone_digits text generated always as (
    coalesce(digits(phone), '') || ',' || regexp_replace(coalesce(texts_of(phones, 'phone'), ''), '[^0-9\n]', '', 'g')
  ) stored,
  add column search_text text not null generated always as (fold(
    coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(texts_of(emails, 'email'), '') || chr(10) || coalesce(phone, '') || chr(10) ||
    coalesce(texts_of(phones, 'phone'), '') || chr(10) || coalesce(job_title, '') || chr(10) ||
    coalesce(department, '') || chr(10) || coalesce(city, '') || chr(10) || coalesce(country, '') || chr(10) ||
    coalesce(description, '')
  )) stored;

alter table companies drop column search_text;
alter table companies
  add column search_text text not null generated always as (fold(
    name || chr(10) || coalesce(texts_of(domains), '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(website, '') || chr(10) || coalesce(phone, '') || chr(10) || coalesce(industry, '') || chr(10) ||
    coalesce(city, '') || chr(10) || coalesce(country, '') || chr(10) || coalesce(description, '')
  )) stored;

create index contacts_owner on contacts (account_id, owner_id, created_at desc, id desc)
  where deleted_at is null and owner_id is not null;
create index contacts_source on contacts (account_id, lead_source, created_at desc, id desc)
  where deleted_at is null and lead_source is not null;
create index companies_industry on companies (account_id, industry, created_at desc, id desc) where deleted_at is null;
create index companies_country on companies (account_id, country, created_at desc, id desc) where deleted_at is null;
create index companies_strength on companies (account_id, connection_strength, created_at desc, id desc)
  where deleted_at is null;

-- A tie is in two orders: that of the company's people and that of the person's companies. Whoever has no
-- place in one yet comes last there, in the order of arrival (ids grow with time).
alter table company_people alter column position set default 2147483647,
  add column person_position int not null default 2147483647,
  alter column created_by set default nullif(current_setting('kith.user_id', true), '')::uuid;
alter table deal_companies alter column position set default 2147483647,
  add column company_position int not null default 2147483647;
alter table deal_contacts alter column position set default 2147483647,
  add column contact_position int not null default 2147483647;

-- `https://www.Acme.com/about` and `acme.com` are the same domain.
create function domain_name(value text) returns text
  language sql immutable strict parallel safe
  as $$
    select regexp_replace(lower(trim(value) collate "C"), '^([a-z][a-z0-9+.-]*://)?(www\.)?|[/?#:].*$', '', 'g')
  $$;

-- Addresses and domains are looked up by filters, imports and the search for duplicates. They have tables of
-- their own, kept by triggers: behind row-level security only a plain `=` may use an index, a search inside
-- jsonb may not. Compared byte by byte, as what they are compared with is.
create table contact_addresses (
  account_id uuid not null,
  contact_id uuid not null,
  -- in lower case
  address text collate "C" not null,
  domain text collate "C" not null,
  primary key (account_id, contact_id, address)
);
create index contact_addresses_address on contact_addresses (account_id, address, contact_id);
create index contact_addresses_domain on contact_addresses (account_id, domain, contact_id);

create function addresses_of(email text, emails jsonb) returns table (address text)
  language sql immutable parallel safe
  as $$
    select lower(email collate "C") where email <> ''
    union
    select lower(part ->> 'email' collate "C")
    from jsonb_array_elements(case jsonb_typeof(emails) when 'array' then emails end) part
  $$;

create function contacts_addressed() returns trigger language plpgsql as $$
begin
  -- Not by addresses_of, which would be a query of its own for each of a thousand people.
  insert into contact_addresses (account_id, contact_id, address, domain)
    select a.account_id, a.id, a.address, split_part(a.address, '@', -1)
    from (
      select account_id, id, lower(email collate "C") as address from new_rows where email <> ''
      union
      select n.account_id, n.id, lower(part ->> 'email' collate "C")
      from new_rows n
      cross join jsonb_array_elements(case jsonb_typeof(n.emails) when 'array' then n.emails end) part
    ) a;
  return null;
end $$;

create function contact_readdressed() returns trigger language plpgsql as $$
begin
  delete from contact_addresses where account_id = new.account_id and contact_id = new.id
    and address not in (select a.address from addresses_of(new.email, new.emails) a);
  insert into contact_addresses (account_id, contact_id, address, domain)
    select new.account_id, new.id, a.address, split_part(a.address, '@', -1)
    from addresses_of(new.email, new.emails) a
    on conflict do nothing;
  return null;
end $$;

create trigger addresses_created after insert on contacts referencing new table as new_rows
  for each statement execute function contacts_addressed();
create trigger addresses_updated after update on contacts for each row
  when (old.email is distinct from new.email or old.emails is distinct from new.emails)
  execute function contact_readdressed();

-- Instead of a foreign key, which would be looked up for each address that is written.
create function addresses_forgotten() returns trigger language plpgsql as $$
begin
  delete from contact_addresses a using old_rows o where a.account_id = o.account_id and a.contact_id = o.id;
  return null;
end $$;
create trigger addresses_forgotten after delete on contacts referencing old table as old_rows
  for each statement execute function addresses_forgotten();

create table company_domains (
  account_id uuid not null,
  company_id uuid not null,
  domain text collate "C" not null,
  primary key (account_id, company_id, domain)
);
create index company_domains_domain on company_domains (account_id, domain, company_id);

-- `domains` is an array, or one text that may name several. What is too long to be one is none.
create function domains_of(domains jsonb) returns setof text
  language sql immutable parallel safe
  as $$
    select distinct d.name from (
      select domain_name(part) as name from regexp_split_to_table(texts_of(domains), '[\s,;]+') part offset 0
    ) d where d.name <> '' and length(d.name) <= 255
  $$;

create function companies_domained() returns trigger language plpgsql as $$
begin
  insert into company_domains (account_id, company_id, domain)
    select n.account_id, n.id, d from new_rows n cross join domains_of(n.domains) d;
  return null;
end $$;

create function company_redomained() returns trigger language plpgsql as $$
begin
  delete from company_domains where account_id = new.account_id and company_id = new.id
    and domain not in (select domains_of(new.domains));
  insert into company_domains (account_id, company_id, domain)
    select new.account_id, new.id, d from domains_of(new.domains) d
    on conflict do nothing;
  return null;
end $$;

create trigger domains_created after insert on companies referencing new table as new_rows
  for each statement execute function companies_domained();
create trigger domains_updated after update on companies for each row
  when (old.domains is distinct from new.domains)
  execute function company_redomained();

create function domains_forgotten() returns trigger language plpgsql as $$
begin
  delete from company_domains d using old_rows o where d.account_id = o.account_id and d.company_id = o.id;
  return null;
end $$;
create trigger domains_forgotten after delete on companies referencing old table as old_rows
  for each statement execute function domains_forgotten();

insert into contact_addresses (account_id, contact_id, address, domain)
  select c.account_id, c.id, a.address, split_part(a.address, '@', -1)
  from contacts c cross join addresses_of(c.email, c.emails) a;
insert into company_domains (account_id, company_id, domain)
  select c.account_id, c.id, d from companies c cross join domains_of(c.domains) d;

-- Removes records of the current account for good, whether or not they are in the trash. What hangs on them
-- goes by foreign keys, and by triggers on their deletion where a table names records without one. What all of
-- these held is emptied in the journal, and in answers kept for a repeated request. With its owner's rights,
-- because the role that serves requests may not edit the journal. Returns the ids that were there.
create function erase_records(of_kind text, ids uuid[]) returns setof uuid
  language plpgsql security definer set search_path = kith, pg_temp
as $$
declare
  of_account uuid := current_account();
  seq_before bigint := coalesce((select max(seq) from changes where account_id = of_account), 0);
  gone uuid[];
  traces uuid[];
begin
  if of_account is null then
    raise exception 'erase_records works within one account';
  end if;
  if not exists (
    select from pg_trigger where tgrelid = to_regclass(format('kith.%I', of_kind)) and tgname = 'journal_erased'
  ) then
    raise exception 'there are no records of the kind %', of_kind;
  end if;

  execute format('with gone as (delete from %I where account_id = $1 and id = any($2) returning id)
    select array_agg(id) from gone', of_kind) into gone using of_account, ids;
  if gone is null then return; end if;

  -- the records themselves and whatever else went with them
  traces := array(select distinct entity_id from changes where account_id = of_account and seq > seq_before
    and xid = pg_current_xact_id() and action = 'erased');
  update changes set before = null, after = null
    where account_id = of_account and (before is not null or after is not null)
      and (entity_id = any(traces) or related_id = any(traces));

  update idempotency_keys k
    set status = 410, headers = '{}', body = '{"detail":"The answer to this request held a record that was erased"}'
    where account_id = of_account and exists (select from unnest(gone) id where strpos(k.body, id::text) > 0);

  return query select unnest(gone);
end $$;
revoke execute on function erase_records from public;
