import { describe, expect, it } from 'vitest'
import { agreedAnswer, isDoubted, judgedReadings, type Models, ranked, shownToJudge } from './judge.ts'
import { type Answer, refusal } from './prose/answer.ts'
import { MAX_READINGS, type Reading, readingsOf } from './readings.ts'
import { smallWorld } from './testing/small-world.testing.ts'
import { inMemory } from './testing/wordings.testing.ts'
import type { Meaning } from './understand/meaning.ts'

/** Questions that no rule reads as a whole, and the reading that is meant. */
const MEANT: [question: string, reading: string][] = [
  [
    'of our German accounts, which one employs the most',
    'list companies: country is Germany; highest number of employees first; only the first one',
  ],
  ['acme renewal next step pls', 'next step of deals: deal Acme renewal'],
  ['folks at Acme, their mail addresses', 'email of contacts: company Acme Corp'],
  [
    'is there anybody we must not contact at Initech? give the name',
    'whether there are contacts: must not be contacted, company Initech',
  ],
  [
    'who are the colleagues of Ann Smith',
    'list contacts: not (contact Ann Smith), with companies (contact Ann Smith)',
  ],
  [
    'difference in dollars between the Acme renewal and the Initech audit',
    'compare the amount: deal Acme renewal with deal Initech audit',
  ],
  ['for which firms is the number of employees not filled in', 'list companies: without number of employees'],
  ['Would you mind checking whether Ann Smith has an email on file?', 'email of contacts: contact Ann Smith'],
  ['which product do we not sell anymore', 'list products: active is no'],
  [
    'what is the gap between our biggest and our smallest won deal, in money',
    'difference between the largest and the smallest amount of deals: status is won',
  ],
  [
    'hm, what share of the accounts sits in Germany would you say',
    'share of companies: country is Germany among companies',
  ],
  [
    'our biggest open deal, its next step pls',
    'next step of deals: status is open; highest amount first; only the first one',
  ],
  ['German firms that just arent customers', 'list companies: country is Germany, not (status is customer)'],
  [
    'what do we weight the open pipeline at, in all',
    'sum of amount weighted by probability of deals: status is open',
  ],
  [
    'what have leads from a webinar in oslo as phone',
    'phone of contacts: city is Oslo, lead source is webinar, status is lead',
  ],
]

inMemory('readings', smallWorld, account => {
  const textsOf = async (question: string) =>
    readingsOf(question, await account().words(question), new Date()).map(({ text }) => text)

  it.each(MEANT)('%s', async (question, reading) => {
    expect((await textsOf(question)).slice(0, 8)).toContain(reading)
  })

  it.each([
    'deals we could lose',
    'deals that close unless Acme objects',
    'companies in Norway if they had deals',
    'either deals in Proposal',
    'If you weight the open deals by probability, what is the pipeline worth?',
  ])('does not ignore a word that changes the meaning: %s', async question => {
    expect(await textsOf(question)).toEqual([])
  })

  it.each([
    [
      'who works at Acme, their mail addresses',
      /^whether|^number of [^;]*$|^sum of|^list (?:deals|activities)/,
    ],
    ['how many firms have we got in Germany by the way', /^whether|^list/],
    ['has Acme got a deal that is pricey', /^number of|^sum of/],
  ])('returns what is asked for: %s', async (question, other) => {
    expect((await textsOf(question)).filter(text => other.test(text))).toEqual([])
  })

  it.each([
    // the quarter was taken for a word to group by, and then dropped
    ['hm, won this quarter so far?', /deals: status is won$/],
    ['what do we have on average in open deals, hm', /^(?!average)/],
    ['hm how many audits did we count', /^list/],
    ['firms which only lost deals have, nothing else', /^list companies: with deals \(status is lost\)$/],
    ['hm which firms have only lost deals', /^list companies: with deals \(status is lost\)$/],
    ['hm how many audits did we count', /^number of deals: deal Initech audit$/],
    ['the smallest firm by employees with an open deal, hm', /lowest amount first/],
    ['hm deals with a close date before 2027', /^number of deals.*; by/],
    ['open deals. Where do they sit?', /^list deals/],
    ['average amount of a deal, hm, all statuses', /; by status/],
    ['hm, in which country did we win the most this year', /; by year|deals: .*date created/],
    ['firms in Germany, hm, by country', /^number of companies.*; by country/],
    ['hm which is worth more, Acme renewal or Initech audit', /^compare the number of deals: deal/],
    ['hm firms with more than 100 employees, employees', /^sum of number of employees of companies: number/],
    ['unsigned firms, hm', /^list companies$/],
    ['hm Mia, open ones', /^sum of amount of deals: (?!.*status)/],
  ])('uses every word that has a role: %s', async (question, other) => {
    expect((await textsOf(question)).filter(text => other.test(text))).toEqual([])
  })

  it('lists several of which the largest are asked for', async () => {
    const [first] = await textsOf('which open deals are the largest, hm')
    expect(first).toBe('list deals: status is open; highest amount first')
  })

  it('orders deals that were won by when they were', async () => {
    expect(await textsOf('which of the won deals is the oldest, hm')).toContain(
      'list deals: status is won; earliest date closed first; only the first one',
    )
  })

  it('composes that all related records are so', async () => {
    expect(await textsOf('firms which only lost deals have, nothing else')).toContain(
      'list companies: all deals (status is lost), with deals',
    )
  })

  it('does not take a word for its opposite', async () => {
    const models: Models = {
      embed: async texts => texts.map(text => Float32Array.of(1, /signed/i.test(text) ? 9 : -1)),
      judge: async (_, texts) => texts.map(() => 0),
    }
    const question = 'which firms are unsigned then?'
    const readings = await judgedReadings(question, await account().words(question), new Date(), models)
    expect(readings.filter(({ reading }) => reading.text.includes('Signed NDA'))).toEqual([])
  })

  it('has no reading in which one thing is said twice', async () => {
    const texts = await textsOf('won vs lost deals, more wins?')
    expect(texts.filter(text => /status is won, status|status is lost, status/.test(text))).toEqual([])
  })

  it('does not take the largest and the smallest for one of them', async () => {
    const texts = await textsOf('largest and smallest open deal by value?')
    expect(texts.filter(text => /lowest amount first; only/.test(text))).toEqual([])
  })

  it('does not ask when a deal that was lost had been expected to close', async () => {
    const texts = await textsOf('hm how many deals have we lost over the last month')
    expect(texts.some(text => text.includes('date closed'))).toBe(true)
    expect(texts.filter(text => /expected close date.*status is lost/.test(text))).toEqual([])
  })

  it.each(['apart from Proposal, which deals', 'deals aside from that at Acme'])(
    'excludes what is named in: %s',
    async question => {
      const texts = await textsOf(question)
      expect(texts).not.toEqual([])
      expect(texts.filter(text => !text.includes('not ('))).toEqual([])
    },
  )

  it.each([
    'open '.repeat(39).trim(),
    `companies ${'with deals at companies '.repeat(9)}`.trim(),
    `deals not ${'not '.repeat(37)}open`,
    'deals. '.repeat(30),
    'x'.repeat(1000),
  ])('does a bounded amount of work on hostile input: %s', async question => {
    expect((await textsOf(question)).length).toBeLessThanOrEqual(MAX_READINGS)
  })

  it('proposes fields by what a phrase is like', async () => {
    // each text is like itself alone, but for those about the NDA
    const others: string[] = []
    const like = (text: string) => {
      const place = /confidential|nda/i.test(text) ? 0 : others.push(text)
      return Float32Array.from({ length: 256 }, (_, i) => (i === place ? 1 : 0))
    }
    const models: Models = {
      embed: async texts => texts.map(like),
      judge: async (_, texts) =>
        texts.map(text => (/^list companies: Signed NDA(?: \||$)/.test(text) ? 9 : -9)),
    }
    const question = 'which firms are sworn to confidentiality, the confidential ones?'
    const [first] = await judgedReadings(question, await account().words(question), new Date(), models)
    expect(first?.reading.text).toBe('list companies: Signed NDA')
  })
})

describe('the judge', () => {
  it('doubts what the rules read where the question hardly asks it', async () => {
    const words = { nameOf: () => undefined, labelOf: () => undefined }
    const meaning = { kind: 'query', query: { entity: 'deal' } } as const
    const models = (logit: number): Models => ({ embed: async () => [], judge: async () => [logit] })
    const answer = (count: number) => ({ ...refusal('data'), data: { count } })
    expect(await isDoubted('who has unsubscribed?', words, meaning, answer(2), models(-6))).toBe(true)
    expect(await isDoubted('which deals do we have?', words, meaning, answer(2), models(0))).toBe(false)
    const noGroups = { ...refusal('data'), data: { count: 3, groups: [] } }
    expect(await isDoubted('which rep has won the most?', words, meaning, noGroups, models(9))).toBe(true)
    // "buyers with only lost deals" are companies; that no contact is so was a sure answer
    expect(await isDoubted('buyers?', words, meaning, answer(0), models(1.8))).toBe(true)
    expect(await isDoubted('any deals?', words, { ...meaning, isYesNo: true }, answer(0), models(1.8))).toBe(
      false,
    )
  })

  const reading = (text: string, more: Partial<Reading> = {}): Reading => ({
    meaning: { kind: 'query', query: { entity: 'deal' } },
    text,
    left: [],
    cost: 0,
    ...more,
  })
  const CITED = { index: 1, score: 1, entity_type: 'deal', entity_id: 'x', name: 'X', updated_at: '' }
  const two = [reading('a'), reading('b')]
  const meanings = ['deal', 'company'].map((entity): Meaning => ({ kind: 'query', query: { entity } }))

  /** each reading has an answer of its own, unless they are said to be answered alike */
  const agreed = (logits: readonly number[], more: { isAlike?: true; count?: number } = {}) => {
    const readings = two.map((one, i) => ({ ...one, meaning: meanings[i] ?? one.meaning }))
    const answerOf = async (meaning: Meaning): Promise<Answer> => ({
      ...refusal('data'),
      grounded: true,
      data: { count: more.count ?? (more.isAlike || meaning === meanings[0] ? 2 : 3) },
    })
    return agreedAnswer(ranked(readings, logits), answerOf)
  }

  it('takes the likeliest reading, whatever its place', async () => {
    expect(await agreed([-4, 5])).toMatchObject({ reading: { text: 'b' }, isSure: true })
  })

  it('must be surer where no record is so', async () => {
    expect(await agreed([2, 0])).toMatchObject({ isSure: true })
    expect(await agreed([2, 0], { count: 0 })).toMatchObject({ isSure: false })
    expect(await agreed([9, 0], { count: 0 })).toMatchObject({ isSure: true })
  })

  it('is not sure of a reading that is hardly likelier than another', async () => {
    expect(await agreed([5, 5])).toMatchObject({ isSure: false })
  })

  it('is sure of an answer that two readings have in common', async () => {
    expect(await agreed([5, 5], { isAlike: true })).toMatchObject({ reading: { text: 'a' }, isSure: true })
    expect(await agreed([5, 5], { count: 0 })).toMatchObject({ isSure: false })
  })

  it('is not sure of negated records that only lead to what is asked for', async () => {
    const query = { entity: 'deal', where: { not: { field: 'status', op: 'eq', value: 'won' } } } as const
    const isSure = async (meaning: Meaning) => {
      const answer = { ...refusal('data'), grounded: true, data: { count: 2 } }
      return (await agreedAnswer(ranked([reading('a', { meaning })], [9]), async () => answer))?.isSure
    }
    const show = { entity: 'deal', field: 'company.name', type: 'text' } as const
    expect(await isSure({ kind: 'query', query, show })).toBe(false)
    expect(await isSure({ kind: 'query', query })).toBe(true)
  })

  it('is sure of an answer beside which hardly any other is likely', async () => {
    expect(await agreed([-1, -5])).toMatchObject({ isSure: true })
    expect(await agreed([-1, -2])).toBeUndefined()
    expect(await agreed([-2, -9])).toBeUndefined()
    expect(await agreed([-1, -5], { count: 0 })).toBeUndefined()
  })

  it('takes a list for the same as one with a field that it compares', async () => {
    const where = { field: 'amount', op: 'gt', value: 5 } as const
    const query = { entity: 'deal', where } as const
    const show = { entity: 'deal', field: 'amount', type: 'money' } as const
    const list = reading('list', { meaning: { kind: 'query', query } })
    const shown = reading('shown', { meaning: { kind: 'query', query, show } })
    const same = await agreedAnswer(ranked([list, shown], [0.6, 0.5]), async of => ({
      ...refusal('data'),
      grounded: true,
      data: { count: 1 },
      citations: [{ ...CITED, snippet: of.kind === 'query' && of.show ? 'amount 9' : '' }],
    }))
    expect(same?.isSure).toBe(true)
  })

  it('takes none that is unlikely', async () => {
    expect(await agreed([-3, -4])).toBeUndefined()
    expect(await agreedAnswer([], async () => refusal('data'))).toBeUndefined()
  })

  it('takes no reading that cannot be answered', async () => {
    expect(await agreedAnswer(ranked(two, [9, 0]), async () => refusal('data'))).toBeUndefined()
  })

  it('prefers a reading with more of the words where the model does not', () => {
    expect(ranked([reading('a', { cost: 4 }), reading('b')], [3, 3])[0]?.reading.text).toBe('b')
  })

  it('is shown the words that a reading leaves out', () => {
    expect(shownToJudge(reading('list deals', { left: ['frozen'] }))).toBe('list deals | unread: frozen')
  })
})
