-- The search index: reading it in order, and removing what was erased.

-- Both readers follow an index in its order and stop when they have enough. The planner knows only the average word,
-- which has eight occurrences and few neighbours, and would read and sort everything. But the first words that users
-- type have tens of thousands of occurrences; those took 26 ms, and take 2 ms this way.

-- The newest occurrences of each word.
create or replace function search_places(of_account uuid, of_words text[], of_types text[], most int)
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

-- The first words with each prefix.
create or replace function search_words_from(of_account uuid, beginnings text[], most int)
  returns table (no bigint, word text, uses int)
  language sql stable set search_path = kith, pg_temp
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off
as $$
  select t.no, v.word, v.uses
  from unnest(beginnings) with ordinality t (beginning, no)
  cross join lateral (
    select v.word, v.uses from search_vocabulary v
    -- up to the last character in byte order
    where v.account_id = of_account and v.word >= t.beginning and v.word < t.beginning || U&'\+10FFFF'
    order by v.word limit most
  ) v
$$;

-- The passages nearest to a question by an HNSW index of pgvector (src/db/vector-index.ts), and none if there is no such
-- index. As text, because the types exist only with the extension; with the account and the model as literals, because
-- the index is limited to them. Without the settings the planner could sort all vectors of the account instead.
-- kith.is_ordered: the index has the order, and search_halfvec_… need not compute it again for each row.
create or replace function search_nearest(of_account uuid, of_model text, of_types text[], question real[], of_index text, most int)
  returns table (passage_id bigint, bytes bytea)
  language plpgsql stable set search_path = kith, pg_temp
  set enable_bitmapscan = off set enable_seqscan = off set enable_sort = off set kith.is_ordered = 'on'
as $$
declare
  extension record;
begin
  select n.nspname as schema, e.extversion ~ '^0\.7(\.|$)' as lacks_iteration
    into extension
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'vector'
      and exists (select from pg_index i where i.indexrelid = to_regclass(of_index) and i.indisvalid);
  if not found then
    return;
  end if;
  perform set_config('hnsw.ef_search', '600', true);
  if not extension.lacks_iteration then
    perform set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.max_scan_tuples', '5000', true);
  end if;
  return query execute format($query$
    select v.passage_id, v.bytes from search_vectors v
    where v.account_id = %1$L and v.model = %2$L and v.entity_type = any($1)
    order by search_halfvec_%3$s(v.bytes)::%4$I.halfvec(%3$s) operator(%4$I.<=>) $2::%4$I.halfvec(%3$s) limit $3$query$,
    of_account, of_model, cardinality(question), extension.schema) using of_types, question, most;
end $$;

-- Removes passages with everything derived from them; a word that no passage contains is removed too. Always uses the
-- primary keys: whatever the planner estimates, each of these tables can have millions of rows.
create or replace function search_take_out(of_account uuid, ids bigint[]) returns void
  language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  gone record;
begin
  for gone in
    select u.word, count(*)::int as uses
    from search_passages p cross join lateral unnest(p.words) u (word)
    where p.account_id = of_account and p.id = any(ids) group by u.word order by u.word
  loop
    delete from search_words where account_id = of_account and word = gone.word and passage_id = any(ids);
    update search_vocabulary set uses = uses - gone.uses where account_id = of_account and word = gone.word;
    delete from search_vocabulary where account_id = of_account and word = gone.word and uses <= 0;
    if found then
      delete from search_trigrams t using generate_series(1, length(gone.word) - 2) i
        where t.account_id = of_account and t.trigram = substr(gone.word, i, 3) and t.word = gone.word;
    end if;
  end loop;
  delete from search_passages where account_id = of_account and id = any(ids);
end $$;

create or replace function unindex_erased() returns trigger language plpgsql as $$
declare
  gone record;
begin
  for gone in
    select o.account_id, array_agg(p.id) as ids
    from old_rows o join search_passages p on p.account_id = o.account_id and p.entity_id = o.id
    group by o.account_id
  loop
    perform search_take_out(gone.account_id, gone.ids);
  end loop;
  return null;
end $$;
comment on function unindex_erased() is
  'An erased record leaves the search index in the transaction that erases it.';
do $$
declare target text;
begin
  for target in
    select table_name from kinds
    union all select unnest(array['kb_documents', 'email_templates', 'email_drafts', 'chat_messages', 'transcriptions'])
  loop
    execute format('create trigger unindex_erased after delete on %I referencing old table as old_rows
      for each statement execute function unindex_erased()', target);
  end loop;
end $$;

-- Runs before the delete, which removes the links that show where the name occurs.
create or replace function unindex_contact_name() returns trigger language plpgsql as $$
declare
  shown bigint[];
begin
  -- The whole account is being deleted, and its index with it.
  if not account_stays(old.account_id) then return old; end if;
  with showing (entity_type, id) as (
    select 'company', company_id from company_people where account_id = old.account_id and person_id = old.id
    union select 'deal', deal_id from deal_contacts where account_id = old.account_id and contact_id = old.id
    union select 'activity', activity_id from activity_contacts
      where account_id = old.account_id and contact_id = old.id
    union select 'note', note_id from note_contacts where account_id = old.account_id and contact_id = old.id
    union select 'email_draft', id from email_drafts where account_id = old.account_id and contact_id = old.id
    union select 'transcription', id from transcriptions where account_id = old.account_id and contact_id = old.id
  ), dirty as (
    insert into search_dirty as d (account_id, entity_type, entity_id, priority)
      select old.account_id, s.entity_type, s.id, 0 from showing s
      on conflict (account_id, entity_id) do update set priority = 0 where d.priority = 1
  )
  select array_agg(p.id) into shown from showing s
    join search_passages p on p.account_id = old.account_id and p.entity_id = s.id
    where strpos(p.context, old.full_name) > 0 or strpos(p.body, old.full_name) > 0;
  if shown is not null then
    perform search_take_out(old.account_id, shown);
  end if;
  return old;
end $$;
comment on function unindex_contact_name() is
  'Passages of other records that show the name of an erased contact leave the search index with it, and are indexed again without the name.';
-- A contact that has been in the trash for a day is no longer shown by any passage.
create trigger unindex_contact_name before delete on contacts for each row
  when (old.deleted_at is null or old.deleted_at > now() - interval '1 day')
  execute function unindex_contact_name();

create or replace function delete_account_index() returns trigger language plpgsql as $$
begin
  delete from search_words w using old_rows o where w.account_id = o.id;
  delete from search_vocabulary v using old_rows o where v.account_id = o.id;
  delete from search_trigrams t using old_rows o where t.account_id = o.id;
  return null;
end $$;
comment on function delete_account_index() is 'The words of an account leave the search index with the account.';
create trigger delete_account_index after delete on accounts referencing old table as old_rows
  for each statement execute function delete_account_index();

-- Only one transaction at a time can number vectors: this lock is taken before the rows get their numbers and released
-- after the commit. So when a number is visible to a reader, all smaller numbers are visible, too, and a reader that asks
-- for numbers above the last one it has read misses none.
-- Others wait little: a statement stores the vectors of 16 passages in a few milliseconds, after the model has taken
-- 100 to compute them.
create or replace function search_vector_order() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('search_vectors', 0));
  return null;
end $$;
comment on function search_vector_order() is 'Vectors are numbered in the order of their commits.';
create trigger search_vector_order before insert on search_vectors for each statement execute function search_vector_order();
