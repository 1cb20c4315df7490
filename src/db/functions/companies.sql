-- The parents of companies form a tree.

call journal_records('companies', derived => '{linked}', counted_by => '{status}');

-- The API refuses a cycle. Undo, merge and restore write old parents, which by then may be below the company.
create or replace function drop_circular_parent() returns trigger language plpgsql as $$
begin
  if exists (
    with recursive above (id) as (
      select new.parent_id
      union select c.parent_id from above a
        join companies c on c.account_id = new.account_id and c.id = a.id where c.parent_id is not null
    ) select from above where id = new.id
  ) then
    new.parent_id := null;
  end if;
  return new;
end $$;
comment on function drop_circular_parent() is
  'An update never makes a company its own parent, directly or through others: it has no parent then.';

create trigger drop_circular_parent before update of parent_id on companies
  for each row when (new.parent_id is not null and new.parent_id is distinct from old.parent_id)
  execute function drop_circular_parent();
