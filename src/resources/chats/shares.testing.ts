/** Shares in tests. */
import { sql } from 'kysely'
import type { Account } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'

/** Lets a share expire, which cannot be created so. */
export const expire = ({ service }: Account, shareId: string) =>
  sql`update chat_shares set expires_at = '2020-01-01' where id = ${shareId}`.execute(
    systemDb(service.services),
  )
