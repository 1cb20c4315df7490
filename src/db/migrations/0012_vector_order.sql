-- The order in which vectors were committed, so that a process that has an account's signs in memory reads only the
-- newer ones: see src/features/search/signs.ts.
alter table search_vectors add column seq bigint generated always as identity;
create index search_vectors_order on search_vectors (account_id, model, seq);
