/** For tests of the search: starts an indexer and waits for it. */
import { sql } from 'kysely'
import { waitFor } from '../../../test/support/process.ts'
import { type Account, type EngineKind, serviceOn } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'
import { type Indexer, startIndexer } from './indexer.ts'

/** Starts the indexer at the end of the journal, so that it skips the records of earlier tests. */
export async function beginHere(kind: EngineKind): Promise<Indexer> {
  const { service } = await serviceOn(kind)
  await sql`update search_feed set xid = pg_snapshot_xmin(pg_current_snapshot()), seq = 0`.execute(
    systemDb(service.services),
  )
  return startIndexer(service.services)
}

/** Waits until everything written so far can be found. */
export async function indexed(account: Pick<Account, 'get'>, withVectors = false): Promise<void> {
  await waitFor(async () => {
    const { body } = await account.get('/api/search/status')
    return body.status === 'ready' && (!withVectors || body.embeddings.pending === 0)
  })
}

export const names = (answer: { body: { items: { name: string }[] } }) =>
  answer.body.items.map(item => item.name)

export const search = (account: Account, query: string, more: object = {}) =>
  account.post('/api/search', { query, ...more })

export const ask = (account: Account, question: string) => account.post('/api/search/ask', { question })

/** The number of rows in all tables of the index that contain a text. */
export async function traces(account: Account, text: string): Promise<number> {
  const word = text.toLowerCase()
  const { rows } = await sql<{ count: number }>`select
      (select count(*) from search_passages p where p.account_id = ${account.accountId} and (
        strpos(lower(p.name || p.body || p.context), ${word}) > 0 or exists (
          select from unnest(p.words) w where strpos(w, ${word}) > 0)))
      + (select count(*) from search_words w where w.account_id = ${account.accountId} and strpos(w.word, ${word}) > 0)
      + (select count(*) from search_vocabulary w
        where w.account_id = ${account.accountId} and strpos(w.word, ${word}) > 0)
      + (select count(*) from search_trigrams w
        where w.account_id = ${account.accountId} and strpos(w.word, ${word}) > 0) as count`.execute(
    systemDb(account.service.services),
  )
  return rows[0]!.count
}
