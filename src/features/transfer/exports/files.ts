/** The files of uploads and exports. */
import { sql } from 'kysely'
import { fileStore, inAccount } from '../../../kernel/file-store.ts'
import { unscoped } from '../../../kernel/statements.ts'

export const transferFiles = fileStore(
  'sweep files',
  ({ dir }) => dir,
  (account, ids) => sql<{ id: string }>`
    select id from ${unscoped('exports')} where ${inAccount(account)} and id = any(${ids}::uuid[])
      and deleted_at is null and coalesce(expires_at > now(), true)
    union all
    select id from ${unscoped('imports')} where ${inAccount(account)} and id = any(${ids}::uuid[])
      and deleted_at is null and expires_at > now()`,
)
