/**
 * The contents of files on records. The content of a file in the trash is stored until the purge, so that it can be
 * restored.
 */
import { sql } from 'kysely'
import { fileStore, inAccount } from '../../../kernel/file-store.ts'
import { unscoped } from '../../../kernel/statements.ts'

export const recordFiles = fileStore(
  'sweep record files',
  ({ recordFileDir }) => recordFileDir,
  (account, ids) => sql<{ id: string }>`select id from ${unscoped('files')}
    where ${inAccount(account)} and id = any(${ids}::uuid[])`,
)
