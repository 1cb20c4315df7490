/** Many records checked at once, as an import does it. */
import { expect, it } from 'vitest'
import { type Account, onBothEngines } from '../../../test/support/service.ts'
import { type Ctx, contextFor } from '../../kernel/context.ts'
import { company } from '../companies/record.ts'
import { type CustomInput, prepareInputs } from './record-operations.ts'

/** A caller of the account whose statements are counted. */
function counting(on: Account): { ctx: Ctx; statements: () => number } {
  const { accountId, userId, service } = on
  const ctx = contextFor(service.services, {
    kind: 'user',
    id: userId,
    userId,
    accountId,
    role: 'owner',
    scopes: ['*'],
  })
  let count = 0
  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (name === 'getExecutor') count++
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ctx: { ...ctx, db }, statements: () => count }
}

onBothEngines('inputs prepared together', account => {
  it('take as many statements for a thousand as for one', async () => {
    const on = await account()
    const declare = (field: object) => on.create('/api/custom-fields', { entity_type: 'company', ...field })
    await declare({ name: 'Number', field_type: 'number', is_unique: true })
    await declare({ name: 'Owner', field_type: 'user' })
    await declare({ name: 'Partner', field_type: 'reference' })
    await declare({ name: 'Tier', field_type: 'text', default_value: 'basic' })
    const { id } = await on.create('/api/companies', { name: 'Partner', metadata: { number: -1 } })
    // once before counting, so that the definitions are known
    await on.create('/api/companies', { name: 'x' })

    const counts: number[] = []
    for (const [length, name] of [
      [1, 'one'],
      [1000, 'many'],
    ] as const) {
      const { ctx, statements } = counting(on)
      const inputs = Array.from({ length }, (_, i) => ({
        input: {
          name: `${i}`,
          metadata: { number: i, owner: on.userId, partner: id },
          categories: [`${name} ${i % 10}`, 'Both'],
        },
      }))
      const prepared = await prepareInputs(ctx, company, inputs)
      expect(prepared.every(({ issues, conflict }) => issues.length === 0 && conflict === undefined)).toBe(
        true,
      )
      expect(prepared.at(-1)!.input.metadata).toEqual({ ...inputs.at(-1)!.input.metadata, tier: 'basic' })
      counts.push(statements())
    }
    expect(counts[0]).toBeGreaterThan(3)
    expect(counts[1]).toBe(counts[0])
  })

  it('report the problem of each', async () => {
    const on = await account()
    await on.create('/api/custom-fields', {
      entity_type: 'company',
      name: 'Number',
      field_type: 'number',
      is_unique: true,
      is_required: true,
    })
    const taken = await on.create('/api/companies', { name: 'x', metadata: { number: 1 } })
    const { ctx } = counting(on)
    const write = (number: unknown, more: object = {}) => ({
      input: { name: 'x', metadata: { number }, categories: ['New', 'NEW'] },
      ...more,
    })
    const prepared = await prepareInputs<CustomInput>(ctx, company, [
      write(5),
      write('x'),
      write(1),
      write(5),
      write(1, { id: taken.id, before: { number: 1 } }),
      { input: { name: 'untouched' }, before: {} },
      { input: { name: 'new' } },
    ])
    const told = prepared.map(({ issues, conflict }) => issues[0]?.type ?? conflict?.split(' ')[0] ?? 'fine')
    expect(told).toEqual(['fine', 'float_parsing', 'The', 'Two', 'fine', 'fine', 'missing'])
    expect(prepared[0]!.input.categories).toEqual(['New'])
    expect(prepared[5]!.input).toEqual({ name: 'untouched' })
  })
})
