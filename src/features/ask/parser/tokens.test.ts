import { describe, expect, it } from 'vitest'
import { written } from '../testing/written.testing.ts'
import type { Meaning } from '../understand/meaning.ts'
import type { Item } from './items.ts'
import { readingOf } from './tokens.ts'

const NOW = new Date('2026-11-19T10:00:00Z')

const november = { from: '2026-11-01', to: '2026-12-01' }
const ITEMS: Item[] = [
  {
    kind: 'value',
    said: 'germany',
    text: 'company country Germany',
    entity: 'company',
    where: { field: 'country', op: 'eq', value: 'Germany' },
  },
  {
    kind: 'value',
    said: 'spain',
    text: 'company country Spain',
    entity: 'company',
    where: { field: 'country', op: 'eq', value: 'Spain' },
  },
  {
    kind: 'field',
    said: 'cabins',
    text: 'company Cabins, a number',
    field: { entity: 'company', field: 'cf.cabins', type: 'number' },
  },
  { kind: 'time', said: 'in november', text: 'in november', time: { past: november, future: november } },
  { kind: 'number', said: '5000', text: '5000', value: 5000 },
  {
    kind: 'value',
    said: 'float',
    text: 'company Glass Float',
    entity: 'company',
    where: { field: 'cf.glass', op: 'in', value: ['Float'] },
    only: { field: 'cf.glass', op: 'not_in', value: ['Tinted', 'Wired'] },
  },
  {
    kind: 'value',
    said: 'tinted',
    text: 'company Glass Tinted',
    entity: 'company',
    where: { field: 'cf.glass', op: 'in', value: ['Tinted'] },
    only: { field: 'cf.glass', op: 'not_in', value: ['Float', 'Wired'] },
  },
]
const german = { field: 'country', op: 'eq', value: 'Germany' } as const
const open = { field: 'status', op: 'eq', value: 'open' } as const
const list = { kind: 'list' } as const

const query = (of: Extract<Meaning, { kind: 'query' }>['query'], more: object = {}): Meaning => ({
  kind: 'query',
  query: of,
  ...more,
})

describe('tokens of a reading', () => {
  it.each<[string, Meaning]>([
    ['a count', query({ entity: 'company', where: german, measure: { kind: 'count' } })],
    [
      'the records of related ones',
      query({ entity: 'deal', where: { some: 'companies', where: german }, measure: list }),
    ],
    [
      'two conditions',
      query({ entity: 'company', where: { and: [german, { none: 'deals', where: open }] }, measure: list }),
    ],
    [
      'values of one field',
      query({
        entity: 'company',
        where: { field: 'country', op: 'in', value: ['Germany', 'Spain'] },
        measure: list,
      }),
    ],
    [
      'the only choices',
      query({
        entity: 'company',
        where: {
          and: [
            { field: 'cf.glass', op: 'in', value: ['Float'] },
            { field: 'cf.glass', op: 'in', value: ['Tinted'] },
            { field: 'cf.glass', op: 'not_in', value: ['Wired'] },
          ],
        },
        measure: list,
      }),
    ],
    ['what is not', query({ entity: 'company', where: { not: german }, measure: list })],
    [
      'a compared number',
      query({
        entity: 'deal',
        where: { field: 'amount', op: 'gt', value: 5000 },
        measure: { kind: 'sum', field: 'amount' },
      }),
    ],
    [
      'a small number that is not said in figures',
      query({
        entity: 'company',
        where: { count: 'deals', where: open, op: 'gte', value: 2 },
        measure: list,
      }),
    ],
    [
      'a time',
      query({
        entity: 'deal',
        where: {
          and: [
            { field: 'closed_at', op: 'gte', value: '2026-11-01' },
            { field: 'closed_at', op: 'lt', value: '2026-12-01' },
            { field: 'status', op: 'eq', value: 'won' },
          ],
        },
        measure: list,
      }),
    ],
    [
      'the day of a birthday',
      query({
        entity: 'contact',
        where: { field: 'birthday_day', op: 'gte', value: '11-19' },
        measure: list,
      }),
    ],
    [
      'today',
      query({
        entity: 'deal',
        where: { field: 'expected_close_date', op: 'lt', value: '2026-11-19' },
        measure: list,
      }),
    ],
    [
      'a declared field that is shown',
      query(
        { entity: 'company', where: german, measure: list },
        { show: { entity: 'company', field: 'cf.cabins', type: 'number' }, isEach: true },
      ),
    ],
    [
      'groups',
      query({
        entity: 'deal',
        measure: { kind: 'count' },
        group_by: [{ field: 'created_at', bucket: 'month' }],
        order: [{ by: 'measure', direction: 'desc' }],
        limit: 1,
      }),
    ],
    [
      'the second of an order',
      query({
        entity: 'company',
        measure: list,
        order: [{ by: 'cf.cabins', direction: 'desc' }],
        limit: 1,
        offset: 1,
      }),
    ],
    ['yes or no', query({ entity: 'company', where: german, measure: list }, { isYesNo: true })],
    [
      'every',
      {
        kind: 'every',
        set: { entity: 'company', where: german, measure: list },
        exceptions: { entity: 'company', where: { and: [german, { none: 'deals' }] }, measure: list },
      },
    ],
    [
      'a share',
      {
        kind: 'share',
        query: { entity: 'company', where: german, measure: { kind: 'count' } },
        whole: { entity: 'company', measure: { kind: 'count' } },
      },
    ],
  ])('say %s and are read back', (_, meaning) => {
    const tokens = written(meaning, ITEMS, NOW)
    expect(tokens).toBeInstanceOf(Array)
    expect(readingOf(tokens as string[], ITEMS, NOW)).toEqual(meaning)
  })

  it.each([
    [
      'a name that is no item',
      query({ entity: 'company', where: { field: 'city', op: 'eq', value: 'Ulm' }, measure: list }),
    ],
    [
      'a figure that is not said',
      query({ entity: 'deal', where: { field: 'amount', op: 'gt', value: 700 }, measure: list }),
    ],
  ])('cannot say %s', (_, meaning) => {
    expect(typeof written(meaning, ITEMS, NOW)).toBe('string')
  })

  it.each([
    ['nothing', []],
    ['no query', ['none']],
    ['an unfinished one', ['of deal']],
    ['an item that is not there', ['of company', 'list', '@9']],
    ['a number where a value belongs', ['of company', 'list', '@4']],
    ['a value where a field belongs', ['of deal', 'sum', '@0']],
    ['an open bracket', ['of deal', 'list', 'some companies', '@0']],
    ['more after its end', ['of deal', 'list', ')']],
    ['one side compared with itself', ['compare', 'of company', 'count', 'side', '@0', 'side', '@0']],
    ['an unknown word', ['of deal', 'list', '?']],
  ])('are no reading: %s', (_, tokens) => {
    expect(readingOf(tokens, ITEMS, NOW)).toBeUndefined()
  })
})
