-- Reads the index behind `search` in lists (decision 34). As functions, because their plans are then the same for every
-- term: planning the statement of a search for each request took 5 ms, more than running it.

-- How many segments a kind has, in how many blocks of eight of them all grams of a term occur, the grams, the rarest of
-- these segments first, and the share of such blocks in the segments whose records were created first and last.
create or replace function search_text_sample(of_account uuid, of_kind text, term int[],
  out segments int, out blocks int, out grams int[], out oldest_share float8, out newest_share float8)
  language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  sample bigint[];
  oldest bigint;
  newest bigint;
begin
  select count(*), (array_agg(s.segment order by hashint8(s.segment)))[1:8],
      (array_agg(s.segment order by s.first_created, s.above))[1],
      (array_agg(s.segment order by s.last_created desc, s.above desc))[1]
    into segments, sample, oldest, newest
    from search_text_segments s where s.account_id = of_account and s.kind = of_kind and s.is_complete;
  with m as materialized (
    select m.segment, m.gram, m.blocks from search_text_masks m
    where m.account_id = of_account and m.segment = any(array[oldest, newest] || sample) and m.gram = any(term)
  ), shared as materialized (
    select m.segment, bit_count(bit_and(m.blocks)) as blocks from m group by m.segment having count(*) = cardinality(term)
  )
  select
    (select coalesce(sum(b.blocks), 0) from shared b where b.segment = any(sample)),
    array(select t.gram from unnest(term) t (gram) left join m on m.gram = t.gram
      group by t.gram order by coalesce(sum(bit_count(m.blocks)), 0)),
    coalesce((select b.blocks::float8 / cardinality(s.ends) from shared b
      join search_text_segments s on s.account_id = of_account and s.segment = b.segment where b.segment = oldest), 0),
    coalesce((select b.blocks::float8 / cardinality(s.ends) from shared b
      join search_text_segments s on s.account_id = of_account and s.segment = b.segment where b.segment = newest), 0)
    into blocks, grams, oldest_share, newest_share;
end $$;

-- The segments with blocks that can contain a term, and these blocks. The masks of its three rarest grams are looked up
-- one after the other, each only in the segments where a block has those before it, and then the other grams: of
-- 1,000,000 records each gram has 122 masks, and looking all of them up took 6 ms.
create or replace function search_text_blocks(of_account uuid, of_kind text, rare int[], rest int[])
  returns table (segment bigint, blocks bit(1024)) rows 100
  language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set join_collapse_limit = 1 as $$
declare
  none constant bit(1024) := b'0'::bit(1024);
  second_gram int := coalesce(rare[2], rare[1]);
  third_gram int := coalesce(rare[3], second_gram);
begin
  return query
    with likely as materialized (
      select s.segment, a.blocks & b.blocks & c.blocks as blocks from search_text_segments s
      join search_text_masks a on a.account_id = of_account and a.segment = s.segment and a.gram = rare[1]
      join search_text_masks b on b.account_id = of_account and b.segment = s.segment and b.gram = second_gram
        and a.blocks & b.blocks <> none
      join search_text_masks c on c.account_id = of_account and c.segment = s.segment and c.gram = third_gram
        and a.blocks & b.blocks & c.blocks <> none
      where s.account_id = of_account and s.kind = of_kind and s.is_complete
    )
    select l.segment, l.blocks & coalesce(m.blocks, l.blocks) from likely l
    cross join lateral (
      select bit_and(m.blocks) as blocks, count(*) as grams from search_text_masks m
      where m.account_id = of_account and m.segment = l.segment and m.gram = any(rest)
    ) m
    where m.grams = cardinality(rest) and l.blocks & coalesce(m.blocks, l.blocks) <> none;
end $$;

-- Blocks of a segment as ranges of ids, above one and up to another. Adjacent blocks are one range: a range costs 3 µs
-- before its first record is read. `ends` must be a variable: reading the array of a row decompressed its 16 KB for each
-- block, 17 µs.
create or replace function search_text_ranges(segment_above uuid, ends uuid[], blocks bit(1024))
  returns table (above uuid, last uuid) rows 100
  language plpgsql immutable as $$
declare
  -- the position of the last block that was looked at
  block int := 0;
  step int;
begin
  -- Looking at every bit of a segment took 0.6 ms.
  loop
    step := position(b'1' in substring(blocks from block + 1));
    exit when step = 0;
    block := block + step;
    above := case when block = 1 then segment_above else ends[block - 1] end;
    step := position(b'0' in substring(blocks from block + 1));
    block := case when step = 0 then length(blocks) else block + step - 1 end;
    last := ends[block];
    return next;
    exit when step = 0;
  end loop;
end $$;

-- Changes of records in segments that the masks may lack: numbered above `above_seq` up to `last_seq`, and not read with
-- their segment. Nearly all changes of 1,000,000 records that are being created are passed over, at 1 µs each.
create or replace function search_text_changes(of_account uuid, of_kind text, above_seq bigint, last_seq bigint, most bigint)
  returns table (seq bigint, id uuid) rows 50
  language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  -- Each segment begins where the one before it ends.
  starts uuid[];
  read_after bigint[];
  last_end uuid;
begin
  if not exists (select from changes c where c.account_id = of_account and c.seq > above_seq and c.seq <= last_seq) then
    return;
  end if;
  select array_agg(s.above order by s.above), array_agg(s.read_after order by s.above) into starts, read_after
    from search_text_segments s where s.account_id = of_account and s.kind = of_kind and s.is_complete;
  select s.ends[cardinality(s.ends)] into last_end from search_text_segments s
    where s.account_id = of_account and s.kind = of_kind and s.is_complete order by s.above desc limit 1;
  return query
    select c.seq, c.entity_id from changes c
    cross join lateral (select width_bucket(c.entity_id, starts) as no offset 0) segment
    where c.account_id = of_account and c.seq > above_seq and c.seq <= last_seq
      and c.kind = of_kind and c.action in ('created', 'updated') and c.entity_id <= last_end
      -- the id at which a segment begins is in the one before it
      and (c.seq > read_after[segment.no] or c.entity_id = starts[segment.no])
    order by c.seq limit most;
end $$;
