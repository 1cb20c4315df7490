-- How often records came or went otherwise than by being created, so that high page numbers are found again although
-- counts are merged: see src/kernel/deep-pages.ts.
alter table record_counts add column moves bigint not null default 0;
alter table record_counts drop constraint record_counts_pkey;
alter table record_counts add primary key (account_id, kind, id) include (living, trashed, moves);
-- count_step() has one more parameter.
drop function if exists count_step(uuid, text, bigint, bigint);

-- The number of the journal up to which the segment has every change, because its texts were read later: see
-- src/db/text-index/catch-up.ts.
alter table search_text_segments add column read_after bigint not null default 0;
