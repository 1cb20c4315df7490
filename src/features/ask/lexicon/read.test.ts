import { expect, it } from 'vitest'
import { readLexicon } from './read.ts'

it('reads what phrases mean', () => {
  const { phrases, words, numbers, timeWords } = readLexicon(
    'en',
    `
Or: or
verb deal status=won @closed_at: win,
  won
most deal.amount: largest
numbers: one = 1
times: letzt- = last
`,
  )
  expect(words).toEqual({ Or: ['or'] })
  const where = { field: 'status', op: 'eq', value: 'won' }
  const won = { entity: 'deal', where, isState: true, date: 'closed_at' }
  expect(phrases.get('won')).toEqual([{ category: 'Verb', meaning: won }])
  expect(phrases.get('the largest')?.[0]?.meaning).toEqual({
    field: { entity: 'deal', field: 'amount', type: 'money' },
    direction: 'desc',
  })
  expect([...numbers]).toEqual([['one', 1]])
  expect([...timeWords.keys()]).toEqual(['letzte', 'letzten', 'letzter', 'letztes', 'letztem'])
})

it.each([
  ['noun deals: deals', '"noun deals": no kind of record: deals'],
  ['state deal status~open: open', 'no condition: status~open'],
  ['plural deal: deals', 'unknown: plural'],
  ['Or: or,, nor', 'an empty phrase'],
  ['misspelt: ppl', 'no pair: ppl'],
  ['Or', 'an empty phrase'],
])('refuses %s', (table, message) => {
  expect(() => readLexicon('en', table)).toThrow(message)
})
