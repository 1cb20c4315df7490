/** In which order the dates of a column are read, whatever its other cells are. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import { dateOrders } from './date-order.ts'
import { done, errorsOf, uploaded } from './testing.ts'

interface Case {
  cells: string[]
  days: (string | null)[]
  warning?: RegExp
}

const cases: Record<string, Case> = {
  'a text among them': {
    cells: ['03.04.2026', 'offen', '1.5.26', '31.12.2026'],
    days: ['2026-04-03', null, '2026-05-01', '2026-12-31'],
  },
  'a day that no month has': { cells: ['03.04.2026', '30.02.2026'], days: ['2026-04-03', null] },
  'dots, and slashes with the month first': {
    cells: ['03.04.2026', '4/13/2026'],
    days: ['2026-04-03', '2026-04-13'],
  },
  'one that can only have the day first': {
    cells: ['4/3/26', '31/12/2026', 'TBD'],
    days: ['2026-03-04', '2026-12-31', null],
  },
  'dates of ISO 8601': { cells: ['1970-12-24', '02/28/1980'], days: ['1970-12-24', '1980-02-28'] },
  'none that decides': {
    cells: ['04/03/2026', '05/05/2026'],
    days: ['2026-04-03', '2026-05-05'],
    warning: /^“04\/03\/2026” is read as MM\/DD\/YYYY: set options\.date_format/,
  },
  'some that contradict each other': {
    cells: ['4/3/2026', '31/12/2026', '30/11/2026', '12/31/2026'],
    days: ['2026-03-04', '2026-12-31', '2026-11-30', null],
    warning: /“4\/3\/2026” is read as DD\/MM\/YYYY/,
  },
}

async function daysOf(me: Account, cells: readonly string[], options: object = {}) {
  const file = `name,close date\n${cells.map((cell, i) => `${i},${cell}\n`).join('')}`
  const upload = await uploaded(me, file, {
    entity_type: 'deal',
    mapping: { 'close date': 'expected_close_date' },
    options: { duplicate_strategy: 'create', ...options },
  })
  const { operation_id } = await done(me, upload.id, 'start')
  const { items } = (
    await me.post('/api/query', {
      entity: 'deal',
      where: { field: 'operation_id', value: operation_id },
      page_size: 100,
    })
  ).body
  const byName = new Map(
    items.map((deal: { name: string; expected_close_date: string }) => [deal.name, deal.expected_close_date]),
  )
  return {
    upload,
    days: cells.map((_, i) => byName.get(String(i)) ?? null),
    errors: await errorsOf(me, upload.id),
  }
}

onAnyEngine('dates of an import', account => {
  it('are read by those that can be read in one order only', async () => {
    const me = await account()
    for (const [name, { cells, days, warning }] of Object.entries(cases)) {
      const read = await daysOf(me, cells)
      expect(read.days, name).toEqual(days)
      const messages = read.upload.warnings.map(({ message }: { message: string }) => message)
      expect(messages, name).toEqual(warning ? [expect.stringMatching(warning)] : [])
      expect(read.errors, name).toHaveLength(days.filter(day => day === null).length)
    }
  })

  it('are read as the message about them asks for, in a file of corrected rows as well', async () => {
    const me = await account()
    const { errors } = await daysOf(me, ['31/02/1980', '12/31/1980'])
    expect(errors[0].message).toMatch(/write it as 2026-01-31 \(here others are read as MM\/DD\/YYYY/)
    expect((await daysOf(me, ['1980-02-28'], { date_format: 'DD/MM/YYYY' })).days).toEqual(['1980-02-28'])
    expect((await daysOf(me, ['04.03.2026'], { date_format: 'MM.DD.YYYY' })).days).toEqual(['2026-04-03'])
  })
})

it('looks at every row of a file', () => {
  const orders = dateOrders()
  const add = (cell: string) => orders.add({ row: 1, cells: [cell], quoted: [] } as never)
  for (let i = 0; i < 5000; i++) add('04/03/2026')
  expect(orders.of(0, 'MDY')).toMatchObject({ date_format_from: 'assumed', ambiguous_date: '04/03/2026' })
  add('31/03/2026')
  expect(orders.of(0, 'MDY')).toEqual({
    ...{ date_format: 'DD/MM/YYYY', date_format_from: 'values', ambiguous_date: null },
  })
})
