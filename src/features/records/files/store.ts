/** The contents of files on records. Those in the trash stay until they are purged, so that they can be restored. */
import { sql } from 'kysely'
import { fileStore, inAccount } from '../../../kernel/file-store.ts'
import { unscoped } from '../../../kernel/statements.ts'

export const recordFiles = fileStore(
  'sweep record files',
  ({ recordFileDir }) => recordFileDir,
  (account, ids) => sql<{ id: string }>`select id from ${unscoped('files')}
    where ${inAccount(account)} and id = any(${ids}::uuid[])`,
)
