/** Recall, rank and accuracy of one set. */
import type { Data, Exact, Paraphrase } from './questions.ts'
import type { Running } from './service.ts'

interface Ranks {
  'recall@1': number
  'recall@5': number
  mrr: number
  ms: number
}

export interface QuestionSet {
  exact: readonly Exact[]
  paraphrase: readonly Paraphrase[]
  data: readonly Data[]
  unanswerable: readonly string[]
  conflicting: readonly { question: string; newest: string; older: string }[]
}

const round = (value: number) => Math.round(value * 1000) / 1000

interface Item {
  entity_id: string
  entity_type: string
  name: string
  snippet: string
}

async function ranks<T extends { query: string }>(
  { post }: Running,
  cases: readonly T[],
  mode: string,
  right: (one: T, item: Item) => boolean,
  verbose: boolean,
  /** the place up to which it is good */
  good = 5,
): Promise<Ranks> {
  const places: number[] = []
  const began = performance.now()
  for (const one of cases) {
    const { items } = await post('/api/search', { query: one.query, mode, page_size: 10 })
    const place = items.findIndex((item: Item) => right(one, item))
    places.push(place)
    if (verbose && (place < 0 || place >= good))
      console.log(`  ${mode} ${place}: ${one.query} → ${items[0]?.snippet.slice(0, 90)}`)
  }
  const share = (limit: number) =>
    round(places.filter(place => place >= 0 && place < limit).length / places.length)
  const mrr = round(places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0) / places.length)
  const ms = round((performance.now() - began) / cases.length)
  return { 'recall@1': share(1), 'recall@5': share(5), mrr, ms }
}

async function accuracy<T>(
  cases: readonly T[],
  right: (one: T) => Promise<string | undefined>,
  verbose: boolean,
): Promise<number> {
  let good = 0
  for (const one of cases) {
    const wrong = await right(one)
    if (wrong === undefined) good++
    else if (verbose) console.log(`  ✗ ${wrong}`)
  }
  return round(good / cases.length)
}

async function dataRight({ post }: Running, one: Data): Promise<string | undefined> {
  const { answer, model, citations } = await post('/api/search/ask', { question: one.question })
  const numbers = (answer.replace(/\([^)]*\)/g, '').match(/\d+(?:\.\d+)?/g) ?? [])
    .concat(answer.match(/\d+(?:\.\d+)?/g) ?? [])
    .map(Number)
  const missing = [
    ...(one.numbers ?? []).filter(number => !numbers.includes(number)),
    ...(one.names ?? []).filter(name => !answer.includes(name)),
    ...(one.texts ?? []).filter(text => !answer.includes(text)),
  ]
  // a figure, and none of those in the name of a record
  const said = citations.reduce((text: string, { name }: Item) => text.replaceAll(name, ''), answer)
  const first =
    (one.numbers ?? []).length === 1 ? Number(said.match(/\d+(?:\.\d+)?/)?.[0]) === one.numbers![0] : true
  const exactly =
    one.names === undefined || one.names.length === 0 || citations.length <= one.names.length + 1
  if (model === 'data' && missing.length === 0 && exactly && first) return undefined
  return `${one.question} → [${model}] ${answer.slice(0, 160)} (wanted ${missing.join(', ') || 'exactly those'})`
}

export async function measure(
  service: Running,
  set: QuestionSet,
  ids: ReadonlyMap<string, string>,
  verbose: boolean,
) {
  const { post } = service
  const byName = (one: Exact, item: Item) => item.name === one.name
  const byId = (one: Paraphrase, item: { entity_id: string }) => item.entity_id === ids.get(one.text.trim())
  const lost = set.paraphrase.filter(one => !ids.has(one.text.trim()))
  if (lost.length > 0) throw new Error(`not among the records: ${lost[0]!.text}`)
  return {
    exact: {
      cases: set.exact.length,
      keyword: await ranks(service, set.exact, 'keyword', byName, false),
      hybrid: await ranks(service, set.exact, 'hybrid', byName, verbose, 1),
    },
    paraphrase: {
      cases: set.paraphrase.length,
      keyword: await ranks(service, set.paraphrase, 'keyword', byId, false),
      semantic: await ranks(service, set.paraphrase, 'semantic', byId, verbose),
      hybrid: await ranks(service, set.paraphrase, 'hybrid', byId, verbose),
    },
    answers: {
      cases: {
        data: set.data.length,
        unanswerable: set.unanswerable.length,
        conflicting: set.conflicting.length,
      },
      'paraphrase answered and cited': await accuracy(
        set.paraphrase,
        async one => {
          const { grounded, citations, answer } = await post('/api/search/ask', { question: one.query })
          const right = grounded && citations.some((citation: Item) => byId(one, citation))
          return right ? undefined : `${one.query} → ${grounded} ${answer.slice(0, 100)}`
        },
        verbose,
      ),
      'data exactly right': await accuracy(set.data, one => dataRight(service, one), verbose),
      'unanswerable refused': await accuracy(
        set.unanswerable,
        async question => {
          const { grounded, answer, model } = await post('/api/search/ask', { question })
          return grounded ? `${question} → [${model}] ${answer.slice(0, 120)}` : undefined
        },
        verbose,
      ),
      'conflicts shown newest first': await accuracy(
        set.conflicting,
        async one => {
          const { conflicts } = await post('/api/search/ask', { question: one.question })
          const [first, second] = conflicts[0]?.statements ?? []
          const right = first?.text.includes(one.newest) && second?.text.includes(one.older)
          return right ? undefined : one.question
        },
        verbose,
      ),
    },
  }
}
