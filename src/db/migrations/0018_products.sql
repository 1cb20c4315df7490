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
    octet_length(metadata::text) + coalesce(octet_length(description), 0)) stored,
  search_text text not null generated always as (fold(
    name || chr(10) || coalesce(sku, '') || chr(10) || coalesce(description, ''))) stored,
  primary key (account_id, id)
);
create index products_created on products (account_id, created_at desc, id desc) where deleted_at is null;
create index products_updated on products (account_id, updated_at desc, id desc) where deleted_at is null;
create index products_name on products (account_id, lower(name collate "C"), id) where deleted_at is null;
create index products_folded_name on products (account_id, fold(name)) where deleted_at is null;
create unique index products_sku on products (account_id, fold(sku)) where deleted_at is null;
create index products_deleted on products (account_id, deleted_at, id) where deleted_at is not null;
create index products_large on products (account_id) where bytes > 16384;

create table note_products (
  account_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default now(),
  note_id uuid not null,
  product_id uuid not null,
  position int not null default 0,
  primary key (account_id, note_id, product_id),
  unique (account_id, id),
  foreign key (account_id, note_id) references notes (account_id, id) on delete cascade,
  foreign key (account_id, product_id) references products (account_id, id) on delete cascade
);
create index note_products_product on note_products (account_id, product_id, note_id);

insert into kinds values ('product', 'products', true, true, true, true, true);
