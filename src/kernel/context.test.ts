import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { contextOf, onBothEngines } from '../../test/support/service.ts'
import { query, transaction } from './context.ts'

const raise = (code: string) =>
  sql.raw(`do $$ begin raise exception using errcode = '${code}', message = 'raised by a test'; end $$`)

onBothEngines('transaction', account => {
  it('is retried after a conflict with another transaction', async () => {
    const ctx = contextOf(await account())
    for (const code of ['40001', '40P01']) {
      let attempts = 0
      const result = await transaction(ctx, async tx => {
        attempts++
        if (attempts < 3) await query(tx, raise(code))
        return 'done'
      })
      expect([code, attempts, result]).toEqual([code, 3, 'done'])
    }
  })

  it('fails after four such conflicts', async () => {
    const ctx = contextOf(await account())
    let attempts = 0
    const work = transaction(ctx, tx => {
      attempts++
      return query(tx, raise('40001'))
    })
    await expect(work).rejects.toMatchObject({ code: '40001' })
    expect(attempts).toBe(4)
  })

  it('is not retried after a unique violation', async () => {
    const ctx = contextOf(await account())
    let attempts = 0
    const work = transaction(ctx, tx => {
      attempts++
      return query(tx, raise('23505'))
    })
    await expect(work).rejects.toMatchObject({ code: '23505' })
    expect(attempts).toBe(1)
  })
})
