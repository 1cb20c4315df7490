-- Events: changes in the order in which readers may see them.

-- A transaction that began earlier can commit later, so the numbers of the journal are not in the order of commits: a
-- reader that uses them skips changes. This function gives every committed change that has no event yet the next
-- numbers, in the order of the journal. Numberings of one account follow one another, so that no event appears before
-- one with a smaller number. Writers are not involved: they neither wait nor write more.
--
-- Changes of one record keep their order: the second waits for the row lock of the first, so no snapshot has the
-- second without the first.
--
-- Only changes after `numbered_to` are compared with the events. It advances once the transactions that were open when
-- a change was seen have ended. A long transaction makes the comparison longer but delays no event.
create or replace function number_events(of_account uuid, kinds text[], most int)
  returns table (last_sequence bigint, is_done boolean) language plpgsql as $$
#variable_conflict use_column
declare
  feed event_feeds;
  snapshot pg_snapshot;
  top bigint;
  reached bigint;
  added bigint;
begin
  -- Unlike a row lock, this lock does not assign a transaction id yet; see below.
  perform pg_advisory_xact_lock(hashtextextended('events ' || of_account, 0));
  select * into feed from event_feeds f where f.account_id = of_account;
  if not found then
    feed := row(of_account, 0, 0, 0, null, null)::event_feeds;
  end if;

  select pg_current_snapshot(),
    (select c.seq from changes c where c.account_id = of_account order by c.seq desc limit 1) into snapshot, top;
  if feed.mark_xid <= pg_snapshot_xmin(snapshot) then
    feed.settled_to := greatest(feed.settled_to, feed.mark_seq);
    feed.mark_xid := null;
  end if;
  -- A mark with a future transaction id comes from another server, whose data was restored here.
  if (feed.mark_xid is null or feed.mark_xid > pg_snapshot_xmax(snapshot))
    and pg_current_xact_id_if_assigned() is null then
    feed.mark_seq := top;
    -- Taken after `top` was read: every transaction that may have written a lower change has a lower id than this one.
    feed.mark_xid := pg_current_xact_id();
  end if;

  -- `not in` reads the events once and looks them up by hash. A plan of `not exists`, made while there were few, read all
  -- events of the account for each change: 7,000 changes of a new account took half a minute on a busy machine.
  with fresh as (
    select c.seq from changes c
    where c.account_id = of_account and c.seq > feed.numbered_to and c.kind = any(kinds)
      and c.seq not in (select e.seq from events e where e.account_id = of_account and e.seq > feed.numbered_to)
    order by c.seq limit most
  ), numbered as (
    insert into events (account_id, sequence, seq)
      select of_account, feed.last_sequence + row_number() over (order by f.seq), f.seq from fresh f
      returning events.seq
  )
  select count(*), max(n.seq) into added, reached from numbered n;
  feed.last_sequence := feed.last_sequence + added;
  feed.numbered_to := greatest(feed.numbered_to,
    case when added < most then feed.settled_to else least(reached, feed.settled_to) end);

  insert into event_feeds select feed.*
    on conflict (account_id) do update set last_sequence = excluded.last_sequence, numbered_to = excluded.numbered_to,
      settled_to = excluded.settled_to, mark_seq = excluded.mark_seq, mark_xid = excluded.mark_xid;
  return query select feed.last_sequence, added < most;
end $$;
