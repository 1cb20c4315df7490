import { describe, expect, it } from 'vitest'
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

describe('a name of the question that a reading leaves out', () => {
  const isUnsure = (question: string, text: string, items: Item[] = []) =>
    isDoubtful(
      askedIn(question),
      items.map((_, i) => `@${i}`),
      items,
      text,
    )
  it.each([
    ['how many contacts have the job title Astronaut', 'number of contacts'],
    ['meetings with elon musk', 'list activities: type is meeting'],
    ['which companies in Atlantis are customers', 'list companies: status is customer'],
    ['our United States companies with a printer', 'list companies: Fiscal printer, country is Mexico'],
    ['Austria companies', 'list companies: country is Sweden'],
  ])('makes it unsure: %s', (question, text) => expect(isUnsure(question, text)).toBe(true))

  it.each([
    ['open deals in our pipeline in EUR', 'list deals: status is open'],
    ['is this one of our partners', 'whether there are companies: status is partner'],
    ['Austrian companies', 'list companies: country is Austria (Austrian)'],
  ])('does not where it is said, or names nothing: %s', (question, text) =>
    expect(isUnsure(question, text)).toBe(false),
  )

  it('does not where the reading names a record, and the account has the other name, too', () => {
    const zofia: Item = { ...HARNESS, entity: 'contact', said: 'zofia', text: 'contact Zofia Nowak' }
    const isUnsureOf = (mentioned: string[]) =>
      isDoubtful(
        askedIn('email of Zofia at Little Acorns?'),
        ['@0'],
        [zofia],
        'email of contacts: contact Zofia Nowak',
        mentioned,
      )
    expect(isUnsureOf([])).toBe(true)
    expect(isUnsureOf(['little', 'acorns', 'nursery'])).toBe(false)
  })

  it('is one for a field that the question does not speak of', () => {
    const item: Item = { ...HARNESS, entity: 'company', said: 'vatten syd', text: 'company Vatten Syd' }
    const asked = (field: string) =>
      isUnsure('when does the contract with Vatten Syd expire', `${field} of companies: company Vatten Syd`, [
        item,
      ])
    expect(asked('Customer since')).toBe(true)
    expect(asked('Contract end')).toBe(false)
  })
})
