-- The condition of an export, in the query language.
alter table exports add column "where" jsonb;
