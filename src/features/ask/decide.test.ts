import { describe, expect, it } from 'vitest'
import type { Condition } from '../records/query/spec.ts'
import { answerTo } from './answer.ts'
import { decide, joined, likeliestOf, type Models, parsedFor } from './decide.ts'
import { type Answer, refusal } from './prose/answer.ts'
import { type Reading, readingsByRules } from './readings.ts'
import { smallWorld } from './testing/small-world.testing.ts'
import { inMemory } from './testing/wordings.testing.ts'
import { understand } from './understand/index.ts'
import type { Meaning } from './understand/meaning.ts'

type AnswerOf = (meaning: Meaning) => Promise<Answer>

inMemory('readings by the rules', smallWorld, account => {
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
})

inMemory('readings by the parser', smallWorld, account => {
  /** The parser is said to write these lines, the likeliest first. */
  async function parsed(question: string, lines: (items: readonly string[]) => string[][]) {
    const words = await account().words(question)
    const models: Models = {
      embed: async texts => texts.map(() => new Float32Array(1)),
      parse: async (_, items) => lines(items).map((tokens, i) => ({ tokens, logp: 0 - i })),
    }
    return parsedFor(question, words, new Date(), models)
  }
  const LOST = 'c {"field":"status","op":"eq","value":"lost"}'
  const at = (items: readonly string[], text: string) => `@${items.findIndex(item => item.includes(text))}`

  it('are the lines that are a query, with how likely they are', async () => {
    const readings = await parsed('non-German accounts', items => [
      ['of company', 'list', 'not', at(items, 'company country Germany')],
      ['of company', 'list', at(items, 'company country Germany')],
      ['of nothing'],
    ])
    expect(readings?.map(({ text, logp }) => [text, logp])).toEqual([
      ['list companies: not (country is Germany)', 0],
      ['list companies: country is Germany', -1],
    ])
  })

  it('join those by the rules', async () => {
    const question = 'deals lost'
    const words = await account().words(question)
    const own = readingsByRules(question, understand(question, words, new Date()), words)
    const lines = await parsed(question, () => [
      ['of deal', 'list', LOST],
      ['of deal', 'count', LOST],
    ])
    const { known, added } = joined(own, lines)
    expect(known.map(({ text, logp }) => [text, logp])).toEqual([['list deals: status is lost', 0]])
    expect(added.map(({ text }) => text)).toEqual(['number of deals: status is lost'])
    expect(joined(own, []).known[0]?.logp).toBeNull()
    expect(joined(own, undefined).known[0]?.logp).toBeUndefined()
  })

  it.each([
    ['who is the main contact at Acme', /company called Acme/, ['of contact', 'list']],
    [
      'for which firm is the parking space too small',
      /^$/,
      ['of company', 'list', 'null', 'f annual_revenue'],
    ],
  ])('are none of something else: %s', async (question, item, line) => {
    const readings = await parsed(question, items => {
      const found = items.findIndex(one => item.test(one))
      return [[...line, ...(found < 0 ? [] : [`@${found}`])]]
    })
    expect(readings).toEqual([])
  })

  it('find fields by what a phrase is like', async () => {
    // each text is like itself alone, but for those about the NDA
    const others: string[] = []
    const like = (text: string) => {
      const place = /confidential|nda/i.test(text) ? 0 : others.push(text)
      return Float32Array.from({ length: 256 }, (_, i) => (i === place ? 1 : 0))
    }
    const found: string[] = []
    const question = 'which firms are sworn to confidentiality, the confidential ones?'
    await parsedFor(question, await account().words(question), new Date(), {
      embed: async texts => texts.map(like),
      parse: async (_, items) => {
        found.push(...items)
        return []
      },
    })
    expect(found).toContain('value company Signed NDA (confidentiality)')
  })

  it.each(['what do we know about Acme'])('are none where everything is asked for: %s', async question => {
    expect(await parsed(question, () => [['of deal', 'list', LOST]])).toBeUndefined()
  })

  it('are none that contradict themselves', async () => {
    const readings = await parsed('hm, deals both won and lost', () => [
      ['of deal', 'list', 'c {"field":"status","op":"eq","value":"won"}', LOST],
    ])
    expect(readings).toEqual([])
  })
})

describe('the likeliest reading', () => {
  const reading = (text: string, more: Partial<Reading> = {}): Reading => ({
    meaning: { kind: 'query', query: { entity: 'deal' } },
    text,
    ...more,
  })
  const CITED = { index: 1, score: 1, entity_type: 'deal', entity_id: 'x', name: 'X', updated_at: '' }
  const two = [reading('a'), reading('b')]
  const where = { field: 'status', op: 'eq', value: 'open' } as const
  const meanings = ['deal', 'company'].map((entity): Meaning => ({ kind: 'query', query: { entity, where } }))
  const OF_ONE: Meaning = { kind: 'query', query: { entity: 'deal', where } }

  /** `logps`: how likely the parser takes each of them to be */
  const agreedAnswer = (readings: readonly Reading[], logps: readonly number[], answerOf: AnswerOf) =>
    likeliestOf(
      [],
      readings.map((one, i) => ({ ...one, logp: logps[i] ?? 0 })),
      one => answerOf(one.meaning),
    )

  /** each reading has an answer of its own, unless they are said to be answered alike */
  const agreed = (logps: readonly number[], more: { isAlike?: true } = {}) => {
    const readings = two.map((one, i) => ({ ...one, meaning: meanings[i] ?? one.meaning }))
    const answerOf = async (meaning: Meaning): Promise<Answer> => ({
      ...refusal('data'),
      grounded: true,
      data: { count: more.isAlike || meaning === meanings[0] ? 2 : 3 },
    })
    return agreedAnswer(readings, logps, answerOf)
  }

  it('takes the likeliest reading, whatever its place', async () => {
    expect(await agreed([-6, -0.1])).toMatchObject({ reading: { text: 'b' }, isSure: true })
  })

  it('takes a reading that finds records before one that finds none', async () => {
    const readings = two.map((one, i) => ({ ...one, meaning: meanings[i] ?? one.meaning }))
    const counts = (first: number, second: number) =>
      agreedAnswer(readings, [-0.5, -1.2], async meaning => ({
        ...refusal('data'),
        grounded: true,
        data: { count: meaning === meanings[0] ? first : second },
      }))
    expect(await counts(0, 2)).toMatchObject({ reading: { text: 'b' } })
    expect(await counts(2, 0)).toMatchObject({ reading: { text: 'a' }, isSure: true })
  })

  it('must be surer where no record is so', async () => {
    const alone = async (logp: number, count: number) => {
      const answer = { ...refusal('data'), grounded: true, data: { count } }
      return agreedAnswer([reading('a', { meaning: OF_ONE })], [logp], async () => answer)
    }
    expect(await alone(-0.1, 2)).toMatchObject({ isSure: true })
    expect((await alone(-0.1, 0))?.isSure ?? false).toBe(false)
  })

  it('is not sure of a reading that is hardly likelier than another', async () => {
    expect(await agreed([-0.7, -0.7])).toMatchObject({ isSure: false })
  })

  it('is sure of an answer that two readings have in common', async () => {
    expect(await agreed([-0.7, -0.7], { isAlike: true })).toMatchObject({
      reading: { text: 'a' },
      isSure: true,
    })
  })

  it('is not sure of negated records that only lead to what is asked for', async () => {
    const query = { entity: 'deal', where: { not: { field: 'status', op: 'eq', value: 'won' } } } as const
    const isSure = async (meaning: Meaning) => {
      const answer = { ...refusal('data'), grounded: true, data: { count: 2 } }
      return (await agreedAnswer([reading('a', { meaning })], [0], async () => answer))?.isSure
    }
    const show = { entity: 'deal', field: 'company.name', type: 'text' } as const
    expect(await isSure({ kind: 'query', query, show })).toBe(false)
    expect(await isSure({ kind: 'query', query })).toBe(true)
    const companies = { entity: 'company', where: { some: 'deals', where: query.where } } as const
    expect(await isSure({ kind: 'query', query: companies })).toBe(false)
  })

  it('leaves out readings that have no answer', async () => {
    const readings = two.map((one, i) => ({ ...one, meaning: meanings[i] ?? one.meaning }))
    const answer = { ...refusal('data'), grounded: true, data: { count: 2 } }
    const agree = await agreedAnswer(readings, [-0.7, -0.7], async meaning =>
      meaning === meanings[0] ? refusal('data') : answer,
    )
    expect(agree).toMatchObject({ reading: { text: 'b' }, isSure: true })
  })

  it('takes a list for the same as one with a field that it compares', async () => {
    const query = { entity: 'deal', where: { field: 'amount', op: 'gt', value: 5 } } as const
    const show = { entity: 'deal', field: 'amount', type: 'money' } as const
    const list = reading('list', { meaning: { kind: 'query', query } })
    const shown = reading('shown', { meaning: { kind: 'query', query, show } })
    const same = await agreedAnswer([list, shown], [-0.7, -0.8], async of => ({
      ...refusal('data'),
      grounded: true,
      data: { count: 1 },
      citations: [{ ...CITED, snippet: of.kind === 'query' && of.show ? 'amount 9' : '' }],
    }))
    expect(same?.isSure).toBe(true)
  })

  it('takes the sum of a field of one record for that field', async () => {
    const query = { entity: 'deal', where: { field: 'id', op: 'eq', value: 'x' } } as const
    const show = { entity: 'deal', field: 'amount', type: 'money' } as const
    const sum = reading('sum', {
      meaning: { kind: 'query', query: { ...query, measure: { kind: 'sum', field: 'amount' } } },
    })
    const shown = reading('shown', { meaning: { kind: 'query', query, show } })
    const same = await agreedAnswer([sum, shown], [-0.7, -0.8], async of => ({
      ...refusal('data'),
      grounded: true,
      data: { count: 1, ...(of.kind === 'query' && of.show ? {} : { figures: [9] }) },
      citations: [{ ...CITED, snippet: '' }],
    }))
    expect(same?.isSure).toBe(true)
  })

  it('is surer of a sum that may be a list, because it is answered with the records', async () => {
    const query = { entity: 'deal', where } as const
    const sum = reading('sum', {
      meaning: { kind: 'query', query: { ...query, measure: { kind: 'sum', field: 'amount' } } },
    })
    const list = reading('list', { meaning: { kind: 'query', query } })
    const answered = (listed: number) =>
      agreedAnswer([sum, list], [-0.5, -1], async of => ({
        ...refusal('data'),
        grounded: true,
        data: of === list.meaning ? { count: listed } : { count: 2, figures: [9] },
        citations: ['x', 'y'].map(entity_id => ({ ...CITED, entity_id, snippet: '' })),
      }))
    expect(await answered(2)).toMatchObject({ reading: { text: 'sum' }, isSure: true })
    expect(await answered(3)).toMatchObject({ reading: { text: 'sum' }, isSure: false })
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
      expect((await agreedAnswer(both, [-0.7, -0.7], async () => answer))?.isSure).toBe(true)
    }
  })

  it('takes a ranking of no records for no answer', async () => {
    const query = {
      entity: 'company',
      order: [{ by: 'annual_revenue', direction: 'desc' }],
      limit: 5,
    } as const
    const ranking = reading('ranking', {
      meaning: { kind: 'query', query: { ...query, order: [...query.order] } },
    })
    const empty = { ...refusal('data'), grounded: true, data: { count: 0 } }
    const own = [{ reading: { ...ranking, isByRules: true as const }, answer: empty }]
    expect(await likeliestOf(own, [], async () => empty)).toBeUndefined()
  })

  it('takes none that is unlikely', async () => {
    expect(await agreed([-5, -5])).toBeUndefined()
    expect(await agreedAnswer([], [], async () => refusal('data'))).toBeUndefined()
  })

  it('takes no reading that cannot be answered', async () => {
    expect(await agreedAnswer(two, [0, -5], async () => refusal('data'))).toBeUndefined()
  })

  it('takes what the rules read, also where a parsed reading tells more of the same records', async () => {
    const of = (figure: number, ...ids: string[]): Answer => ({
      ...refusal('data'),
      grounded: true,
      data: { count: ids.length, figures: [figure] },
      citations: ids.map(entity_id => ({ ...CITED, entity_id, snippet: '' })),
    })
    const textOf = async (parsed: Answer) => {
      const own = [{ reading: reading('rules', { isByRules: true, logp: null }), answer: of(1, 'a', 'b') }]
      return (await likeliestOf(own, [reading('parsed', { logp: 0 })], async () => parsed))?.reading.text
    }
    expect(await textOf(of(2, 'b', 'a'))).toBe('rules')
    expect(await textOf(of(0))).toBe('rules')
  })

  it('takes what the parser is sure of before what the rules read of nothing', async () => {
    const none = { ...refusal('data'), grounded: true, data: { count: 0 } }
    const one = { ...none, data: { count: 1 } }
    const own = [
      { reading: reading('rules', { isByRules: true, logp: null, meaning: OF_ONE }), answer: none },
    ]
    const textOf = async (answer: Answer) =>
      (await likeliestOf(own, [reading('parsed', { logp: -0.1 })], async () => answer))?.reading.text
    expect(await textOf(one)).toBe('parsed')
    expect(await textOf(refusal('data'))).toBe('rules')
  })
})
