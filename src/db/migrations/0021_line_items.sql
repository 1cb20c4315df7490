-- What a deal is about: products, each with a quantity and a price. A line keeps its own name and price, so that it
-- stays as it was agreed when the product changes or is erased.
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

-- Whether the amount was set by hand or follows the line items.
alter table deals add column amount_source text check (amount_source in ('manual', 'line_items'));
select set_config('kith.derived', 'on', true);
update deals set amount_source = case when amount is null then 'line_items' else 'manual' end;
select set_config('kith.derived', '', true);
alter table deals alter column amount_source set not null;
