/**
 * `Idempotency-Key`: the answer is stored in the transaction of the write, so both are committed or
 * neither is, and a repeat can neither write twice nor find a partial result.
 */
import type { FastifyRequest } from 'fastify'
import { type Ctx, transaction } from '../kernel/context.ts'
import { errors } from '../kernel/errors.ts'
import { requestHash, storedResponse, storeResponse } from '../kernel/replay.ts'
import type { ApiRequest } from '../kernel/resource.ts'
import type { Outcome } from './outcome.ts'

export async function once(
  ctx: Ctx,
  key: string,
  request: FastifyRequest,
  call: ApiRequest,
  run: (tx: Ctx) => Promise<Outcome>,
): Promise<Outcome> {
  // The handler reads an upload later, so here only its length identifies it.
  const content = Buffer.isBuffer(request.body)
    ? JSON.stringify(call.body ?? null)
    : (request.headers['content-length'] ?? '')
  const hash = requestHash(request.method, request.url, content)
  return transaction(ctx, async tx => {
    const replay = await storedResponse(tx, key, hash)
    if (replay) return { ...replay, headers: { ...replay.headers, 'idempotency-replayed': 'true' } }
    const outcome = await run(tx)
    const { status, headers } = outcome
    const answer = outcome.stored ?? outcome.body
    const body = Buffer.isBuffer(answer) ? answer.toString() : answer
    if (typeof body !== 'string') throw errors.conflict('This request cannot take an Idempotency-Key')
    await storeResponse(tx, key, hash, { status, headers, body })
    return outcome
  })
}
