-- The kinds of record; companies, contacts, products, deals with their pipelines, and the links between them.
--
-- Columns that several kinds have:
-- * `metadata` has the values of custom fields, `external_ids` the ids that the record has in the systems it came from:
--   {"hubspot": "123"}. Triggers copy both to tables that an index can serve (custom_values, external_ids).
-- * `bytes` is the size of what can be large in a record, so that a page can be measured before it is read
--   (src/kernel/page-budget.ts). Few accounts have large records at all; the index `<table>_large` shows which.
-- * `search_text` is what the parameter `search` of a list looks at.

-- The kinds of record that people work with, as src/resources/kinds.ts declares them (a test compares the two). The
-- triggers and checks of ../functions/kinds.sql follow from this table; a new kind is a row that its migration inserts.
create table kinds (
  entity_type text primary key,
  table_name text not null unique,
  taggable boolean not null,
  notable boolean not null,
  favorite boolean not null,
  customizable boolean not null,
  categorized boolean not null,
  attachable boolean not null default true
);
insert into kinds (entity_type, table_name, taggable, notable, favorite, customizable, categorized, attachable) values
  ('company', 'companies', true, true, true, true, true, true),
  ('contact', 'contacts', true, true, true, true, true, true),
  ('deal', 'deals', true, true, true, true, true, true),
  ('product', 'products', true, true, true, true, true, true),
  ('activity', 'activities', true, true, false, true, false, true),
  ('note', 'notes', true, false, false, false, false, true);

-- The foreign keys that triggers enforce, those of companies, contacts and company_people: filled by
-- ../functions/foreign_keys.sql, which says why.
create table trigger_foreign_keys (
  name text primary key,
  child text not null,
  child_columns text[] not null,
  parent text not null,
  parent_columns text[] not null,
  -- as in pg_constraint: a no action, c cascade, n set null
  on_delete "char" not null check (on_delete in ('a', 'c', 'n'))
);

create table categories (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  entity_type text,
  color text,
  description text,
  position int not null default 0,
  name_key text collate "C" generated always as (fold(name)) stored,
  search_text text not null generated always as (fold(name || chr(10) || coalesce(description, ''))) stored,
  primary key (account_id, id)
);
create unique index categories_name on categories (account_id, fold(name)) where deleted_at is null;
create index categories_name_key on categories (account_id, name_key) where deleted_at is null;
create index categories_order on categories (account_id, position, id) where deleted_at is null;
create index categories_deleted on categories (account_id, deleted_at, id) where deleted_at is not null;

-- Foreign keys by trigger: account_id, parent_id, owner_id, created_by.
create table companies (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  -- as the client sent it: one string or an array of strings
  domains jsonb,
  industry text,
  company_size text,
  employee_count int,
  annual_revenue numeric,
  phone text,
  email text,
  website text,
  address text,
  city text,
  state text,
  country text,
  postal_code text,
  linkedin_url text,
  facebook_url text,
  instagram_url text,
  twitter_url text,
  twitter_handle text,
  twitter_follower_count int,
  description text,
  notes text,
  logo_url text,
  -- the company that it belongs to
  parent_id uuid,
  -- the member who is responsible for it
  owner_id uuid,
  connection_strength text,
  status text,
  categories text[],
  metadata jsonb not null default '{}',
  external_ids jsonb not null default '{}',
  enrichment jsonb not null default '{}',
  enrichment_provider text,
  enrichment_last_updated timestamptz(3),
  enrichment_status text,
  created_by uuid,
  phone_digits text generated always as (digits(phone)) stored,
  bytes int not null generated always as (
    octet_length(metadata::text) + octet_length(enrichment::text) + coalesce(octet_length(description), 0) +
    coalesce(octet_length(notes), 0)
  ) stored,
  search_text text not null generated always as (fold(
    name || chr(10) || coalesce(texts_of(domains), '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(website, '') || chr(10) || coalesce(phone, '') || chr(10) || coalesce(industry, '') || chr(10) ||
    coalesce(city, '') || chr(10) || coalesce(country, '') || chr(10) || coalesce(description, '')
  )) stored,
  primary key (account_id, id)
);
-- The indexes by time of companies and contacts are ascending and read backwards: new rows are appended at the end,
-- 2 µs instead of 3 per row and half the size. At the front of a descending index pages split half empty.
create index companies_created on companies (account_id, created_at, id) where deleted_at is null;
create index companies_updated on companies (account_id, updated_at, id) where deleted_at is null;
create index companies_name on companies (account_id, lower(name collate "C"), id) where deleted_at is null;
create index companies_folded_name on companies (account_id, fold(name)) where deleted_at is null;
create index companies_trash on companies (account_id, created_at desc, id desc) where deleted_at is not null;
create index companies_status on companies (account_id, status, created_at, id) where deleted_at is null;
create index companies_industry on companies (account_id, industry, created_at desc, id desc) where deleted_at is null;
create index companies_country on companies (account_id, country, created_at desc, id desc) where deleted_at is null;
create index companies_strength on companies (account_id, connection_strength, created_at desc, id desc)
  where deleted_at is null;
create index companies_owner on companies (account_id, owner_id, created_at, id)
  where deleted_at is null and owner_id is not null;
-- also companies in the trash: the foreign key looks here when a parent is purged
create index companies_parent on companies (account_id, parent_id) where parent_id is not null;
create index companies_deleted on companies (account_id, deleted_at, id) where deleted_at is not null;
create index companies_large on companies (account_id) where bytes > 16384;

-- Foreign keys by trigger: account_id, company_id, owner_id, created_by.
create table contacts (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  first_name text,
  last_name text,
  full_name text not null generated always as (
    coalesce(nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), email, '')
  ) stored,
  email text,
  emails jsonb,
  phone text,
  phones jsonb,
  job_title text,
  department text,
  -- the primary company; company_people has all of them
  company_id uuid,
  owner_id uuid,
  status text,
  connection_strength text,
  lead_source text,
  website text,
  linkedin_url text,
  facebook_url text,
  instagram_url text,
  twitter_url text,
  avatar_url text,
  twitter_handle text,
  twitter_follower_count int,
  address text,
  city text,
  state text,
  country text,
  postal_code text,
  birthday date,
  timezone text,
  language text,
  do_not_contact boolean not null default false,
  email_opt_out boolean not null default false,
  description text,
  notes text,
  -- derived from activities by refresh_contact_interactions()
  first_interaction timestamptz(3),
  last_interaction timestamptz(3),
  next_interaction timestamptz(3),
  categories text[],
  metadata jsonb not null default '{}',
  external_ids jsonb not null default '{}',
  enrichment jsonb not null default '{}',
  enrichment_provider text,
  enrichment_last_updated timestamptz(3),
  enrichment_status text,
  created_by uuid,
  phone_digits text generated always as (
    coalesce(digits(phone), '') || ',' || regexp_replace(coalesce(texts_of(phones, 'phone'), ''), '[^0-9\n]', '', 'g')
  ) stored,
  bytes int not null generated always as (
    octet_length(metadata::text) + octet_length(enrichment::text) + coalesce(octet_length(description), 0) +
    coalesce(octet_length(notes), 0)
  ) stored,
  search_text text not null generated always as (fold(
    coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(texts_of(emails, 'email'), '') || chr(10) || coalesce(phone, '') || chr(10) ||
    coalesce(texts_of(phones, 'phone'), '') || chr(10) || coalesce(job_title, '') || chr(10) ||
    coalesce(department, '') || chr(10) || coalesce(city, '') || chr(10) || coalesce(country, '') || chr(10) ||
    coalesce(description, '')
  )) stored,
  primary key (account_id, id)
);
create index contacts_created on contacts (account_id, created_at, id) where deleted_at is null;
create index contacts_updated on contacts (account_id, updated_at, id) where deleted_at is null;
create index contacts_name on contacts (account_id, lower(full_name collate "C"), id) where deleted_at is null;
create index contacts_trash on contacts (account_id, created_at desc, id desc) where deleted_at is not null;
create index contacts_email on contacts (account_id, lower(email collate "C")) where deleted_at is null;
-- by phone number in any notation
create index contacts_phone_tail on contacts (account_id, phone_tail(phone))
  where deleted_at is null and phone is not null;
create index contacts_company on contacts (account_id, company_id, created_at desc, id desc) where deleted_at is null;
create index contacts_status on contacts (account_id, status, created_at, id) where deleted_at is null;
create index contacts_owner on contacts (account_id, owner_id, created_at desc, id desc)
  where deleted_at is null and owner_id is not null;
create index contacts_source on contacts (account_id, lead_source, created_at desc, id desc)
  where deleted_at is null and lead_source is not null;
create index contacts_deleted on contacts (account_id, deleted_at, id) where deleted_at is not null;
create index contacts_large on contacts (account_id) where bytes > 16384;

-- The addresses of contacts and the domains of companies, one per row, for filters, imports and the duplicate search.
-- Triggers maintain both tables. Row-level security lets only a plain `=` use an index; a search inside jsonb cannot.
-- Without foreign keys, which would be checked for every address written; triggers delete the rows instead.
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

create table company_domains (
  account_id uuid not null,
  company_id uuid not null,
  domain text collate "C" not null,
  primary key (account_id, company_id, domain)
);
create index company_domains_domain on company_domains (account_id, domain, company_id);

-- Pairs of records that a person has looked at and that are not duplicates of each other. An id is that of a contact or
-- of a company; a record that is purged leaves pairs that nothing reads.
create table not_duplicates (
  account_id uuid not null references accounts on delete cascade,
  one_id uuid not null,
  other_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, one_id, other_id),
  check (one_id < other_id)
);

-- What the account sells.
create table products (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  sku text,
  unit_price numeric check (unit_price >= 0),
  currency text not null,
  billing_period text not null default 'one_time'
    check (billing_period in ('one_time', 'monthly', 'quarterly', 'yearly')),
  description text,
  active boolean not null default true,
  categories text[],
  metadata jsonb not null default '{}',
  external_ids jsonb not null default '{}',
  created_by uuid references users,
  bytes int not null generated always as (
    octet_length(metadata::text) + coalesce(octet_length(description), 0)
  ) stored,
  search_text text not null generated always as (fold(
    name || chr(10) || coalesce(sku, '') || chr(10) || coalesce(description, '')
  )) stored,
  primary key (account_id, id)
);
create index products_created on products (account_id, created_at desc, id desc) where deleted_at is null;
create index products_updated on products (account_id, updated_at desc, id desc) where deleted_at is null;
create index products_name on products (account_id, lower(name collate "C"), id) where deleted_at is null;
create index products_folded_name on products (account_id, fold(name)) where deleted_at is null;
create unique index products_sku on products (account_id, fold(sku)) where deleted_at is null;
create index products_deleted on products (account_id, deleted_at, id) where deleted_at is not null;
create index products_large on products (account_id) where bytes > 16384;

create table pipelines (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  description text,
  is_default boolean not null default false,
  is_archived boolean not null default false,
  position int not null default 0,
  search_text text not null generated always as (fold(name || chr(10) || coalesce(description, ''))) stored,
  primary key (account_id, id)
);
create unique index pipelines_name on pipelines (account_id, fold(name)) where deleted_at is null;
create unique index pipelines_default on pipelines (account_id) where is_default and deleted_at is null;
create index pipelines_deleted on pipelines (account_id, deleted_at, id) where deleted_at is not null;

create table stages (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  pipeline_id uuid not null,
  name text not null,
  type text not null check (type in ('open', 'won', 'lost')),
  probability int not null check (probability between 0 and 100),
  position int not null default 0,
  color text,
  rotten_after_days int,
  search_text text not null generated always as (fold(name)) stored,
  primary key (account_id, id),
  unique (account_id, pipeline_id, id),
  foreign key (account_id, pipeline_id) references pipelines (account_id, id) on delete cascade
);
create index stages_order on stages (account_id, pipeline_id, position, id) where deleted_at is null;
create index stages_deleted on stages (account_id, deleted_at, id) where deleted_at is not null;

create table deals (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  amount numeric,
  -- whether the amount was set by hand or follows the line items
  amount_source text not null check (amount_source in ('manual', 'line_items')),
  currency text not null,
  pipeline_id uuid not null,
  stage_id uuid not null,
  -- null: the stage's probability
  probability int check (probability between 0 and 100),
  expected_close_date date,
  closed_at timestamptz(3),
  lost_reason text,
  company_id uuid,
  primary_contact_id uuid,
  owner_id uuid references users,
  deal_type text,
  lead_source text,
  next_step text,
  priority text check (priority in ('low', 'medium', 'high')),
  description text,
  notes text,
  -- in its column of the board; set_deal_stage() puts a deal without a position last
  position double precision not null,
  stage_entered_at timestamptz(3) not null default now(),
  -- derived from activities by refresh_deal_activity()
  last_activity_at timestamptz(3),
  next_activity_at timestamptz(3),
  categories text[],
  metadata jsonb not null default '{}',
  external_ids jsonb not null default '{}',
  created_by uuid references users,
  bytes int not null generated always as (
    octet_length(metadata::text) + coalesce(octet_length(description), 0) + coalesce(octet_length(notes), 0)
  ) stored,
  search_text text not null generated always as (fold(
    name || chr(10) || coalesce(description, '') || chr(10) || coalesce(next_step, '') || chr(10) ||
    coalesce(deal_type, '') || chr(10) || coalesce(lead_source, '')
  )) stored,
  primary key (account_id, id),
  foreign key (account_id, pipeline_id, stage_id) references stages (account_id, pipeline_id, id),
  foreign key (account_id, company_id) references companies (account_id, id) on delete set null (company_id),
  foreign key (account_id, primary_contact_id) references contacts (account_id, id)
    on delete set null (primary_contact_id)
);
create index deals_created on deals (account_id, created_at desc, id desc) where deleted_at is null;
create index deals_updated on deals (account_id, updated_at desc, id desc) where deleted_at is null;
create index deals_name on deals (account_id, lower(name collate "C"), id) where deleted_at is null;
create index deals_folded_name on deals (account_id, fold(name)) where deleted_at is null;
create index deals_trash on deals (account_id, created_at desc, id desc) where deleted_at is not null;
-- the order of a board column, with the columns its sums need, so that they are read from the index alone
create index deals_stage on deals (account_id, stage_id, position, id) include (amount, currency, probability)
  where deleted_at is null;
create index deals_pipeline on deals (account_id, pipeline_id, created_at desc, id desc) where deleted_at is null;
create index deals_owner on deals (account_id, owner_id, created_at desc, id desc) where deleted_at is null;
create index deals_amount on deals (account_id, amount desc nulls last, id desc) where deleted_at is null;
create index deals_expected_close on deals (account_id, expected_close_date, id) where deleted_at is null;
create index deals_company on deals (account_id, company_id) where deleted_at is null;
-- also deals in the trash: the foreign key looks here when a contact is erased
create index deals_primary_contact on deals (account_id, primary_contact_id) where primary_contact_id is not null;
create index deals_deleted on deals (account_id, deleted_at, id) where deleted_at is not null;
create index deals_large on deals (account_id) where bytes > 16384;

create table deal_stage_history (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null default gen_random_uuid(),
  deal_id uuid not null,
  seq bigint generated always as identity,
  from_stage_id uuid,
  to_stage_id uuid not null,
  pipeline_id uuid not null,
  entered_at timestamptz(3) not null,
  moved_by uuid,
  primary key (account_id, deal_id, seq),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade
);

-- The line items of a deal: products, each with a quantity and a price. A line has its own name and price, so that it
-- remains what was agreed when the product changes or is erased.
create table deal_line_items (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  deal_id uuid not null,
  product_id uuid,
  name text not null,
  quantity numeric not null check (quantity >= 0),
  -- in the deal's currency
  unit_price numeric not null check (unit_price >= 0),
  -- percent
  discount numeric not null default 0 check (discount between 0 and 100),
  tax numeric not null default 0 check (tax between 0 and 100),
  position int not null default 0,
  primary key (account_id, id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade,
  foreign key (account_id, product_id) references products (account_id, id) on delete set null (product_id)
);
create index deal_line_items_deal on deal_line_items (account_id, deal_id, position);
create index deal_line_items_product on deal_line_items (account_id, product_id, deal_id) where product_id is not null;

-- `external_ids` of records outside the trash, one row for each id: how records are found by one, and why it is unique.
create table external_ids (
  account_id uuid not null,
  entity_type text not null,
  source text not null collate "C",
  external_id text not null collate "C",
  entity_id uuid not null,
  primary key (account_id, entity_type, source, external_id)
);
create index external_ids_entity on external_ids (account_id, entity_id);

-- Links. A link has a position in two lists: among the right ends of its left end (`position`) and among the left
-- ends of its right end (`<right end>_position`). The default puts it last; equal positions are ordered by id, which
-- grows with time.

-- The people of a company. Foreign keys by trigger: company_id, person_id, created_by.
create table company_people (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  company_id uuid not null,
  person_id uuid not null,
  role text,
  is_primary boolean not null default false,
  position int not null default 2147483647,
  person_position int not null default 2147483647,
  created_by uuid default nullif(current_setting('kith.user_id', true), '')::uuid,
  primary key (account_id, company_id, person_id),
  unique (account_id, id)
);
-- No index by position: a company's people are few and read all at once, so sorting them costs less than the index
-- costs every insert.
create index company_people_person on company_people (account_id, person_id);
create unique index company_people_primary on company_people (account_id, company_id) where is_primary;

create table deal_companies (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  deal_id uuid not null,
  company_id uuid not null,
  position int not null default 2147483647,
  company_position int not null default 2147483647,
  primary key (account_id, deal_id, company_id),
  unique (account_id, id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade,
  foreign key (account_id, company_id) references companies (account_id, id) on delete cascade
);
create index deal_companies_company on deal_companies (account_id, company_id);

create table deal_contacts (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  deal_id uuid not null,
  contact_id uuid not null,
  position int not null default 2147483647,
  contact_position int not null default 2147483647,
  primary key (account_id, deal_id, contact_id),
  unique (account_id, id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade,
  foreign key (account_id, contact_id) references contacts (account_id, id) on delete cascade
);
create index deal_contacts_contact on deal_contacts (account_id, contact_id);
