import { describe, expect, it } from 'vitest'
import type { Query } from '../../records/query/spec.ts'
import { fieldAnswer } from './field.ts'
import { type Answering, shown } from './format.ts'

const OWNER = { entity: 'deal', field: 'owner.name', type: 'text' } as const
const owned = (...owners: (string | null)[]): Answering => ({
  nameOf: () => undefined,
  labelOf: () => undefined,
  say: words => words,
  run: async ({ entity }) => ({
    entity,
    total: owners.length,
    items: owners.map((_, i) => ({ id: `d${i}`, name: `Deal ${i}`, updated_at: '' })),
    cells: owners.map(owner => ({ 'owner.name': owner })),
  }),
})
const NAMED: Query = { entity: 'deal', where: { field: 'id', op: 'in', value: ['d0'] } }
const OF_COMPANY: Query = {
  entity: 'deal',
  where: { some: 'companies', where: { field: 'id', op: 'in', value: ['c0'] } },
}

describe('the owner of records', () => {
  it('is nobody for a deal that is named', async () => {
    expect(await fieldAnswer(owned(null), NAMED, OWNER, false)).toMatchObject({
      grounded: true,
      answer: 'Deal 0: nobody [1].',
    })
  })

  it('is not known of a company where nobody owns its deals', async () => {
    expect((await fieldAnswer(owned(null, null), OF_COMPANY, OWNER, false)).grounded).toBe(false)
    expect((await fieldAnswer(owned(null, 'Mia'), OF_COMPANY, OWNER, false)).grounded).toBe(true)
  })
})

describe('the value of a field', () => {
  it('is yes or no where it is a flag of one record', async () => {
    const show = { entity: 'deal', field: 'cf.signed', type: 'flag' } as const
    // a custom field is a list of texts
    const signed = (...values: (boolean | string[])[]): Answering => ({
      ...owned(...values.map(() => null)),
      run: async ({ entity }) => ({
        entity,
        total: values.length,
        items: values.map((_, i) => ({ id: `d${i}`, name: `Deal ${i}`, updated_at: '' })),
        cells: values.map(value => ({ 'cf.signed': value })),
      }),
    })
    const answerTo = async (...values: (boolean | string[])[]) =>
      (await fieldAnswer(signed(...values), NAMED, show, false)).answer
    expect(await answerTo(true)).toMatch(/^Yes, Deal 0: /)
    expect(await answerTo(false)).toMatch(/^No, Deal 0: /)
    expect(await answerTo(['true'])).toMatch(/^Yes, Deal 0: /)
    expect(await answerTo(['false'])).toMatch(/^No, Deal 0: /)
    expect(await answerTo(true, false)).toMatch(/^Deal 0: /)
  })

  it('is not known where none of several choices was chosen', () => {
    expect(shown('cf.school_type', [], {})).toBeUndefined()
    expect(shown('cf.school_type', ['Primary', 'Diocese'], {})).toBe('Primary, Diocese')
  })
})
