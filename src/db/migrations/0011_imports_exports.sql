-- Imports and exports, and what it takes to write a hundred thousand records at once.

-- Most text is plain ASCII, which needs none of what fold() does for the rest: 4 µs instead of 70 for what a
-- contact is searched by, which was most of the cost of writing one. The results are the same as before.
create function fold_unicode(value text) returns text
  language sql immutable strict parallel safe
  as $$
    select replace(replace(replace(
      translate(
        lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g') collate "C"),
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІЇҐЂЃЅЈЉЊЋЌЎЏØøĐđŁłÐÞŒÆĦıŊŦ',
        'αβγδεζηθικλμνξοπρστυφχψωσабвгдежзийклмнопрстуфхцчшщъыьэюяєіїґђѓѕјљњћќўџooddllðþœæħiŋŧ'
      ), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss')
  $$;
create or replace function fold(value text) returns text
  language plpgsql immutable strict parallel safe
  as $$
begin
  if octet_length(value) = length(value) then return lower(value collate "C"); end if;
  return fold_unicode(value);
end $$;

-- Most records have no list: no query is started for those.
create or replace function texts_of(value jsonb, key text default null) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  if value is null then return null; end if;
  return (
    select string_agg(case when key is null then part #>> '{}' else part ->> key end, chr(10))
    from jsonb_array_elements('[]'::jsonb || value) part
  );
end $$;

create table exports (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  entity_type text not null,
  format text not null check (format in ('csv', 'json', 'archive')),
  fields text[],
  filter jsonb not null default '{}',
  ids uuid[],
  bom boolean not null default false,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  row_count bigint,
  file_name text not null,
  file_size bigint,
  expires_at timestamptz(3),
  error text,
  job_id uuid,
  user_id uuid references users,
  primary key (account_id, id)
);
create index exports_created on exports (account_id, created_at desc, id desc) where deleted_at is null;
create index exports_trash on exports (account_id, created_at desc, id desc) where deleted_at is not null;

create table imports (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  entity_type text not null,
  file_name text not null,
  file_size bigint not null,
  encoding text not null,
  delimiter text not null,
  has_header boolean not null,
  columns jsonb not null,
  -- json, not jsonb: it keeps the order of the columns
  mapping json not null,
  options jsonb not null,
  status text not null default 'uploaded' check (status in (
    'uploaded', 'validating', 'ready', 'running', 'completed', 'failed', 'cancelled', 'reverted')),
  total_rows int not null,
  -- written in the transaction of the rows themselves, so that after a crash it says exactly what is done
  processed_rows int not null default 0,
  created_count int not null default 0,
  updated_count int not null default 0,
  skipped_count int not null default 0,
  error_count int not null default 0,
  error text,
  job_id uuid,
  -- under which the journal keeps what the import changed
  operation_id uuid,
  reverted_count int,
  conflict_count int,
  conflicts jsonb,
  -- how far a revert has come
  revert_state jsonb,
  user_id uuid references users,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index imports_created on imports (account_id, created_at desc, id desc) where deleted_at is null;
create index imports_trash on imports (account_id, created_at desc, id desc) where deleted_at is not null;

create table import_errors (
  account_id uuid not null,
  import_id uuid not null,
  -- as a spreadsheet counts: the header is row 1
  row int not null,
  place int not null,
  "column" text,
  field text,
  value text,
  code text not null,
  message text not null,
  primary key (account_id, import_id, row, place),
  foreign key (account_id, import_id) references imports (account_id, id) on delete cascade
);

create index companies_folded_name on companies (account_id, fold(name)) where deleted_at is null;
create index contacts_phone_digits on contacts (account_id, digits(phone)) where deleted_at is null and phone is not null;
create index deals_folded_name on deals (account_id, fold(name)) where deleted_at is null;

-- Records by what a file says of them: for each key the form in which it is compared, and the first two that have it.
-- An index serves the comparison of a folded name only outside row-level security (it is not known to give nothing
-- away), so this runs with its owner's rights, in the current account alone. Without sequential scans, because plans
-- are made while tables are still empty and kept while an import fills them: 30,000 rows took 98 s so, and take 22 by
-- the index. (`offset 0`: sorted by creation, the two would otherwise be looked for among all records in that order.)
create function records_called(of_kind text, keys text[])
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
    return query select k.n::int, lower(trim(k.text) collate "C"), array(
      select f.id from (select r.id, r.created_at from contact_addresses a
        join contacts r on r.account_id = of_account and r.id = a.contact_id and r.deleted_at is null
        where a.account_id = of_account and a.address = lower(trim(k.text) collate "C") offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'contact name' then
    -- by the index that the list of contacts is sorted with: one more would cost every contact that is written
    return query select k.n::int, lower(k.text collate "C"), array(
      select f.id from (select r.id, r.created_at from contacts r where r.account_id = of_account
        and lower(r.full_name collate "C") = lower(k.text collate "C") and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'contact phone' then
    return query select k.n::int, digits(k.text), array(
      select f.id from (select r.id, r.created_at from contacts r where r.account_id = of_account
        and digits(r.phone) = digits(k.text) and r.deleted_at is null and r.phone is not null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  elsif of_kind = 'deal name' then
    return query select k.n::int, fold(k.text), array(
      select f.id from (select r.id, r.created_at from deals r where r.account_id = of_account
        and fold(r.name) = fold(k.text) and r.deleted_at is null offset 0) f
      order by f.created_at, f.id limit 2)
      from unnest(keys) with ordinality k (text, n);
  else
    raise exception 'nothing is found by %', of_kind;
  end if;
end $$;
revoke execute on function records_called from public;
