/**
 * `Idempotency-Key`: the answer is stored in the transaction of the write itself, so a write and its answer
 * stand or fall together and a repeat can neither write twice nor find half of it.
 */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Ctx, query, queryOne, transaction } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import type { ApiRequest } from '../kernel/resource.ts'
import { insertRows, rows } from '../kernel/statements.ts'
import type { Outcome } from './outcome.ts'

export const KEPT_HOURS = 24

export async function once(
  ctx: Ctx,
  key: string,
  request: FastifyRequest,
  call: ApiRequest,
  run: (tx: Ctx) => Promise<Outcome>,
): Promise<Outcome> {
  if (key.length < 1 || key.length > 255) {
    throw errors.invalidValue(['header', 'idempotency-key'], 'the key must have 1 to 255 characters', key)
  }
  const scope = `${ctx.caller.id} ${key}`
  const hash = requestHash(request, call)
  return transaction(ctx, async tx => {
    // Held until the transaction ends: a second request with the key meets it while this one is at work.
    const lock = await queryOne(
      tx,
      sql<{
        free: boolean
      }>`select pg_try_advisory_xact_lock(hashtextextended(${`${ctx.account} ${scope}`}, 0)) as free`,
    )
    if (!lock?.free) throw errors.conflict('A request with this Idempotency-Key is still being worked on')
    const [stored] = await query(
      tx,
      sql<{ request_hash: Buffer; status: number; headers: Record<string, string>; body: string }>`
        select k.request_hash, k.status, k.headers, k.body from ${rows(tx, 'idempotency_keys')} k
        where k.scope = ${scope} and k.created_at > now() - make_interval(hours => ${KEPT_HOURS})`,
    )
    if (stored) {
      if (!stored.request_hash.equals(hash)) {
        throw errors.invalidValue(['header', 'idempotency-key'], 'this key was used for another request', key)
      }
      return {
        status: stored.status,
        headers: { ...stored.headers, 'idempotency-replayed': 'true' },
        body: stored.body,
      }
    }
    const outcome = await run(tx)
    const { status, headers } = outcome
    const body = outcome.kept ?? outcome.body
    if (typeof body !== 'string') throw errors.conflict('This request cannot take an Idempotency-Key')
    await insertRows(tx, 'idempotency_keys', [{ scope, request_hash: hash, status, headers, body }], {
      onConflict: sql`(account_id, scope) do update set request_hash = excluded.request_hash,
        status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = now()`,
    })
    return outcome
  })
}

function requestHash(request: FastifyRequest, call: ApiRequest): Buffer {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`)
  // An upload is read by its handler; its length and boundary-free headers must do.
  hash.update(
    Buffer.isBuffer(request.body)
      ? JSON.stringify(call.body ?? null)
      : (request.headers['content-length'] ?? ''),
  )
  return hash.digest()
}
