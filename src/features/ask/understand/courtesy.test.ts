import { describe, expect, it } from 'vitest'
import { withoutCourtesy } from './courtesy.ts'

const SAID: [said: string, question: string][] = [
  ['Could you kindly tell me who owns the Acme renewal?', 'who owns the Acme renewal?'],
  ['Would you mind checking whether Ann Lee has a phone?', 'whether Ann Lee has a phone?'],
  ['I would like to know if there are open deals, please.', 'whether there are open deals'],
  ['Good morning! Might I have the number of contacts in Oslo?', 'the number of contacts in Oslo?'],
  ["Sorry to bother you: what is Mr Inderbitzin's email? Thank you!", "what is Inderbitzin's email?"],
  ['who is the CFO of Acme again?', 'who is the CFO of Acme?'],
  ['Acme renewal won, yes or no?', 'whether Acme renewal won'],
  ['is Ann Lee a customer y/n', 'is Ann Lee a customer'],
  ['Am I right in saying that Acme is a customer?', 'whether Acme is a customer?'],
  ['Could you add up the minutes of all meetings?', 'add up the minutes of all meetings?'],
]

describe('what is said around a question', () => {
  it.each(SAID)('%s', (said, question) => {
    expect(withoutCourtesy(said)).toBe(question)
  })

  it.each([
    'could we still win the Acme renewal',
    'can we email Ann Lee?',
    'which deals would we lose if Acme left',
    'do you know',
    'which customers bought again?',
  ])('leaves a question that asks this: %s', question => {
    expect(withoutCourtesy(question)).toBe(question)
  })

  it('takes time in proportion to the length of hostile input', () => {
    const polite = 'could you please '.repeat(60)
    expect(withoutCourtesy(polite).length).toBeLessThanOrEqual(polite.length)
  })
})
