import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { contextOf, engines, newAccount } from '../../test/support/service.ts'
import { query } from './context.ts'
import { asOperationInSteps } from './operation.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

describe.runIf(engines.includes('embedded'))('an operation in steps (embedded)', () => {
  it('serves the requests of others between its transactions', async () => {
    const [me, other] = [await newAccount('embedded'), await newAccount('embedded')]
    const ctx = contextOf(me)
    let steps = 0
    let answeredAfter: number | undefined
    const write = async (tx: typeof ctx, some: readonly number[]) => {
      if (++steps === 1) {
        other.get('/api/companies').then(() => {
          answeredAfter = steps
        })
        await expect.poll(() => ctx.services.engine.stats().waiting).toBeGreaterThan(0)
      }
      await query(tx, sql`select 1`)
      return [...some]
    }
    const { results } = await asOperationInSteps(ctx, 'batch', 'company', numbers(3000), write, () => true)
    expect(results).toEqual(numbers(3000))
    expect(answeredAfter).toBeLessThan(steps)
  })

  it('returns what was written before a step that fails, and counts it', async () => {
    const me = await newAccount('embedded')
    const ctx = contextOf(me)
    let steps = 0
    const write = async (_: typeof ctx, some: readonly number[]) => {
      if (++steps === 3) throw new Error('lost')
      return [...some]
    }
    const run = (count: number) =>
      asOperationInSteps(ctx, 'batch', 'company', numbers(count), write, n => n !== 7)
    const { operationId, results, failure } = await run(200)
    expect(failure).toMatchObject({ message: 'lost' })
    expect(results).toEqual(numbers(results.length))
    expect(results.length).toBeGreaterThan(20)
    const [operation] = (await me.get('/api/operations')).body.items
    expect(operation).toMatchObject({ id: operationId, record_count: results.length - 1 })
    steps = 2
    await expect(run(5)).rejects.toThrow('lost')
  })
})
