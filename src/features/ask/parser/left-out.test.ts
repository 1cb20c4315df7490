import { expect, it } from 'vitest'
import { isContradiction } from '../understand/normal.ts'
import type { Item } from './items.ts'
import { askedIn, isDoubtful, isOfOthers } from './left-out.ts'

const HARNESS: Item = {
  kind: 'value',
  entity: 'product',
  said: 'harness',
  text: 'product Summit Rescue Harness',
  where: { field: 'id', op: 'eq', value: 'x' },
}
const PRICE = 'price of products: product Summit Rescue Harness'

it('is not sure of a product that is named in part where something else is asked', () => {
  const isUnsure = (question: string, said: string) =>
    isDoubtful(askedIn(question), ['of product', '@0'], [{ ...HARNESS, said }], PRICE)
  expect(isUnsure('what do we charge for checking one harness', 'harness')).toBe(true)
  expect(isUnsure('what does the calibration of the rescue harness cost', 'rescue harness')).toBe(true)
  expect(isUnsure('what do we charge for one harness', 'harness')).toBe(false)
  expect(isUnsure('price of the summit rescue harness', 'summit rescue harness')).toBe(false)
})

it('leaves out readings without the role that is asked for', () => {
  const isOther = (text: string) =>
    isOfOthers(askedIn('who is the main contact of Acme'), ['@0'], [{ ...HARNESS, said: 'acme' }], text)
  expect(isOther('list contacts: company Acme')).toBe(true)
  expect(isOther('primary contact of companies: company Acme')).toBe(false)
})

it('takes a share of what the whole excludes for a contradiction', () => {
  const won = { field: 'status', op: 'eq', value: 'won' } as const
  const renewal = { field: 'deal_type', op: 'eq', value: 'renewal' } as const
  const share = (...whole: ({ not: typeof renewal } | typeof won)[]) =>
    isContradiction({
      kind: 'share',
      query: { entity: 'deal', where: { and: [won, renewal] } },
      whole: { entity: 'deal', where: { and: whole } },
    })
  expect(share(won)).toBe(false)
  expect(share(won, { not: renewal })).toBe(true)
  expect(
    isContradiction({ kind: 'query', query: { entity: 'deal', where: { and: [won, { not: won }] } } }),
  ).toBe(true)
})
