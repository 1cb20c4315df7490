-- Companies and contacts: their domains and addresses, and how an import looks them up.

call journal_records('contacts', derived => '{first_interaction,last_interaction,next_interaction,linked}',
  journaled => '{full_name}', counted_by => '{status}');
call journal_links('company_people', 'company_id', 'person_id');

create or replace function addresses_of(email text, emails jsonb) returns table (address text)
  language sql immutable parallel safe
  as $$
    select lower(email collate "C") where email <> ''
    union
    select lower(part ->> 'email' collate "C")
    from jsonb_array_elements(case jsonb_typeof(emails) when 'array' then emails end) part
  $$;

call after_insert('contacts', 'addresses', 'Every email address of a new contact is a row of contact_addresses.',
  $$n.email <> '' or jsonb_typeof(n.emails) = 'array'$$, $body$
    -- Not through addresses_of, which would run a query for each of a thousand contacts.
    insert into contact_addresses (account_id, contact_id, address, domain)
      select write.account_id, a.id, a.address, split_part(a.address, '@', -1)
      from (
        select n.id, lower(n.email collate "C") as address from new_rows n
        where n.account_id = write.account_id and n.email <> ''
        union
        select n.id, lower(part ->> 'email' collate "C")
        from new_rows n
        cross join jsonb_array_elements(case jsonb_typeof(n.emails) when 'array' then n.emails end) part
        where n.account_id = write.account_id
      ) a;$body$);

call after_update('contacts', 'addresses', 'contact_addresses matches `email` and `emails` of the contact.',
  'o.email is distinct from n.email or o.emails is distinct from n.emails', $body$
    with present as materialized (
      select n.id, a.address from new_rows n cross join addresses_of(n.email, n.emails) a where n.id = any(write.addresses)
    ), former as (
      delete from contact_addresses c
        where c.account_id = write.account_id and c.contact_id = any(write.addresses)
          and (c.contact_id, c.address) not in (select p.id, p.address from present p where p.address is not null)
    )
    insert into contact_addresses (account_id, contact_id, address, domain)
      select write.account_id, p.id, p.address, split_part(p.address, '@', -1) from present p
      on conflict do nothing;$body$);

create or replace function delete_contact_addresses() returns trigger language plpgsql as $$
begin
  delete from contact_addresses a using old_rows o where a.account_id = o.account_id and a.contact_id = o.id;
  return null;
end $$;
comment on function delete_contact_addresses() is 'The addresses of an erased contact are deleted.';
create trigger addresses_deleted after delete on contacts referencing old table as old_rows
  for each statement execute function delete_contact_addresses();

-- `domains` is an array, or one text that may contain several. Longer than 255 characters is not a domain. Most companies
-- have one, in the form in which it is compared: it is returned without a query.
create or replace function domain_names(domains jsonb) returns text[]
  language plpgsql immutable parallel safe
  as $$
declare
  single text := case when jsonb_typeof(domains) = 'array' and jsonb_array_length(domains) = 1 then domains ->> 0 end;
begin
  if single ~ '^[a-z0-9][a-z0-9.-]*$' and single not like 'www.%' and length(single) <= 255 then
    return array[single];
  end if;
  return array(
    select distinct d.name from (
      select domain_name(part) as name from regexp_split_to_table(texts_of(domains), '[\s,;]+') part offset 0
    ) d where d.name <> '' and length(d.name) <= 255);
end $$;

call after_insert('companies', 'domains', 'Every domain of a new company is a row of company_domains.',
  'n.domains is not null', $body$
    insert into company_domains (account_id, company_id, domain)
      select n.account_id, n.id, d from new_rows n cross join unnest(domain_names(n.domains)) d
      where n.account_id = write.account_id;$body$);

call after_update('companies', 'domains', 'company_domains matches `domains` of the company.',
  'o.domains is distinct from n.domains', $body$
    with present as materialized (
      select n.id, d as domain from new_rows n cross join unnest(domain_names(n.domains)) d where n.id = any(write.domains)
    ), former as (
      delete from company_domains c
        where c.account_id = write.account_id and c.company_id = any(write.domains)
          and (c.company_id, c.domain) not in (select p.id, p.domain from present p)
    )
    insert into company_domains (account_id, company_id, domain)
      select write.account_id, p.id, p.domain from present p
      on conflict do nothing;$body$);

create or replace function delete_company_domains() returns trigger language plpgsql as $$
begin
  delete from company_domains d using old_rows o where d.account_id = o.account_id and d.company_id = o.id;
  return null;
end $$;
comment on function delete_company_domains() is 'The domains of an erased company are deleted.';
create trigger domains_deleted after delete on companies referencing old table as old_rows
  for each statement execute function delete_company_domains();

-- Finds records by values of an imported file: for each key its normalised form and the first two records that match.
-- Row-level security does not let an index serve the comparison of a folded name (fold() is not marked leakproof), so
-- this runs with its owner's rights, limited to the current account. Sequential scans are off, because plans are made
-- while the tables are still empty and reused while an import fills them: 30,000 rows took 98 s, and take 22 s by the
-- index. `offset 0` keeps the planner from searching all records in order of creation for the two.
create or replace function records_called(of_kind text, keys text[])
  returns table (place int, key text, ids uuid[])
  language plpgsql stable security definer set search_path = kith, pg_temp set enable_seqscan = off
as $$
declare
  of_account uuid := current_account();
begin
  if of_account is null then raise exception 'records_called works within one account'; end if;
  if of_kind = 'company name' then
    return query select k.n::int, fold(k.text), array(
      select f.id from (select r.id, r.created_at from companies r where r.account_id = of_account
        and fold(r.name) = fold(k.text) and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'company domain' then
    return query select k.n::int, domain_name(k.text), array(
      select f.id from (select r.id, r.created_at from company_domains d
        join companies r on r.account_id = of_account and r.id = d.company_id and r.deleted_at is null
        where d.account_id = of_account and d.domain = domain_name(k.text) offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'contact address' then
    -- Most contacts of a file are new, and sorting an empty result takes longer than finding that it is empty.
    return query select k.n::int, k.address, case when exists (
        select from contact_addresses a where a.account_id = of_account and a.address = k.address
      ) then array(
        select f.id from (select r.id, r.created_at from contact_addresses a
          join contacts r on r.account_id = of_account and r.id = a.contact_id and r.deleted_at is null
          where a.account_id = of_account and a.address = k.address offset 0) f
        order by f.created_at, f.id limit 2) else '{}' end
      from (select u.n, lower(trim(u.text) collate "C") as address from unnest(keys) with ordinality u (text, n) offset 0) k;
  elsif of_kind = 'contact name' then
    -- By the index that sorts the list of contacts: an index of folded names would slow down every insert.
    return query select k.n::int, lower(k.text collate "C"), array(
      select f.id from (select r.id, r.created_at from contacts r where r.account_id = of_account
        and lower(r.full_name collate "C") = lower(k.text collate "C") and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'contact phone' then
    return query select k.n::int, phone_tail(k.text), array(
      select f.id from (select r.id, r.created_at from contacts r where r.account_id = of_account
        and phone_tail(r.phone) = phone_tail(k.text) and is_same_phone(r.phone, k.text)
        and r.deleted_at is null and r.phone is not null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'deal name' then
    return query select k.n::int, fold(k.text), array(
      select f.id from (select r.id, r.created_at from deals r where r.account_id = of_account
        and fold(r.name) = fold(k.text) and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  else
    raise exception 'records cannot be looked up by %', of_kind;
  end if;
end $$;
revoke execute on function records_called from public;
