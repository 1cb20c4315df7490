/** Stores responses under an `Idempotency-Key`, so that a repeated request gets the first response. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Ctx, queryOne, transaction } from './context.ts'
import type { ApiRequest } from './endpoint.ts'
import { errors, HttpError } from './errors.ts'
import { jsonReply, type Reply } from './reply.ts'
import { insertRows, rows } from './statements.ts'

export const STORED_HOURS = 24

export interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}

const scopeOf = (ctx: Ctx, key: string) => `${ctx.caller.id} ${key}`

/**
 * The stored response for this request. The key is locked until the transaction ends, so that a concurrent repeat is
 * detected.
 */
export async function storedResponse(
  tx: Ctx,
  key: string,
  hash: Buffer,
): Promise<StoredResponse | undefined> {
  if (key.length < 1 || key.length > 255) {
    throw errors.invalidValue(['header', 'idempotency-key'], 'the key must have 1 to 255 characters', key)
  }
  const lock = await queryOne(
    tx,
    sql<{
      free: boolean
    }>`select pg_try_advisory_xact_lock(hashtextextended(${`${tx.account} ${scopeOf(tx, key)}`}, 0)) as free`,
  )
  if (!lock?.free) throw errors.conflict('A request with this Idempotency-Key is still being worked on')
  const stored = await queryOne(
    tx,
    sql<StoredResponse & { request_hash: Buffer }>`
      select k.request_hash, k.status, k.headers, k.body from ${rows(tx, 'idempotency_keys')} k
      where k.scope = ${scopeOf(tx, key)} and k.created_at > now() - make_interval(hours => ${STORED_HOURS})`,
  )
  if (stored && !stored.request_hash.equals(hash)) {
    throw errors.invalidValue(['header', 'idempotency-key'], 'this key was used for another request', key)
  }
  return stored && { status: stored.status, headers: stored.headers, body: stored.body }
}

export async function storeResponse(
  tx: Ctx,
  key: string,
  hash: Buffer,
  stored: StoredResponse,
): Promise<void> {
  const { status, headers, body } = stored
  await insertRows(
    tx,
    'idempotency_keys',
    [{ scope: scopeOf(tx, key), request_hash: hash, status, headers, body }],
    {
      onConflict: sql`(account_id, scope) do update set request_hash = excluded.request_hash,
        status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = now()`,
    },
  )
}

/** Two requests with the same hash are the same request; `content` is the body or a digest of it. */
export const requestHash = (method: string, url: string, content: string): Buffer =>
  createHash('sha256').update(`${method} ${url}\n`).update(content).digest()

/** The hash of this request. An upload is identified by its length, because its content has not been read yet. */
export const hashOf = ({ raw, body }: Pick<ApiRequest, 'raw' | 'body'>): Buffer =>
  requestHash(
    raw.method ?? '',
    raw.url ?? '',
    body === undefined ? (raw.headers['content-length'] ?? '') : JSON.stringify(body),
  )

/** Work that waits for something slow (an upload, a model) before it writes. */
export interface Waiting<P, Answer> {
  wait(): Promise<P>
  write(tx: Ctx, result: P): Promise<Answer>
  /**
   * Cleans up the result of `wait` when it is not used: the write failed, or a request with the same key finished
   * first.
   */
  discard?(result: P): Promise<unknown>
  /** the response status; default 201 */
  status?(answer: Answer): number
}

/**
 * No transaction is open while it waits. It looks for a stored response first, and stores the response in the
 * transaction of the write.
 */
export async function onceAfter<P, Answer>(
  ctx: Ctx,
  request: Pick<ApiRequest, 'header' | 'raw' | 'body'>,
  work: Waiting<P, Answer>,
): Promise<Reply> {
  const key = request.header('idempotency-key')
  const hash = hashOf(request)
  const replayed = async (tx: Ctx) => {
    const stored = key === undefined ? undefined : await storedResponse(tx, key, hash)
    return stored && jsonReply(JSON.parse(stored.body), { 'idempotency-replayed': 'true' }, stored.status)
  }
  const before = key === undefined ? undefined : await transaction(ctx, replayed)
  if (before) return before
  const result = await work.wait()
  try {
    const { reply, isReplay } = await transaction(ctx, async tx => {
      const meanwhile = await replayed(tx)
      if (meanwhile) return { reply: meanwhile, isReplay: true }
      const answer = await work.write(tx, result)
      const status = work.status?.(answer) ?? 201
      if (key !== undefined)
        await storeResponse(tx, key, hash, { status, headers: {}, body: JSON.stringify(answer) })
      return { reply: jsonReply(answer, {}, status), isReplay: false }
    })
    if (isReplay) await work.discard?.(result)
    return reply
  } catch (error) {
    // After a lost connection it is unknown whether the write was committed.
    if (error instanceof HttpError) await work.discard?.(result)
    throw error
  }
}
