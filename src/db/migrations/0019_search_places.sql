-- Both follow an index in its order and stop when they have enough. Whoever plans such a statement knows only what a
-- word has on average, which is eight places and few neighbours, and would rather read everything and sort it; but
-- the words that people type first have tens of thousands of places. Those took 26 ms, and take 2 so.

-- Where words stand, for each of them the newest places.
create function search_places(of_account uuid, of_words text[], of_types text[], most int)
  returns table (no bigint, passage_id bigint, weight smallint)
  language sql stable set search_path = kith, pg_temp
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
as $$
  select t.no, w.passage_id, w.weight
  from unnest(of_words) with ordinality t (word, no)
  cross join lateral (
    select w.passage_id, w.weight from search_words w
    where w.account_id = of_account and w.word = t.word and w.entity_type = any(of_types)
    order by w.word desc, w.passage_id desc limit most
  ) w
$$;

-- Words that begin so, for each beginning the first ones.
create function search_words_from(of_account uuid, beginnings text[], most int)
  returns table (no bigint, word text, uses int)
  language sql stable set search_path = kith, pg_temp
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
as $$
  select t.no, v.word, v.uses
  from unnest(beginnings) with ordinality t (beginning, no)
  cross join lateral (
    select v.word, v.uses from search_vocabulary v
    -- before the last character there is, in the order of bytes
    where v.account_id = of_account and v.word >= t.beginning and v.word < t.beginning || U&'\+10FFFF'
    order by v.word limit most
  ) v
$$;
