-- Blocks of 8 records instead of 64 (decision 34): a segment of 8,192 records has 1,024 blocks. The index is built again
-- in the background; until then lists read all texts.
delete from search_text_segments;
delete from search_text_progress;
alter table search_text_masks
  alter column blocks drop default,
  alter column blocks type bit(1024) using b'0'::bit(1024),
  alter column blocks set default b'0'::bit(1024);
