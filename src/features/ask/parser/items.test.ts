import { expect, it } from 'vitest'
import type { AccountWords, KnownValue } from '../account/account-words.ts'
import { glassWorld } from '../testing/glass-world.testing.ts'
import { inMemory } from '../testing/wordings.testing.ts'
import { itemsOf } from './items.ts'

inMemory('what a question may name', glassWorld, account => {
  const itemsFor = async (question: string, more: Partial<AccountWords> = {}) =>
    itemsOf(question, { ...(await account().words(question)), ...more }, new Date())
  const textsFor = async (question: string, more: Partial<AccountWords> = {}) =>
    (await itemsFor(question, more)).map(({ text, said }) => `${text} (${said})`)
  const tinted: KnownValue = { kind: 'company', field: 'cf.glass_used', value: 'Tinted', isOneOfMany: true }

  it('are values, records, fields, times and numbers', async () => {
    const texts = await textsFor('float firms with Olga Stern and 90 people in May 2026')
    expect(texts).toEqual(
      expect.arrayContaining([
        'company Glass used Float (float)',
        'contact called Olga Stern (olga stern)',
        'company Glass used, a text ()',
        'in may 2026 (in may 2026)',
        '90 (90)',
      ]),
    )
  })

  it('are also there where a word is misspelt', async () => {
    expect(await textsFor('hm tintde glass in negotation')).toEqual(
      expect.arrayContaining([
        'company Glass used Tinted (tintde)',
        'deal stage name Negotiation (negotation)',
      ]),
    )
  })

  it('are years without a preposition', async () => {
    expect(await textsFor('won 2026')).toContain('2026 (2026)')
  })

  it('are what a phrase is like in meaning, but no phrase with an operator', async () => {
    const alike = (phrase: string) => (/^shaded\b/.test(phrase) ? [{ value: tinted, score: 0.9 }] : [])
    expect(await textsFor('hm firms that are shaded', { alike })).toContain(
      'company Glass used Tinted (shaded)',
    )
    const only = await textsFor('hm firms, shaded only', { alike })
    expect(only.filter(text => text.includes('only'))).toEqual([])
  })

  it('are values that are hardly like any phrase, without words of the question', async () => {
    expect(await textsFor('hm firms with dark panes', { nearest: [tinted] })).toContain(
      'company Glass used Tinted ()',
    )
  })

  it('are the values that are said as a whole', async () => {
    const value = (name: string): KnownValue => ({ ...tinted, value: name })
    const alike = () => [{ value: value('Float glass'), score: 0.9 }]
    expect(await textsFor('float firms', { alike })).not.toContain('company Glass used Float glass (float)')
  })

  it('tell which other choices there are', async () => {
    const [float] = (await itemsFor('float firms')).filter(({ text }) => text === 'company Glass used Float')
    expect(float).toMatchObject({
      only: { field: 'cf.glass_used', op: 'not_in', value: ['Tinted', 'Wired'] },
    })
  })
})
