import { expect, it } from 'vitest'
import { answerTo } from '../answer.ts'
import { readingsOf } from '../readings.ts'
import { inMemory } from '../testing/wordings.testing.ts'
import { held, planned, type Writer } from '../testing/writer.testing.ts'

/** Companies with a field of several choices, two people at one company, and deals of every outcome. */
async function glassWorld(to: Writer): Promise<void> {
  await to.asker('Mia Wong')
  const options = ['Float', 'Tinted', 'Wired'].map(value => ({ value, label: value }))
  const field = { entity_type: 'company', name: 'Glass used', key: 'glass_used', field_type: 'multi_select' }
  await to.create('/api/custom-fields', { ...field, options })
  const company = (name: string, status: string, employee_count: number, glass_used: string[]) =>
    to.create('/api/companies', { name, status, employee_count, metadata: { glass_used } })
  const ardent = await company('Ardent Frames', 'customer', 40, ['Float'])
  const bellow = await company('Bellow Doors', 'customer', 90, ['Float', 'Tinted'])
  await company('Corvid Domes', 'prospect', 10, ['Wired'])
  const person = (first_name: string, last_name: string) =>
    to.create('/api/contacts', { first_name, last_name, company_id: ardent, phone: '+44 1' })
  const olga = await person('Olga', 'Stern')
  await person('Piet', 'Maas')
  const deal = (name: string, amount: number, stage: string, company_id: string) =>
    to.create('/api/deals', { name, amount, stage, company_id, currency: 'EUR' })
  await deal('Atrium roof', 9000, 'Proposal', ardent)
  await deal('Lobby screen', 4000, 'Won', ardent)
  await deal('Stair panels', 3000, 'Lost', bellow)
  const activity = (type: string, subject: string, more: object) =>
    to.create('/api/activities', { type, subject, contact_ids: [olga], ...more })
  await activity('call', 'First call', held(3))
  await activity('meeting', 'Site visit', planned(2))
}

const ONLY_FLOAT = 'list companies: Glass used is Float and no other'
const AMOUNT = 'whether the amount: deal'
const OTHERS = 'list contacts: not (contact Olga Stern), with companies (contact Olga Stern)'

/** Each question with a reading that is among its first. */
const MEANT: [question: string, reading: string][] = [
  // no other choice
  ['firms with only float glass, hm', ONLY_FLOAT],
  ['which firms go just for float', ONLY_FLOAT],
  ['hm, which firms are float only', ONLY_FLOAT],
  ['hm, firms that take float and nothing else', ONLY_FLOAT],
  ['firms that take nothing but float, hm', ONLY_FLOAT],
  ['hm, firms with float as their only glass', ONLY_FLOAT],
  ['firms that use only float and no other glass', ONLY_FLOAT],
  [
    'firms that use float and tinted and nothing else',
    'list companies: Glass used is Float and no other, Glass used is Tinted and no other',
  ],
  // every outcome
  ['deals of Bellow Doors, hm, open, won and lost together', 'list deals: company Bellow Doors'],
  ['hm, deals of Bellow Doors, whatever their stage', 'list deals: company Bellow Doors'],
  ['hm, deals of Bellow Doors including the lost ones', 'list deals: company Bellow Doors'],
  ['how many deals of Bellow Doors, no matter if won, lost or open', 'number of deals: company Bellow Doors'],
  ['deals of Bellow Doors, hm, dead or alive', 'list deals: company Bellow Doors'],
  ['hm, what are won and open deals worth together', 'sum of amount of deals: status is won or open'],
  [
    'won plus open together, how many euros is that',
    'sum of amount of deals: currency is EUR, status is won or open',
  ],
  // without others
  [
    'hm, firms nobody has planned anything for',
    'list companies: with no activities (status is planned or in_progress)',
  ],
  [
    'hm, firms we have something planned with',
    'list companies: with activities (status is planned or in_progress)',
  ],
  [
    'firms nobody has called, met or mailed, hm',
    'list companies: with no activities (type is call or meeting or email)',
  ],
  [
    'hm, firms with no calls, meetings or tasks',
    'list companies: with no activities (type is call or meeting or task)',
  ],
  [
    'hm, firms we never logged a call, email or task for',
    'list companies: with no activities (type is call or email or task)',
  ],
  // two that are compared
  [
    'hm, who has more people on staff, Ardent Frames or Bellow Doors',
    'compare the number of employees: company Ardent Frames with company Bellow Doors',
  ],
  ['is Stair panels cheaper than Atrium roof, hm', `${AMOUNT} Atrium roof more than deal Stair panels`],
  [
    'is Atrium roof worth more than Lobby screen and Stair panels put together',
    `${AMOUNT} Atrium roof more than deal Lobby screen or Stair panels`,
  ],
  [
    'are Lobby screen and Stair panels together worth more than Atrium roof',
    `${AMOUNT} Lobby screen or Stair panels more than deal Atrium roof`,
  ],
  [
    'hm, does Ardent Frames have more open deals than Bellow Doors',
    'whether the number of deals: deal Ardent Frames more than deal Bellow Doors',
  ],
  // who else is there
  ['who works where Olga Stern works, not counting herself', OTHERS],
  ['hm, who works together with Olga Stern', OTHERS],
  ['hm, who else works at the company of Olga Stern', OTHERS],
  ['hm, phone numbers of the colleagues of Olga Stern', OTHERS.replace('list', 'phone of')],
  [
    'hm, open deals of the colleagues of Olga Stern',
    'list deals: status is open, with contacts (not (contact Olga Stern), with companies (contact Olga Stern))',
  ],
]

inMemory('compositions', glassWorld, account => {
  const textsOf = async (question: string) =>
    readingsOf(question, await account().words(question), new Date()).map(({ text }) => text)

  it.each(MEANT)('%s', async (question, reading) => {
    expect((await textsOf(question)).slice(0, 4)).toContain(reading)
  })

  it.each([
    ['hm, firms that take float and nothing else', /Float(?! and no other)/],
    ['hm, list only the float firms', /no other/],
    ['hm, how many deals are open, won and lost', /^number of deals$/],
    ['how many deals has Bellow Doors got, no matter if won, lost or open', /status is (?:won|lost|open)/],
    ['is Stair panels cheaper than Atrium roof, hm', /Stair panels more than/],
    ['hm, phone numbers of the colleagues of Olga Stern', /^phone of contacts: contact Olga Stern$/],
    ['hm, how many is Ardent Frames', /^number of companies: company Ardent Frames$/],
  ])('has no other reading: %s', async (question, other) => {
    expect((await textsOf(question)).filter(text => other.test(text))).toEqual([])
  })

  it('says which of two is the smaller one', async () => {
    const question = 'which is smaller by staff, Ardent Frames or Bellow Doors, hm'
    const words = await account().words(question)
    const reading = readingsOf(question, words, new Date()).find(({ text }) =>
      /^compare the number of emp/.test(text),
    )
    const answer = reading && (await answerTo({ ...words, run: account().run }, reading.meaning))
    expect(answer?.answer).toContain('Smaller: Ardent Frames, by 50.')
  })

  it('finds those that have no other choice', async () => {
    const question = 'which firms take float only, hm'
    const words = await account().words(question)
    const reading = readingsOf(question, words, new Date()).find(({ text }) => text === ONLY_FLOAT)
    const answer = reading && (await answerTo({ ...words, run: account().run }, reading.meaning))
    expect(answer?.citations.map(({ name }) => name)).toEqual(['Ardent Frames'])
  })
})
