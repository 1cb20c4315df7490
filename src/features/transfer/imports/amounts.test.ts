/** Sums in files: read exactly with their unit, or refused with the reason. */
import { expect, it } from 'vitest'
import { onAnyEngine } from '../../../../test/support/service.ts'
import { errorsOf, imported, uploaded } from './testing.ts'

const file = (head: string, ...rows: string[]) => `${[head, ...rows].join('\n')}\n`

onAnyEngine('amounts in imports', account => {
  it('reads scales and currencies, and refuses what is not exactly a number', async () => {
    const me = await account()
    const sums: [cell: string, amount: number, currency: string][] = [
      ['1.2M', 1_200_000, 'USD'],
      ['10k', 10_000, 'USD'],
      ['$1.5 billion', 1_500_000_000, 'USD'],
      ['3 Mio', 3_000_000, 'USD'],
      ['€2 Mrd', 2_000_000_000, 'EUR'],
      ['CHF 1200.50', 1200.5, 'CHF'],
    ]
    const refused: [cell: string, reason: string][] = [
      ['ca. 500', 'approximate'],
      ['5%', 'percentage'],
      ['A1', 'not a number'],
      ['10-50', 'range'],
      ['kr 500', 'options.currency'],
    ]
    const rows = [...sums, ...refused].map(([cell], i) => `Deal ${i},"${cell}"`)
    const result = await imported(me, file('name,amount', ...rows), { entity_type: 'deal' })
    expect(result).toMatchObject({ created_count: sums.length, error_count: refused.length })
    const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
    expect(items.map((deal: Record<string, unknown>) => [deal.amount, deal.currency])).toEqual(
      sums.map(([, amount, currency]) => [amount, currency]),
    )
    const errors = await errorsOf(me, result.id)
    expect(errors).toMatchObject(
      refused.map(([value, reason], i) => ({
        row: sums.length + 2 + i,
        column: 'amount',
        field: 'amount',
        value,
        message: expect.stringContaining(reason),
      })),
    )
    // JSON takes plain numbers, and names the one that the import reads.
    for (const [cell, amount] of sums) {
      const answer = await me.post('/api/deals', { name: 'x', amount: cell })
      expect([answer.status, answer.body.detail[0].msg]).toEqual([
        422,
        `Input should be a valid number, unable to parse string as a number; write it as ${amount}`,
      ])
    }
    // What the import refuses, the interface refuses, too.
    for (const [amount] of refused) {
      expect((await me.post('/api/deals', { name: 'x', amount })).status).toBe(422)
    }
  })

  it('takes the currency of its column before the sign in the amount, and refuses a contradiction', async () => {
    const me = await account()
    const rows = ['A,€ 5,EUR', 'B,€ 5,USD', 'C,$5,CAD', 'D,5,', 'E,kr 5,']
    const result = await imported(me, file('name,amount,currency', ...rows), {
      entity_type: 'deal',
      options: { currency: 'nok' },
    })
    expect(result).toMatchObject({ created_count: 4, error_count: 1 })
    expect(await errorsOf(me, result.id)).toMatchObject([{ row: 3, message: expect.stringContaining('USD') }])
    const { items } = (await me.get('/api/deals?sort_by=name&sort_order=asc')).body
    expect(items.map((deal: { currency: string }) => deal.currency)).toEqual(['EUR', 'CAD', 'NOK', 'NOK'])
  })

  it.each([
    ['a German column', ';', ['1.234', '1.234,50', '12'], [1234, 1234.5, 12]],
    ['an English column', ',', ['"1,234"', '1234.50', '1.5'], [1234, 1234.5, 1.5]],
    ['a column with both', ';', ['1.234,5', '1,234.5', '1.234'], [1234.5, 1234.5, null]],
  ] as const)('reads the separators of %s', async (_, delimiter, cells, values) => {
    const me = await account()
    const rows = cells.map((cell, i) => `Company ${i}${delimiter}${cell}`)
    const result = await imported(me, file(`name${delimiter}annual_revenue`, ...rows), {
      entity_type: 'company',
    })
    const good = values.filter(value => value !== null)
    expect(result).toMatchObject({
      created_count: good.length,
      error_count: values.length - good.length,
    })
    const { items } = (await me.get('/api/companies?sort_by=name&sort_order=asc')).body
    expect(items.map((company: { annual_revenue: number }) => company.annual_revenue)).toEqual(good)
    for (const { message } of await errorsOf(me, result.id)) expect(message).toContain('decimal_separator')
  })

  it('does not take codes and addresses for numbers', async () => {
    const me = await account()
    const found = await uploaded(me, file('Code,Site,Share', 'A1,zz1.example,5%', 'B2,zz2.example,6%'), {
      entity_type: 'company',
    })
    expect(found.columns.map((column: { inferred_type: string }) => column.inferred_type)).toEqual([
      'text',
      'text',
      'text',
    ])
  })

  it('maps a column that has the name of a field, and reports every error of a row', async () => {
    const me = await account()
    const rows = ['A,secret,x', 'B,unknown,7', 'C,1.2M,8']
    const found = await uploaded(me, file('name,annual_revenue,employee_count', ...rows), {
      entity_type: 'company',
    })
    expect(found.mapping.annual_revenue).toBe('annual_revenue')
    const result = await imported(me, file('name,annual_revenue,employee_count', ...rows), {
      entity_type: 'company',
    })
    expect(result).toMatchObject({ created_count: 1, error_count: 2 })
    expect(await errorsOf(me, result.id)).toMatchObject([
      { row: 2, column: 'annual_revenue' },
      { row: 2, column: 'employee_count' },
      { row: 3, column: 'annual_revenue', message: '“unknown” is not a number' },
    ])
  })
})
