import { expect, it } from 'vitest'
import { fold } from '../../search/words.ts'
import { capitalsIn, mayName } from '../account/common-words.ts'
import { asksFor, isSpokenOf, speaksOf } from './about-data.ts'

it.each([
  ['how many purple deals are open', 'figure'],
  ['average commission per deal', 'figure'],
  ['what percentage of deals did we lose', 'figure'],
  ['which deals involve a reseller', 'list'],
  ['open deals without a plan', 'list'],
  ['how many people take part in the yarrow pilot', undefined],
  ['how many vessels is mistral adding', undefined],
  ['what did the customers say about pricing', undefined],
  ['missed appointments problem', undefined],
])('knows what is about the data: %s', (question, kind) => {
  expect(asksFor(question)?.kind).toBe(kind)
})

it('takes what a record says for an answer about the data only if it speaks of what was not understood', () => {
  const [figure, list] = [{ kind: 'figure', of: ['deals'] } as const, { kind: 'list', of: [] } as const]
  expect(speaksOf('Opening four new outlets, wants pricing that grows.', ['purple'], figure)).toBe(false)
  expect(speaksOf('They run two purple deals a year.', ['purple'], figure)).toBe(true)
  expect(speaksOf('They use Okta.', ['use', 'sap'], list)).toBe(false)
  expect(speaksOf('Everything there runs on SAP.', ['use', 'sap'], list)).toBe(true)
})

it.each([
  ['What surcharge do we take within 48 hours?', false],
  ['What surcharge do we take within 24 hours?', true],
  ['Is there a fee of 1500?', true],
  ['Which fee do the first 2 hours carry?', true],
  // what is said before the question is no figure that the text must have
  ['Somebody orders 3 hours ahead. Which surcharge is that?', true],
  ['Is the induction of Rodrigo still valid?', false],
])('takes a text for an answer only if it speaks of what is asked: %s', (question, is) => {
  const body =
    'Delivery within 24 hours carries a surcharge, 35 percent or a fee of 1,500 in the first two hours.'
  expect(isSpokenOf(question, { name: 'Rush', body, context: 'Rodrigo' }, false)).toBe(is)
})

it('takes a common word for a name only when it is written as one', () => {
  const may = (word: string, question: string) => mayName(word, capitalsIn(question, fold))
  expect(may('capital', 'What is the capital of Portugal?')).toBe(false)
  expect(may('bank', 'which bank do they use')).toBe(false)
  expect(may('capital', 'Deals with Capital last year')).toBe(true)
  expect(may('greyfriars', 'deals with greyfriars')).toBe(true)
})
