/**
 * `node bench/quality/run.ts`: how well search and answers do on a CRM of 300 passages and 200 questions. Starts the
 * service on an empty embedded database, fills it over HTTP, asks, prints a table and records it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.ts'
import { createService } from '../../src/service.ts'
import { conflicting, data, exact, paraphrase, unanswerable } from './questions.ts'
import { activities, companies, contacts, deals, notes, pages } from './world.ts'

const KEY = 'sk_quality_0123456789abcdef'
/** `--data=<folder>` keeps what was filled in, for the next run. */
const given = process.argv.find(argument => argument.startsWith('--data='))?.slice(7)
const dataDir = given ?? mkdtempSync(join(tmpdir(), 'kith-quality-'))
const service = await createService(
  loadConfig({
    ...process.env,
    KITH_DATA_DIR: dataDir,
    KITH_API_KEY: KEY,
    KITH_LOG_LEVEL: 'warn',
    PORT: '0',
  }),
)
const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
const verbose = process.argv.includes('--verbose')

// biome-ignore lint/suspicious/noExplicitAny: answers of many kinds
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
const post = (path: string, body: unknown) => call('POST', path, body)

async function fill(): Promise<void> {
  await post('/api/custom-fields', { entity_type: 'contact', name: 'Plan', field_type: 'text' })
  const ids = new Map<string, string>()
  for (const company of companies) ids.set(company.name, (await post('/api/companies', company)).id)
  const people: string[] = []
  for (const { company, plan, ...contact } of contacts) {
    people.push(
      (await post('/api/contacts', { ...contact, company_id: ids.get(company), metadata: { plan } })).id,
    )
  }
  const stages = await stageIds()
  for (const { company, stage, ...deal } of deals) {
    await post('/api/deals', { ...deal, company_id: ids.get(company), stage_id: stages.get(stage) })
  }
  for (const { contact: _, contact_index, company: __, ...activity } of activities) {
    await post('/api/activities', { ...activity, contact_ids: [people[contact_index]] })
  }
  for (const { company, ...note } of notes) {
    await post('/api/notes', { ...note, entity_type: 'company', entity_id: ids.get(company) })
  }
  for (const page of pages) {
    await post('/api/kb/documents', { type: 'page', title: page.title, content_markdown: page.content })
  }
}

async function stageIds(): Promise<Map<string, string>> {
  const { items } = await call('GET', '/api/deals/pipelines')
  const { items: present } = await call('GET', `/api/deals/stages?pipeline_id=${items[0].id}&page_size=100`)
  const found = new Map<string, string>(
    present.map((stage: { name: string; id: string }) => [stage.name, stage.id]),
  )
  for (const [i, name] of ['Lead', 'Qualified', 'Proposal', 'Negotiation', 'Won', 'Lost'].entries()) {
    if (found.has(name)) continue
    const type = name === 'Won' ? 'won' : name === 'Lost' ? 'lost' : 'open'
    const stage = await post('/api/deals/stages', {
      pipeline_id: items[0].id,
      name,
      type,
      probability: i * 15,
      position: 50 + i,
    })
    found.set(name, stage.id)
  }
  return found
}

async function indexed(): Promise<{ passages: number; seconds: number }> {
  const began = performance.now()
  for (;;) {
    const { status, passages, embeddings } = await call('GET', '/api/search/status')
    if (status === 'ready' && embeddings.pending === 0)
      return { passages, seconds: (performance.now() - began) / 1000 }
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

interface Ranks {
  'recall@1': number
  'recall@5': number
  mrr: number
  ms: number
}

const round = (value: number) => Math.round(value * 1000) / 1000

async function ranks<T extends { query: string }>(
  cases: readonly T[],
  mode: string,
  right: (one: T, item: { name: string; snippet: string; entity_type: string }) => boolean,
  types?: string[],
): Promise<Ranks> {
  const places: number[] = []
  const began = performance.now()
  for (const one of cases) {
    const { items } = await post('/api/search', {
      query: one.query,
      mode,
      page_size: 10,
      ...(types ? { entity_types: types } : {}),
    })
    const place = items.findIndex((item: { name: string; snippet: string; entity_type: string }) =>
      right(one, item),
    )
    places.push(place)
    if (verbose && (place < 0 || place > 4))
      console.log(`  ${mode} ${place}: ${one.query} → ${items[0]?.snippet.slice(0, 90)}`)
  }
  const share = (limit: number) =>
    round(places.filter(place => place >= 0 && place < limit).length / places.length)
  const mrr = round(places.reduce((sum, place) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0) / places.length)
  return {
    'recall@1': share(1),
    'recall@5': share(5),
    mrr,
    ms: round((performance.now() - began) / cases.length),
  }
}

const bare = (text: string) => text.replaceAll('*', '').replaceAll('… ', '').replaceAll(' …', '')
const sameText = (one: { text: string }, item: { snippet: string }) => {
  const snippet = bare(item.snippet)
  return one.text.includes(snippet.slice(0, 60)) || snippet.includes(one.text.slice(0, 60))
}

async function accuracy<T>(
  cases: readonly T[],
  right: (one: T) => Promise<string | undefined>,
): Promise<number> {
  let good = 0
  for (const one of cases) {
    const wrong = await right(one)
    if (wrong === undefined) good++
    else if (verbose) console.log(`  ✗ ${wrong}`)
  }
  return round(good / cases.length)
}

async function dataRight(one: (typeof data)[number]): Promise<string | undefined> {
  const { answer, model, citations } = await post('/api/search/ask', { question: one.question })
  const numbers = (answer.replace(/\([^)]*\)/g, '').match(/\d+(?:\.\d+)?/g) ?? [])
    .concat(answer.match(/\d+(?:\.\d+)?/g) ?? [])
    .map(Number)
  const missing = [
    ...(one.numbers ?? []).filter(number => !numbers.includes(number)),
    ...(one.names ?? []).filter(name => !answer.includes(name)),
    ...(one.texts ?? []).filter(text => !answer.includes(text)),
  ]
  const first =
    (one.numbers ?? []).length === 1 ? Number(answer.match(/\d+(?:\.\d+)?/)?.[0]) === one.numbers![0] : true
  const exactly =
    one.names === undefined || one.names.length === 0 || citations.length <= one.names.length + 1
  if (model === 'data' && missing.length === 0 && exactly && first) return undefined
  return `${one.question} → [${model}] ${answer.slice(0, 160)} (wanted ${missing.join(', ') || 'exactly those'})`
}

const answered = await (async () => {
  if ((await call('GET', '/api/contacts')).total === 0) await fill()
  const index = await indexed()
  const byName = (one: { name: string }, item: { name: string }) => item.name === one.name
  const written = ['note', 'kb_page']
  return {
    index,
    exact: {
      cases: exact.length,
      keyword: await ranks(exact, 'keyword', byName),
      hybrid: await ranks(exact, 'hybrid', byName),
    },
    paraphrase: {
      cases: paraphrase.length,
      keyword: await ranks(paraphrase, 'keyword', sameText, written),
      semantic: await ranks(paraphrase, 'semantic', sameText, written),
      hybrid: await ranks(paraphrase, 'hybrid', sameText, written),
      'hybrid, all kinds': await ranks(paraphrase, 'hybrid', sameText),
    },
    answers: {
      'paraphrase answered and cited': await accuracy(paraphrase, async one => {
        const { grounded, citations, answer } = await post('/api/search/ask', { question: one.query })
        if (grounded && citations.some((citation: { snippet: string }) => sameText(one, citation)))
          return undefined
        return `${one.query} → ${grounded} ${answer.slice(0, 100)}`
      }),
      'data exactly right': await accuracy(data, dataRight),
      'unanswerable refused': await accuracy(unanswerable, async question => {
        const { grounded, answer, model } = await post('/api/search/ask', { question })
        return grounded ? `${question} → [${model}] ${answer.slice(0, 120)}` : undefined
      }),
      'conflicts shown newest first': await accuracy(conflicting, async one => {
        const { conflicts } = await post('/api/search/ask', { question: one.question })
        const [first, second] = conflicts[0]?.statements ?? []
        return first?.text.includes(one.newest) && second?.text.includes(one.older) ? undefined : one.question
      }),
      cases: { data: data.length, unanswerable: unanswerable.length, conflicting: conflicting.length },
    },
  }
})()
console.log(JSON.stringify(answered, null, 2))
writeFileSync(
  new URL('./results.json', import.meta.url),
  `${JSON.stringify({ at: new Date().toISOString().slice(0, 10), ...answered }, null, 2)}\n`,
)
await service.close()
if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
process.exit(0)
