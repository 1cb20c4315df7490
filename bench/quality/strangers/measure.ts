/** Asks everything of one set, and counts. */
import type { Filled } from './fill.ts'
import { type Answer, describe, wrong } from './judge.ts'
import type { Questions } from './types.ts'

interface Item {
  entity_id: string
  entity_type: string
  name: string
  snippet: string
}

/** A question that went wrong: what was expected, what came. */
export interface Failure {
  kind: string
  question: string
  expected: string
  got: string
}

const round = (value: number) => Math.round(value * 1000) / 1000
const line = (text: string, length: number) => text.replace(/\s+/g, ' ').slice(0, length)
const said = ({ grounded, model, answer }: Answer) =>
  `${grounded ? 'grounded' : 'refused'} [${model}] ${line(answer, 500)}`

export async function measure(filled: Filled, questions: Questions) {
  const { service, records, keyOf } = filled
  const failures: Failure[] = []
  const search = async (query: string): Promise<Item[]> =>
    (await service.post('/api/search', { query, mode: 'hybrid', page_size: 20 })).items
  const ask = (question: string): Promise<Answer> => service.post('/api/search/ask', { question })
  const show = (items: readonly Item[]) =>
    items
      .slice(0, 5)
      .map((item, i) => `\n    ${i + 1}. [${item.entity_type}] ${item.name} · ${line(item.snippet, 110)}`)
      .join('')
  const record = (key: string) => `${key} · ${line(records.get(key)!.text, 160)}`

  /** The places of the first record that is right, from 1; 0 for none. Noted as failures beyond `good`. */
  async function places(kind: 'exact' | 'paraphrase', good: number): Promise<number[]> {
    const found: number[] = []
    for (const [question, wanted] of questions[kind]) {
      const keys = [wanted].flat()
      const items = await search(question)
      const place = items.findIndex(item => keys.includes(keyOf.get(item.entity_id) ?? '')) + 1
      found.push(place)
      if (place >= 1 && place <= good) continue
      const expected = `${keys.map(record).join('\n    or ')} (place ${place || 'beyond 20'})`
      failures.push({ kind, question, expected, got: show(items) })
    }
    return found
  }

  /** The share of questions with which nothing is wrong. */
  async function share<T>(
    kind: string,
    cases: readonly T[],
    question: (one: T) => string,
    judge: (one: T, answer: Answer) => string | undefined,
  ): Promise<number> {
    let good = 0
    for (const one of cases) {
      const answer = await ask(question(one))
      const expected = judge(one, answer)
      if (expected === undefined) good++
      else failures.push({ kind, question: question(one), expected, got: said(answer) })
    }
    return round(good / cases.length)
  }

  const upTo = (list: readonly number[], limit: number) =>
    round(list.filter(place => place >= 1 && place <= limit).length / list.length)
  const exact = await places('exact', 1)
  const paraphrase = await places('paraphrase', 5)
  const inverse = paraphrase.reduce((sum, place) => sum + (place === 0 ? 0 : 1 / place), 0)
  const figures = {
    records: records.size,
    cases: {
      exact: exact.length,
      paraphrase: paraphrase.length,
      data: questions.data.length,
      facts: questions.facts.length,
      unanswerable: questions.unanswerable.length,
    },
    exact: { 'recall@1': upTo(exact, 1) },
    paraphrase: {
      'recall@1': upTo(paraphrase, 1),
      'recall@5': upTo(paraphrase, 5),
      mrr: round(inverse / paraphrase.length),
    },
    'paraphrase answered and cited': await share(
      'paraphrase answered',
      questions.paraphrase,
      ([query]) => query,
      ([, wanted], { grounded, citations }) => {
        const keys = [wanted].flat()
        const cited = citations.some(({ entity_id }) => keys.includes(keyOf.get(entity_id) ?? ''))
        return grounded && cited ? undefined : keys.map(record).join('\n    or ')
      },
    ),
    'data right': await share(
      'data',
      questions.data,
      ([question]) => question,
      ([, expected], answer) => {
        const reason = wrong(expected, answer, filled)
        return reason === undefined ? undefined : `${describe(expected, filled)} – ${reason}`
      },
    ),
    'facts right': await share(
      'facts',
      questions.facts,
      ([question]) => question,
      ([, patterns], { grounded, answer }) =>
        grounded && patterns.every(pattern => pattern.test(answer)) ? undefined : patterns.join(' and '),
    ),
    'unanswerable refused': await share(
      'unanswerable',
      questions.unanswerable,
      question => question,
      (_, { grounded }) => (grounded ? 'a refusal' : undefined),
    ),
  }
  return { figures, failures }
}
