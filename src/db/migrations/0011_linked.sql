-- Which links a company or contact may have, so that reading one without links needs no query for them: see
-- ../functions/linked.sql.
alter table companies add column linked smallint not null default 0;
alter table contacts add column linked smallint not null default 0;

select set_config('kith.derived', 'on', true);
update companies c set linked = l.bits from (
  select account_id, id, bit_or(flag)::smallint as bits from (
    select account_id, company_id as id, 1 as flag from company_people
    union all select account_id, company_id, 2 from deal_companies
    union all select account_id, entity_id, 4 from favorites where entity_type = 'company'
  ) links group by account_id, id
) l where c.account_id = l.account_id and c.id = l.id;
update contacts c set linked = l.bits from (
  select account_id, id, bit_or(flag)::smallint as bits from (
    select account_id, person_id as id, 1 as flag from company_people
    union all select account_id, contact_id, 2 from deal_contacts
    union all select account_id, entity_id, 4 from favorites where entity_type = 'contact'
  ) links group by account_id, id
) l where c.account_id = l.account_id and c.id = l.id;
select set_config('kith.derived', '', true);
