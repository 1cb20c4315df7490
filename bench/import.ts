/**
 * `node bench/import.ts [server|embedded] [rows]`: people with their companies from a CSV file. How long a dry run, the
 * import and its revert take, how much memory the process takes for it, and what becomes of other requests meanwhile.
 */
import { load } from './load.ts'
import { benchService, growth } from './service.ts'

const engine = (process.argv[2] ?? 'server') as 'server' | 'embedded'
const rows = Number(process.argv[3] ?? 100_000)
const service = await benchService(engine, 18_711, {
  KITH_INDEXER: process.env.KITH_INDEXER ?? 'off',
  KITH_IMPORT_LIMIT: '1000000000',
})
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

try {
  const id = await uploaded(0)
  await report('dry run', () => action(id, 'validate'))
  await report('import', () => action(id, 'start'))
  console.log(await counts(id))
  await meanwhile()
  await report('revert', () => action(id, 'revert'))
  console.log(await counts(id))
} finally {
  await service.stop()
}

async function report(name: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  const { grown } = await growth(service, work)
  const ms = performance.now() - began
  const rate = Math.round(rows / (ms / 1000)).toLocaleString('en')
  console.log(`${engine}: ${name} of ${rows} rows: ${seconds(ms)}, ${rate} rows/s, +${Math.round(grown)} MB`)
}

async function uploaded(from: number): Promise<string> {
  const form = new FormData()
  form.set('entity_type', 'contact')
  form.set('file', new Blob([...lines(from)]), 'people.csv')
  const answer = await service.call('POST', '/api/imports', form)
  const body = (await answer.json()) as { id: string; total_rows: number }
  if (answer.status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

function* lines(from: number): Generator<string> {
  yield 'First Name,Last Name,Email,Phone Number,Job Title,Company Name,City,Country/Region,Lifecycle Stage\r\n'
  const companies = Math.ceil(rows / 10)
  for (let i = from; i < from + rows; i++) {
    const company = i % companies
    yield `First${i},Last${i},person${i}@company-${company}.example,+43 1 ${1_000_000 + i},Head of Things,Company ${company},Vienna,Austria,lead\r\n`
  }
}

async function action(id: string, name: string): Promise<void> {
  const answer = await service.call('POST', `/api/imports/${id}/${name}`)
  const body = (await answer.json()) as { job_id: string }
  if (answer.status !== 202) throw new Error(JSON.stringify(body))
  await service.ended(body.job_id)
}

async function counts(id: string): Promise<string> {
  const body = (await (await service.call('GET', `/api/imports/${id}`)).json()) as Record<string, unknown>
  const shown = [
    'status',
    'created_count',
    'skipped_count',
    'error_count',
    'reverted_count',
    'conflict_count',
    'error',
  ]
  return shown.map(name => `${name} ${body[name]}`).join(', ')
}

/** Other requests while a second import runs, against the same requests on the quiet service. */
async function meanwhile(): Promise<void> {
  const { items } = (await (await service.call('GET', '/api/companies?page_size=100')).json()) as {
    items: { id: string }[]
  }
  const work = {
    path: (n: number) => `/api/companies/${items[n % items.length]!.id}`,
    headers: service.headers,
  }
  await load(service.port, work, 4, 2000)
  const quiet = await load(service.port, work, 4, 4000)
  const id = await uploaded(rows)
  const importing = action(id, 'start')
  await new Promise(resolve => setTimeout(resolve, 1000))
  const busy = await load(service.port, work, 4, 4000)
  await service.call('POST', `/api/imports/${id}/cancel`)
  await importing
  const ratio = (busy.median / quiet.median).toFixed(2)
  console.log(
    `${engine}: GET of a company meanwhile: median ${busy.median.toFixed(2)} ms, quiet ${quiet.median.toFixed(2)} ms: × ${ratio} (p99 ${busy.p99.toFixed(1)} / ${quiet.p99.toFixed(1)} ms)`,
  )
  await action(id, 'revert')
}
