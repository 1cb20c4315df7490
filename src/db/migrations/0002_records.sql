-- Companies, contacts, deals with their pipelines, and what ties them together.
-- Keys and foreign keys begin with account_id: a row can never point into another account, and the tables
-- can be distributed by account.

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
  primary key (account_id, id)
);
create unique index categories_name on categories (account_id, fold(name)) where deleted_at is null;
call journal_records('categories');

create table companies (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  -- as it was given: one string or an array of strings
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
  connection_strength text,
  status text,
  categories text[],
  metadata jsonb not null default '{}',
  enrichment jsonb not null default '{}',
  enrichment_provider text,
  enrichment_last_updated timestamptz(3),
  enrichment_status text,
  created_by uuid references users,
  phone_digits text generated always as (digits(phone)) stored,
  search_text text not null generated always as (fold(
    name || chr(10) || coalesce(domains::text, '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(website, '') || chr(10) || coalesce(phone, '') || chr(10) || coalesce(industry, '') || chr(10) ||
    coalesce(city, '') || chr(10) || coalesce(country, '') || chr(10) || coalesce(description, '')
  )) stored,
  primary key (account_id, id)
);
create index companies_created on companies (account_id, created_at desc, id desc) where deleted_at is null;
create index companies_updated on companies (account_id, updated_at desc, id desc) where deleted_at is null;
create index companies_name on companies (account_id, lower(name collate "C"), id) where deleted_at is null;
create index companies_trash on companies (account_id, created_at desc, id desc) where deleted_at is not null;
create index companies_status on companies (account_id, status, created_at desc, id desc) where deleted_at is null;
call journal_records('companies');

create table contacts (
  account_id uuid not null references accounts on delete cascade,
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
  company_id uuid,
  owner_id uuid references users,
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
  first_interaction timestamptz(3),
  last_interaction timestamptz(3),
  next_interaction timestamptz(3),
  categories text[],
  metadata jsonb not null default '{}',
  enrichment jsonb not null default '{}',
  enrichment_provider text,
  enrichment_last_updated timestamptz(3),
  enrichment_status text,
  created_by uuid references users,
  phone_digits text generated always as (
    coalesce(digits(phone), '') || ',' || regexp_replace(coalesce(phones::text, ''), '[^0-9,]', '', 'g')
  ) stored,
  search_text text not null generated always as (fold(
    coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(email, '') || chr(10) ||
    coalesce(emails::text, '') || chr(10) || coalesce(phone, '') || chr(10) || coalesce(phones::text, '') || chr(10) ||
    coalesce(job_title, '') || chr(10) || coalesce(department, '') || chr(10) || coalesce(city, '') || chr(10) ||
    coalesce(country, '') || chr(10) || coalesce(description, '')
  )) stored,
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies (account_id, id) on delete set null (company_id)
);
create index contacts_created on contacts (account_id, created_at desc, id desc) where deleted_at is null;
create index contacts_updated on contacts (account_id, updated_at desc, id desc) where deleted_at is null;
create index contacts_name on contacts (account_id, lower(full_name collate "C"), id) where deleted_at is null;
create index contacts_trash on contacts (account_id, created_at desc, id desc) where deleted_at is not null;
create index contacts_email on contacts (account_id, lower(email collate "C")) where deleted_at is null;
create index contacts_company on contacts (account_id, company_id, created_at desc, id desc) where deleted_at is null;
create index contacts_status on contacts (account_id, status, created_at desc, id desc) where deleted_at is null;
call journal_records('contacts');

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
  primary key (account_id, id)
);
create unique index pipelines_name on pipelines (account_id, fold(name)) where deleted_at is null;
create unique index pipelines_default on pipelines (account_id) where is_default and deleted_at is null;
call journal_records('pipelines');

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
  primary key (account_id, id),
  unique (account_id, pipeline_id, id),
  foreign key (account_id, pipeline_id) references pipelines (account_id, id) on delete cascade
);
create index stages_order on stages (account_id, pipeline_id, position, id) where deleted_at is null;
call journal_records('stages');

create table deals (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  name text not null,
  amount numeric,
  currency text not null,
  pipeline_id uuid not null,
  stage_id uuid not null,
  -- null: the stage's
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
  position double precision not null default 0,
  stage_entered_at timestamptz(3) not null default now(),
  last_activity_at timestamptz(3),
  next_activity_at timestamptz(3),
  categories text[],
  metadata jsonb not null default '{}',
  created_by uuid references users,
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
create index deals_trash on deals (account_id, created_at desc, id desc) where deleted_at is not null;
create index deals_stage on deals (account_id, stage_id, position, id) include (amount) where deleted_at is null;
create index deals_company on deals (account_id, company_id) where deleted_at is null;
call journal_records('deals');

-- A company's team: the people who belong to it. contacts.company_id is the person's primary company.
create table company_people (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  company_id uuid not null,
  person_id uuid not null,
  role text,
  is_primary boolean not null default false,
  position int not null default 0,
  created_by uuid references users,
  primary key (account_id, company_id, person_id),
  unique (account_id, id),
  foreign key (account_id, company_id) references companies (account_id, id) on delete cascade,
  foreign key (account_id, person_id) references contacts (account_id, id) on delete cascade
);
create index company_people_order on company_people (account_id, company_id, position, id);
create index company_people_person on company_people (account_id, person_id);
create unique index company_people_primary on company_people (account_id, company_id) where is_primary;
call journal_links('company_people', 'company_id', 'person_id');

create table deal_companies (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  deal_id uuid not null,
  company_id uuid not null,
  position int not null default 0,
  primary key (account_id, deal_id, company_id),
  unique (account_id, id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade,
  foreign key (account_id, company_id) references companies (account_id, id) on delete cascade
);
create index deal_companies_company on deal_companies (account_id, company_id);
call journal_links('deal_companies', 'deal_id', 'company_id');

create table deal_contacts (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  deal_id uuid not null,
  contact_id uuid not null,
  position int not null default 0,
  primary key (account_id, deal_id, contact_id),
  unique (account_id, id),
  foreign key (account_id, deal_id) references deals (account_id, id) on delete cascade,
  foreign key (account_id, contact_id) references contacts (account_id, id) on delete cascade
);
create index deal_contacts_contact on deal_contacts (account_id, contact_id);
call journal_links('deal_contacts', 'deal_id', 'contact_id');

create table favorite_folders (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  name text not null,
  color text,
  display_order int not null default 0,
  primary key (account_id, id)
);
create index favorite_folders_order on favorite_folders (account_id, user_id, display_order, id);
call journal_records('favorite_folders');

create table favorites (
  account_id uuid not null references accounts on delete cascade,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  user_id uuid not null references users,
  entity_type text not null check (entity_type in ('company', 'contact', 'deal')),
  entity_id uuid not null,
  folder_id uuid,
  display_order int not null default 0,
  notes text,
  primary key (account_id, id),
  foreign key (account_id, folder_id) references favorite_folders (account_id, id) on delete set null (folder_id)
);
create unique index favorites_record on favorites (account_id, entity_id, user_id) where deleted_at is null;
create index favorites_order on favorites (account_id, user_id, folder_id, display_order, id) where deleted_at is null;
call journal_records('favorites');

-- Does a company have this domain? `domains` is one text (perhaps several, parted by commas) or an array.
create function has_domain(domains jsonb, wanted text) returns boolean
  language sql immutable parallel safe
  as $$
    select coalesce(exists (
      select from jsonb_array_elements_text(case jsonb_typeof(domains) when 'array' then domains
        else to_jsonb(regexp_split_to_array(domains #>> '{}', '[\s,;]+')) end) d
      where regexp_replace(fold(d), '^([a-z]+://)?(www\.)?|/.*$', '', 'g')
        = regexp_replace(fold(wanted), '^([a-z]+://)?(www\.)?|/.*$', '', 'g')
    ), false)
  $$;
