import { describe, expect, it } from 'vitest'
import type { Condition } from '../records/query/spec.ts'
import { withLikeness } from './account/likeness.ts'
import { answerTo } from './answer.ts'
import { decide, likeliestOf, likelihoodsOf, type Models, proposedFor, shownToJudge } from './decide.ts'
import { type Answer, refusal } from './prose/answer.ts'
import { MAX_READINGS, type Reading, readingsByRules, readingsOf } from './readings.ts'
import { smallWorld } from './testing/small-world.testing.ts'
import { inMemory } from './testing/wordings.testing.ts'
import { MAX_STEPS } from './understand/chart.ts'
import { isAskedFor } from './understand/compose/checks.ts'
import { candidatesFrom, coveredBy, MAX_TRIED } from './understand/compose/index.ts'
import { understand } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'

type AnswerOf = (meaning: Meaning) => Promise<Answer>

/** Questions that no rule reads as a whole, and the reading that is meant. */
const MEANT: [question: string, reading: string][] = [
  [
    'of our German accounts, which one employs the most',
    'list companies: country is Germany; highest number of employees first; only the first one',
  ],
  ['deals, leave the lost ones out', 'list deals: not (status is lost)'],
  ['non-German accounts', 'list companies: not (country is Germany)'],
  ['non-Norwegian firms, hm', 'list companies: not (country is Norway)'],
  ['hm, firms with some other status than customer', 'list companies: not (status is customer)'],
  ['firms where we know no one, hm', 'list companies: with no contacts'],
  [
    'How many people do our German firms employ, hm?',
    'sum of number of employees of companies: country is Germany',
  ],
  [
    "How much is open if Acme isn't counted?",
    'sum of amount of deals: status is open, not (company Acme Corp)',
  ],
  ['which open deals top 10k, hm', 'list deals: amount over 10000, status is open'],
  ["Which tasks should have been done but weren't?", 'list activities: overdue, type is task'],
  [
    'Is there a deal open in Germany, and if so which one?',
    'list deals: status is open, company country is Germany',
  ],
  [
    'hm, who have we had a call with so far this year',
    'list contacts: with activities (date it took place from 2026-01-01, date it took place before 2026-11-18, status is completed, type is call)',
  ],
  [
    'hm, who do we know at companies where a deal is open',
    'list contacts: with companies (with deals (status is open))',
  ],
  ['firm with more deals than any other, hm', 'list companies; most deals first; only the first one'],
  [
    'open deals of 2k at least and no more than 8k, hm',
    'list deals: amount at least 2000, amount at most 8000, status is open',
  ],
  ['hm, what is no longer on sale', 'list products: active is no'],
  ['firms without a deal running', 'list companies: with no deals (status is open)'],
  [
    'how high is our win rate in Germany, overall',
    'win rate of deals: status is won or lost, company country is Germany',
  ],
  ['deals in negotiaton, what are they worth', 'sum of amount of deals: stage is Negotiation'],
  [
    'Acme renewal vs Initech audit: does Acme have the higher value?',
    'whether the amount: deal Acme renewal more than deal Initech audit',
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
    ['hm, difference between the largest and the second largest open deal', /^list/],
    ['are all of them in Proposal, the open deals, hm', /^whether there are/],
    // one deal that is both, not one and another
    ['hm firms that bought something for more than 10k', /with deals \(amount over 10000\), with deals/],
    // one figure for each
    ['hm how much has each colleague won so far', /^sum of [^;]*$/],
    // others than those who are named are not asked for
    ['hm why didn t the Acme renewal work', /not \(deal/],
    ['hm, firms nobody has had a completed call with', /not \(status is completed\)/],
    // what is said in two words, or with "only", is said of the question
    ['In 2025, did we lose anything? Hm.', /^whether there are deals: status is lost$/],
    ['only what is decided: won how much, in money?', /deals: status is won$/],
    ['which firms belong to Acme, hm', /^list companies: company Acme Corp$/],
    // the largest deal need not be in the largest pipeline
    ['hm which country has got the biggest pipeline', /^company country of deals: status is open; highest/],
    ['Norwegian deals, any stage, above 4,000 dollars, hm', /^whether/],
    // the stage of a deal that is named is not asked for by its value
    ['hm what is the Acme renewal in Proposal', /^stage of deals: .*stage is Proposal/],
  ])('uses every word that has a role: %s', async (question, other) => {
    expect((await textsOf(question)).filter(text => other.test(text))).toEqual([])
  })

  it('leaves out what the rules read of other records than are asked for', async () => {
    const readBy = async (question: string) => {
      const words = await account().words(question)
      return readingsByRules(question, understand(question, words, new Date()), words).map(({ text }) => text)
    }
    expect(await readBy('who employs over 100 people')).toEqual([])
    expect(await readBy('How many deals have we won, and what were they worth altogether?')).toEqual([
      'sum of amount of deals: status is won',
    ])
    expect(await readBy('which companies employ over 100 people')).toEqual([
      'list companies: number of employees over 100',
    ])
  })

  it('lists several of which the largest are asked for', async () => {
    const [first] = await textsOf('which open deals are the largest, hm')
    expect(first).toBe('list deals: status is open; highest amount first')
  })

  it('answers what can be read in two ways if both have the same answer, and find something', async () => {
    const words = await account().words('deals?')
    const above = (value: number): Condition => ({ field: 'amount', op: 'gt', value })
    const agreed = (...wheres: Condition[]) => {
      const [meaning, ...alternatives] = wheres.map(
        (where): Meaning => ({ kind: 'query', query: { entity: 'deal', where } }),
      )
      const understood = meaning && { meaning, alternatives }
      return decide('deals?', words, understood, undefined, one =>
        answerTo({ ...words, run: account().run }, one.meaning),
      )
    }
    const open: Condition = { field: 'status', op: 'eq', value: 'open' }
    const same = await agreed(above(20_000), { and: [above(20_000), open] })
    expect(same).toMatchObject({
      isSure: true,
      answer: { answer: expect.stringContaining('Globex rollout') },
    })
    expect((await agreed(above(20_000), above(10_000)))?.isSure).toBe(false)
    expect((await agreed(above(100_000), above(200_000)))?.isSure).toBe(false)
    expect(await agreed(above(100_000))).toMatchObject({ isSure: true, answer: { data: { count: 0 } } })
  })

  it('takes the size of a pipeline for its money', async () => {
    expect((await textsOf('hm which country has got the biggest pipeline')).slice(0, 2)).toContain(
      'sum of amount of deals: with company country, status is open; by company country; highest figure first; only the first one',
    )
  })

  it('takes what was won in each month for the money, too', async () => {
    expect(await textsOf('hm what have we won month by month')).toContain(
      'sum of amount of deals: status is won; by month of date closed',
    )
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
    const words = await withLikeness(await account().words(question), question, models.embed)
    const texts = readingsOf(question, words, new Date()).map(({ text }) => text)
    expect(texts.filter(text => text.includes('Signed NDA'))).toEqual([])
  })

  it('has no reading in which one thing is said twice', async () => {
    const texts = await textsOf('won vs lost deals, more wins?')
    expect(texts.filter(text => /status is won, status|status is lost, status/.test(text))).toEqual([])
  })

  it('does not take two that are compared for both together', async () => {
    const texts = await textsOf('hm Germany vs USA, which brought in more')
    expect(texts.filter(text => !text.startsWith('compare'))).toEqual([])
  })

  it('counts what is asked for, not what can be counted', async () => {
    const texts = await textsOf('how many casts do we get for the deals in Negotiation')
    expect(texts.filter(text => text.startsWith('number of'))).toEqual([])
    expect(await textsOf('how many big fat deals are in Negotiation')).toContain(
      'number of deals: stage is Negotiation',
    )
    expect(await textsOf('at which gate does Acme Corp take deliveries')).toEqual([])
    expect(await textsOf('Acme Corp, biggest mould available')).toEqual([])
    expect(await textsOf('companies without an activity in status planned, hm')).not.toContain(
      'list companies: with status, with no activities',
    )
  })

  it('takes the number of a company for no telephone number, and another country for no other language', async () => {
    const phones = async (question: string) =>
      (await textsOf(question)).filter(text => text.startsWith('phone of'))
    expect(await phones('organisation number of Acme Corp, do we have it')).toEqual([])
    expect(await phones('number of Acme Corp, do we have it')).toContain(
      'phone of companies: company Acme Corp',
    )
    const others = await textsOf('who among our contacts has a language other than German')
    expect(others.filter(text => text.includes('country'))).toEqual([])
    const unreached = await textsOf("one of the Acme deals hasn't reached negotiation yet, which is it")
    expect(unreached.filter(text => text.includes('with no activities'))).toEqual([])
  })

  it('leaves out neither "more than" nor a year', async () => {
    const texts = await textsOf('do we have more won than lost deals this year')
    expect(texts.filter(text => text.startsWith('whether there are'))).toEqual([])
    const won = await textsOf('have we won more deals than we have lost this year, hm')
    expect(won.filter(text => !text.includes('closed'))).toEqual([])
    expect(won[0]).toMatch(
      /^whether the number of deals: status is won more than status is lost; of deals: date closed/,
    )
  })

  it('leaves out no word for the country that is not ours', async () => {
    expect(await textsOf('which companies abroad have we won a deal with')).toEqual([])
  })

  it('leaves out no value of the account', async () => {
    const question = 'hm webinar, oslo, phones of our leads'
    const readings = readingsOf(question, await account().words(question), new Date())
    expect(readings).not.toEqual([])
    expect(readings.filter(({ left }) => left.includes('webinar') || left.includes('oslo'))).toEqual([])
  })

  it('does not take the largest and the smallest for one of them', async () => {
    const texts = await textsOf('largest and smallest open deal by value?')
    expect(texts.filter(text => /lowest amount first; only/.test(text))).toEqual([])
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

  it('composes a bounded number of readings, also where none of them is of use', async () => {
    const question =
      'what share of open deals average amount by month and by owner and by country and by stage, next and last, with the most and the fewest contacts, and when, where, why and who'
    const { covers, asked } = coveredBy(question, await account().words(question), new Date(), MAX_STEPS)
    const { candidates, tried } = candidatesFrom(covers, asked, () => true)
    expect(candidates).toEqual([])
    expect(tried).toBeGreaterThan(MAX_TRIED)
    expect(tried).toBeLessThan(2 * MAX_TRIED)
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
    const words = await account().words(question)
    const decision = await decide(question, words, undefined, models, one =>
      answerTo({ ...words, run: account().run }, one.meaning),
    )
    expect(decision?.reading.text).toBe('list companies: Signed NDA')
  })
})

inMemory('parsed readings', smallWorld, account => {
  /** The parser is said to write these lines, the likeliest first. */
  async function proposed(question: string, lines: (items: readonly string[]) => string[][]) {
    const words = await account().words(question)
    return proposedFor(question, words, new Date(), {
      judge: async () => [],
      embed: async texts => texts.map(() => new Float32Array(1)),
      parse: async (_, items) => lines(items).map((tokens, i) => ({ tokens, logp: 0 - i })),
    })
  }
  const LOST = 'c {"field":"status","op":"eq","value":"lost"}'
  const at = (items: readonly string[], text: string) => `@${items.findIndex(item => item.includes(text))}`

  it('join those that are composed', async () => {
    const readings = await proposed('non-German accounts', items => [
      ['of company', 'list', 'not', at(items, 'company country Germany')],
      ['of company', 'list', at(items, 'company country Germany')],
      ['of nothing'],
    ])
    const parsed = readings.filter(one => one.parsed)
    expect(parsed.map(({ text }) => text).sort()).toEqual([
      'list companies: country is Germany',
      'list companies: not (country is Germany)',
    ])
    const [composed] = parsed.filter(({ text }) => text.includes('not'))
    expect(composed?.parsed).toEqual({ logp: 0, nothing: -8 })
    expect(composed?.isParsedOnly).toBeUndefined()
    const [other] = parsed.filter(({ isParsedOnly }) => isParsedOnly)
    expect(other?.parsed).toEqual({ logp: -1, nothing: -8 })
  })

  it('tell the words that they leave out', async () => {
    const question = 'which firms in Germany have a deal over 5000, hm'
    const readings = await proposed(question, items => [
      ['of company', 'list', at(items, 'company country Germany')],
    ])
    expect(readings.find(({ isParsedOnly }) => isParsedOnly)?.left).toEqual(['5000'])
  })

  it.each(['deals we could lose', 'hm, deals lost if Acme left', 'what do we know about Acme'])(
    'are not taken alone where the question is about something else: %s',
    async question => {
      const readings = await proposed(question, () => [['of deal', 'list', LOST]])
      expect(readings.filter(({ isParsedOnly }) => isParsedOnly)).toEqual([])
    },
  )

  it('are none that contradict themselves', async () => {
    const readings = await proposed('hm, deals both won and lost', () => [
      ['of deal', 'list', 'c {"field":"status","op":"eq","value":"won"}', LOST],
    ])
    expect(readings.filter(({ parsed }) => parsed)).toEqual([])
  })
})

describe('what a question word asks for', () => {
  const shows = (field: string, type: 'date' | 'text' | 'number' | 'flag'): Meaning => ({
    kind: 'query',
    query: { entity: 'deal' },
    show: { entity: 'deal', field, type },
  })
  it.each([
    ['who is the agent of it', shows('expected_close_date', 'date'), false],
    ['who is it with', shows('company.city', 'text'), false],
    ['who sells it', shows('owner.name', 'text'), true],
    ['when is it due', shows('owner.name', 'text'), false],
    ['when is it due', shows('expected_close_date', 'date'), true],
    ['why was it called off', shows('expected_close_date', 'date'), false],
    ['why was it lost', shows('lost_reason', 'text'), true],
    ['how many bags do they take', shows('cf.bags', 'number'), true],
    ['how many bags do they take', shows('expected_close_date', 'date'), false],
    ['where is it', shows('probability', 'number'), false],
  ])('%s: %o', (question, meaning, isAsked) => {
    expect(isAskedFor([question], meaning)).toBe(isAsked)
  })
})

describe('the judge', () => {
  const reading = (text: string, more: Partial<Reading> = {}): Reading => ({
    meaning: { kind: 'query', query: { entity: 'deal' } },
    text,
    left: [],
    cost: 0,
    ...more,
  })
  const CITED = { index: 1, score: 1, entity_type: 'deal', entity_id: 'x', name: 'X', updated_at: '' }
  const two = [reading('a'), reading('b')]
  const where = { field: 'status', op: 'eq', value: 'open' } as const
  const meanings = ['deal', 'company'].map((entity): Meaning => ({ kind: 'query', query: { entity, where } }))
  const OF_ONE: Meaning = { kind: 'query', query: { entity: 'deal', where } }

  const judgedAs = (readings: readonly Reading[], logits: readonly number[]) =>
    readings.map((one, i) => ({ reading: one, logit: logits[i] ?? 0 }))
  const agreedAnswer = (readings: readonly Reading[], logits: readonly number[], answerOf: AnswerOf) =>
    likeliestOf([], judgedAs(readings, logits), one => answerOf(one.meaning))

  /** each reading has an answer of its own, unless they are said to be answered alike */
  const agreed = (logits: readonly number[], more: { isAlike?: true; cost?: number } = {}) => {
    const { cost = 0 } = more
    const readings = two.map((one, i) => ({ ...one, cost, meaning: meanings[i] ?? one.meaning }))
    const answerOf = async (meaning: Meaning): Promise<Answer> => ({
      ...refusal('data'),
      grounded: true,
      data: { count: more.isAlike || meaning === meanings[0] ? 2 : 3 },
    })
    return agreedAnswer(readings, logits, answerOf)
  }

  it('takes the likeliest reading, whatever its place', async () => {
    expect(await agreed([-4, 5])).toMatchObject({ reading: { text: 'b' }, isSure: true })
  })

  it('takes a reading that finds records before one that finds none', async () => {
    const readings = two.map((one, i) => ({ ...one, meaning: meanings[i] ?? one.meaning }))
    const counts = (first: number, second: number) =>
      agreedAnswer(readings, [4, 3], async meaning => ({
        ...refusal('data'),
        grounded: true,
        data: { count: meaning === meanings[0] ? first : second },
      }))
    expect(await counts(0, 2)).toMatchObject({ reading: { text: 'b' }, isSure: true })
    expect(await counts(2, 0)).toMatchObject({ reading: { text: 'a' }, isSure: true })
  })

  it('must be surer where no record is so', async () => {
    const alone = async (logit: number, count: number) => {
      const answer = { ...refusal('data'), grounded: true, data: { count } }
      return agreedAnswer([reading('a', { meaning: OF_ONE })], [logit], async () => answer)
    }
    expect(await alone(0, 2)).toMatchObject({ isSure: true })
    expect(await alone(0, 0)).toBeUndefined()
    expect(await alone(9, 0)).toMatchObject({ isSure: true })
  })

  it('is not sure of a reading that is hardly likelier than another', async () => {
    expect(await agreed([5, 5])).toMatchObject({ isSure: false })
  })

  it('is sure of an answer that two readings have in common', async () => {
    expect(await agreed([5, 5], { isAlike: true })).toMatchObject({ reading: { text: 'a' }, isSure: true })
  })

  it('is not sure of negated records that only lead to what is asked for', async () => {
    const query = { entity: 'deal', where: { not: { field: 'status', op: 'eq', value: 'won' } } } as const
    const isSure = async (meaning: Meaning) => {
      const answer = { ...refusal('data'), grounded: true, data: { count: 2 } }
      return (await agreedAnswer([reading('a', { meaning })], [9], async () => answer))?.isSure
    }
    const show = { entity: 'deal', field: 'company.name', type: 'text' } as const
    expect(await isSure({ kind: 'query', query, show })).toBe(false)
    expect(await isSure({ kind: 'query', query })).toBe(true)
    const companies = { entity: 'company', where: { some: 'deals', where: query.where } } as const
    expect(await isSure({ kind: 'query', query: companies })).toBe(false)
  })

  it('takes a reading that uses the words well although the judge doubts it', async () => {
    expect(await agreed([-2, -9])).toMatchObject({ isSure: true })
    expect(await agreed([-2, -9], { cost: 4 })).toBeUndefined()
  })

  it('leaves out readings that have no answer', async () => {
    const readings = two.map((one, i) => ({ ...one, meaning: meanings[i] ?? one.meaning }))
    const answer = { ...refusal('data'), grounded: true, data: { count: 2 } }
    const agree = await agreedAnswer(readings, [5, 5], async meaning =>
      meaning === meanings[0] ? refusal('data') : answer,
    )
    expect(agree).toMatchObject({ reading: { text: 'b' }, isSure: true })
  })

  it('takes a list for the same as one with a field that it compares', async () => {
    const query = { entity: 'deal', where: { field: 'amount', op: 'gt', value: 5 } } as const
    const show = { entity: 'deal', field: 'amount', type: 'money' } as const
    const list = reading('list', { meaning: { kind: 'query', query } })
    const shown = reading('shown', { meaning: { kind: 'query', query, show } })
    const same = await agreedAnswer([list, shown], [0.6, 0.5], async of => ({
      ...refusal('data'),
      grounded: true,
      data: { count: 1 },
      citations: [{ ...CITED, snippet: of.kind === 'query' && of.show ? 'amount 9' : '' }],
    }))
    expect(same?.isSure).toBe(true)
  })

  it('takes the number of records for the same as a list of them, and what is ticked for whether it is so', async () => {
    const named = { field: 'id', op: 'eq', value: 'x' } as const
    const flag = { field: 'cf.insured', op: 'eq', value: true } as const
    const where = { and: [flag, named] }
    const show = { entity: 'company', field: 'cf.insured', type: 'flag' } as const
    const pairs: [Meaning, Meaning][] = [
      [
        { kind: 'query', query: { entity: 'deal', where: named } },
        { kind: 'query', query: { entity: 'deal', where: named, measure: { kind: 'count' } } },
      ],
      [
        { kind: 'query', query: { entity: 'company', where: named }, show },
        { kind: 'query', query: { entity: 'company', where }, isYesNo: true },
      ],
    ]
    for (const [i, [a, b]] of pairs.entries()) {
      const answer = {
        ...refusal('data'),
        grounded: true,
        data: { count: 1 - i },
        citations: [{ ...CITED, snippet: '' }],
      }
      const both = [reading('a', { meaning: a }), reading('b', { meaning: b })]
      expect((await agreedAnswer(both, [1, 1], async () => answer))?.isSure).toBe(true)
    }
  })

  it('takes none that is unlikely', async () => {
    expect(await agreed([-9, -9])).toBeUndefined()
    expect(await agreedAnswer([], [], async () => refusal('data'))).toBeUndefined()
  })

  it('takes no reading that cannot be answered', async () => {
    expect(await agreedAnswer(two, [9, 0], async () => refusal('data'))).toBeUndefined()
  })

  it('prefers a reading with more of the words where the model does not', () => {
    const [a = 0, b = 0] = likelihoodsOf(judgedAs([reading('a', { cost: 4 }), reading('b')], [3, 3]))
    expect(a).toBeLessThan(b)
  })

  it('doubts a reading of all records that leaves out a word', () => {
    const likelihoodOf = (left: string[], meaning?: Meaning) =>
      likelihoodsOf(judgedAs([reading('a', { left, ...(meaning ? { meaning } : {}) })], [-3]))[0] ?? 0
    expect(likelihoodOf(['invoice'])).toBeLessThan(likelihoodOf([]))
    expect(likelihoodOf(['invoice'], OF_ONE)).toBe(likelihoodOf([], OF_ONE))
  })

  it('takes what the rules read, also where a composed reading tells more of the same records', async () => {
    const of = (figure: number, ...ids: string[]): Answer => ({
      ...refusal('data'),
      grounded: true,
      data: { count: ids.length, figures: [figure] },
      citations: ids.map(entity_id => ({ ...CITED, entity_id, snippet: '' })),
    })
    const textOf = async (composed: Answer) => {
      const byRules = { reading: reading('rules', { isByRules: true }), logit: -4, answer: of(1, 'a', 'b') }
      const own = [{ ...byRules, isAnswered: true } as const]
      const others = judgedAs([reading('composed')], [6])
      return (await likeliestOf(own, others, async () => composed))?.reading.text
    }
    expect(await textOf(of(2, 'b', 'a'))).toBe('rules')
    expect(await textOf(of(2, 'a'))).toBe('composed')
  })

  it('is shown the words that a reading leaves out', () => {
    expect(shownToJudge(reading('list deals', { left: ['frozen'] }))).toBe('list deals | unread: frozen')
  })
})
