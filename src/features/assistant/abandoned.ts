import { sql } from 'kysely'
import { type Ctx, query, type Services, systemDb, transaction } from '../../kernel/context.ts'
import { deleteRows, unscoped } from '../../kernel/statements.ts'
import { type Abandoned, cutMetadata, writeEnding } from './answer-store.ts'

/** Ends answers whose process has died, with their text so far. `all`: no other process can be answering. */
export async function closeAbandoned(services: Services, all: boolean): Promise<void> {
  const abandoned = await query(
    { db: systemDb(services) },
    sql<{ account_id: string; message_id: string }>`select a.account_id, a.message_id
      from ${unscoped('chat_answers')} a where ${all ? sql`true` : sql`a.held_until < now()`} limit 500`,
  )
  for (const { account_id, message_id } of abandoned) {
    const ctx = serviceIn(services, account_id)
    const closed = await transaction(ctx, async tx => {
      const [answer] = await deleteRows(
        tx,
        'chat_answers',
        sql`r.message_id = ${message_id} and ${all ? sql`true` : sql`r.held_until < now()`}`,
        sql<Abandoned>`r.said, r.progress`,
      )
      if (!answer) return false
      const { tools = [], citations = [] } = answer.progress
      const metadata = { ...cutMetadata('interrupted'), tools, citations }
      await writeEnding(tx, message_id, { content: answer.said, metadata })
      return true
    })
    if (closed)
      services.log.warn({ message: message_id }, 'the process of an answer has died: the answer is cut short')
  }
}

/** The context of the service itself in an account. */
const serviceIn = (services: Services, accountId: string): Ctx => ({
  services,
  account: accountId,
  user: '',
  caller: { kind: 'job', id: '', userId: '', accountId, role: 'owner', scopes: [] },
  db: services.engine.as({ accountId, actorKind: 'system', actorId: null, userId: null }),
  inTransaction: false,
})

/** The embedded database has one process, so an abandoned answer there is one that could not be stored. */
const EMBEDDED_POLL_MS = 60_000

/** Ends abandoned answers at the start, and then in intervals. */
export async function watchAnswers(services: Services): Promise<{ stop(): void }> {
  const isEmbedded = services.engine.kind === 'embedded'
  await closeAbandoned(services, isEmbedded)
  const timer = setInterval(
    () => {
      closeAbandoned(services, false).catch(error =>
        services.log.warn({ err: error }, 'abandoned answers could not be closed'),
      )
    },
    isEmbedded ? EMBEDDED_POLL_MS : services.config.jobs.leaseMs,
  ).unref()
  return { stop: () => clearInterval(timer) }
}
