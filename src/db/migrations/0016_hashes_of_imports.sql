-- The SHA-256 of the uploaded file, by which a second import of the same file is noticed. Older imports have none.
alter table imports add column file_hash text;
create index imports_hash on imports (account_id, file_hash) where file_hash is not null;
