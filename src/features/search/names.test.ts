import { expect, it } from 'vitest'
import type { FoundPassage } from './load.ts'
import { aboutNames, namesIn } from './names.ts'
import { wordsOf } from './words.ts'

const namesOf = (question: string) => namesIn(question, termsOf(question)).map(({ word }) => word)
const termsOf = (question: string) =>
  wordsOf(question).map(word => ({ word, matches: new Map([[word, 1]]), idf: 1 }))

it('takes no word for a name because a sentence begins with it', () => {
  expect(namesOf('A client cancels halfway. Besides the work done, what do we charge?')).toEqual([])
  expect(namesOf('Is the lift insured? Repairs are due.')).toEqual([])
  expect(namesOf('Quick one - Opening hours of the depot?')).toEqual([])
  expect(namesOf('What did Dr. Haller ask for?')).toContain('haller')
  expect(namesOf('The lift broke. Haller Bau asked who pays')).toEqual(['haller', 'bau'])
})

it('takes no amount for a name', () => {
  expect(namesOf('who signs off orders over 20k within 24h')).toEqual([])
  expect(namesOf('leak in the TX40 at the depot')).toEqual(['tx40'])
})

const passage = (one: Partial<FoundPassage>) => ({
  passage: { name: '', body: '', context: '', written: true, ...one } as FoundPassage,
})

it('finds the texts of a company by its address', () => {
  const company = passage({ name: 'Mikawa College', body: 'Location: Nagoya, Japan', written: false })
  const note = passage({ body: 'They bought from Chubu.', context: 'Kenji Morita · Mikawa College' })
  const other = passage({ body: 'They bought from us.', context: 'Osaka Foods' })
  expect(aboutNames([note, other, company], termsOf('nagoya'))).toEqual([note, company])
})
