import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Condition, Measure, Query } from '../../records/query/spec.ts'
import { english, LEXICONS } from '../lexicon/index.ts'
import { account, NOW } from './account.testing.ts'
import { understand } from './index.ts'
import { normalQuery } from './normal.ts'
import { RULES } from './rules/index.ts'

interface Said {
  words: string
  where: Condition
}

const said = (words: string, where: Condition): Said => ({ words, where })
const is = (field: string, value: string): Condition => ({ field, op: 'eq', value })

/** States as the lexicon has them, before the noun. */
const states = (entity: string): Said[] =>
  [...english.phrases].flatMap(([words, entries]) =>
    entries.flatMap(({ category, meaning }) => {
      const state = meaning as { entity: string; where: Condition }
      const isOne = category === 'State' && state.entity === entity && /^[a-z]+$/.test(words)
      return isOne && !JSON.stringify(state.where).includes('$today') ? [said(words, state.where)] : []
    }),
  )

const ofCompany: Said[] = [
  ...['Germany', 'Norway', 'France'].map(country => said(`in ${country}`, is('country', country))),
  ...['Energy', 'Retail'].map(industry => said(`in ${industry}`, is('industry', industry))),
  said('with more than 50 employees', { field: 'employee_count', op: 'gt', value: 50 }),
  said('with at most 20 employees', { field: 'employee_count', op: 'lte', value: 20 }),
  said('without a website', { field: 'website', op: 'is_null', value: true }),
]
const KINDS: Record<string, { nouns: string[]; before: Said[]; after: Said[]; clauses: Said[] }> = {
  deal: {
    nouns: ['deals', 'opportunities'],
    before: states('deal').filter(({ words }) => ['open', 'won', 'lost', 'closed'].includes(words)),
    after: [
      said('over 10k', { field: 'amount', op: 'gt', value: 10_000 }),
      said('in Proposal', is('stage.name', 'Proposal')),
      said('not in Negotiation', { not: is('stage.name', 'Negotiation') }),
      said('owned by Ann Lee', is('owner.name', 'Ann Lee')),
      said('created last month', {
        and: [
          { field: 'created_at', op: 'gte', value: '2026-10-01' },
          { field: 'created_at', op: 'lt', value: '2026-11-01' },
        ],
      }),
    ],
    clauses: ofCompany.map(({ words, where }) => said(`at companies ${words}`, { some: 'companies', where })),
  },
  company: {
    nouns: ['companies', 'accounts'],
    before: [],
    after: ofCompany,
    clauses: [
      said('with open deals', { some: 'deals', where: is('status', 'open') }),
      said('without won deals', { none: 'deals', where: is('status', 'won') }),
      said('with more than 3 contacts', { count: 'contacts', op: 'gt', value: 3 }),
      said('with only lost deals', {
        and: [{ some: 'deals' }, { every: 'deals', where: is('status', 'lost') }],
      }),
    ],
  },
  contact: {
    nouns: ['contacts', 'people'],
    before: [],
    after: [
      said('in Norway', is('country', 'Norway')),
      said('without a phone number', { field: 'phone', op: 'is_null', value: true }),
      said('owned by Ann Lee', is('owner.name', 'Ann Lee')),
    ],
    clauses: ofCompany.map(({ words, where }) => said(`at companies ${words}`, { some: 'companies', where })),
  },
}

interface Head {
  words: (records: string) => string
  measure: Measure
  group?: string
}
const heads = (entity: string): Head[] => [
  { words: records => records, measure: { kind: 'list' } },
  { words: records => `which ${records}?`, measure: { kind: 'list' } },
  { words: records => `please show me all ${records}`, measure: { kind: 'list' } },
  { words: records => `how many ${records} are there`, measure: { kind: 'count' } },
  ...(entity === 'deal'
    ? [
        {
          words: (records: string) => `total value of ${records}`,
          measure: { kind: 'sum', field: 'amount' } as const,
        },
        {
          words: (records: string) => `median amount of ${records}`,
          measure: { kind: 'median', field: 'amount' } as const,
        },
        {
          words: (records: string) => `how many ${records} per stage`,
          measure: { kind: 'count' } as const,
          group: 'stage.name',
        },
      ]
    : []),
]

const question = fc.constantFrom(...Object.keys(KINDS)).chain(entity => {
  const { nouns, before, after, clauses } = KINDS[entity]!
  const some = (list: Said[], maxLength: number) =>
    list.length === 0 ? fc.constant([]) : fc.subarray(list, { maxLength })
  return (
    fc
      .tuple(
        fc.constantFrom(...heads(entity)),
        fc.constantFrom(...nouns),
        some(before, 1),
        some(after, 2),
        some(clauses, 1),
      )
      .map(([head, noun, first, then, last]) => {
        const parts = [...first, ...then, ...last]
        const records = [
          ...first.map(({ words }) => words),
          noun,
          ...[...then, ...last].map(({ words }) => words),
        ].join(' ')
        const where = parts.length === 0 ? {} : { where: { and: parts.map(part => part.where) } }
        const query: Query = {
          entity,
          ...where,
          measure: head.measure,
          ...(head.group ? { group_by: [{ field: head.group }] } : {}),
        }
        return {
          text: head.words(records),
          query,
          fields: then.map(part => JSON.stringify(part.where).match(/"field":"(\w+)/)?.[1]),
        }
      })
      // two values of one field exclude each other, so that is not what is meant
      .filter(({ fields }) => new Set(fields).size === fields.length)
  )
})

it('reads back every query that it can say', () => {
  fc.assert(
    fc.property(question, ({ text, query }) => {
      const understood = understand(text, account, NOW)
      expect(understood?.meaning, text).toMatchObject({ kind: 'query', query: normalQuery(query) })
      expect(understood?.alternatives, text).toEqual([])
    }),
    { numRuns: 300, seed: 14 },
  )
})

it('has words for every category that a rule uses', () => {
  const made = new Set([
    ...RULES.map(({ category }) => category),
    ...LEXICONS.flatMap(({ words }) => Object.keys(words)),
  ])
  const leaves =
    'Noun Field State Verb Dated Touch Bucket Direction Superlative Value Number Time Month Reason Because These'.split(
      ' ',
    )
  const used = new Set(RULES.flatMap(({ parts }) => parts))
  expect([...used].filter(category => !made.has(category) && !leaves.includes(category))).toEqual([])
})
