/**
 * `node bench/type-ahead.ts [server|embedded] [rows]`: imports people, waits until they can be found, and types. Also:
 * how soon something that a person writes is found while the import is being indexed.
 */
import { benchService } from './service.ts'

const engine = (process.argv[2] ?? 'server') as 'server' | 'embedded'
const rows = Number(process.argv[3] ?? 20_000)
const TYPED = ['an', 'ann', 'Anna La', 'last123', 'comp', 'company 12', 'person77', 'zeb', 'head of']
const TIMES = 40

// Vectors have no part in this, and twenty thousand of them take minutes.
const service = await benchService(engine, 18_715, { KITH_EMBEDDINGS_LOCAL: 'off' })
try {
  await importPeople()
  console.log(`${engine}: what a person wrote was found after ${Math.round(await foundAfter())} ms`)
  await indexed()
  for (const typed of TYPED) await type(typed)
} finally {
  await service.stop()
}

async function importPeople(): Promise<void> {
  const names = ['Anna', 'Bernd', 'Clara', 'David', 'Elena', 'Farid', 'Greta', 'Hugo']
  const lines = ['First Name,Last Name,Email,Phone Number,Job Title,Company Name\n']
  for (let i = 0; i < rows; i++) {
    const company = i % 500
    lines.push(
      `${names[i % names.length]},Last${i},person${i}@company-${company}.example,+43 1 ${1_000_000 + i},Head of Things,Company ${company}\n`,
    )
  }
  const form = new FormData()
  form.set('entity_type', 'contact')
  form.set('file', new Blob(lines), 'people.csv')
  const { id } = (await (await service.call('POST', '/api/imports', form)).json()) as { id: string }
  const started = await service.call('POST', `/api/imports/${id}/start`)
  await service.ended(((await started.json()) as { job_id: string }).job_id)
}

async function suggestions(typed: string): Promise<unknown[]> {
  const response = await service.call('GET', `/api/search?suggest=true&q=${encodeURIComponent(typed)}`)
  return ((await response.json()) as { items: unknown[] }).items
}

async function foundAfter(): Promise<number> {
  const began = performance.now()
  await service.call(
    'POST',
    '/api/companies',
    JSON.stringify({ name: 'Zebulon Quarzwerk' }),
    'application/json',
  )
  while ((await suggestions('zebul')).length === 0) await new Promise(resolve => setTimeout(resolve, 50))
  return performance.now() - began
}

async function indexed(): Promise<void> {
  for (;;) {
    const status = await (await service.call('GET', '/api/search/status')).json()
    if ((status as { pending_records: number }).pending_records === 0) return
    await new Promise(resolve => setTimeout(resolve, 1000))
  }
}

async function type(typed: string): Promise<void> {
  const times: number[] = []
  for (let i = 0; i < TIMES; i++) {
    const began = performance.now()
    await suggestions(typed)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * TIMES)]!.toFixed(1)
  console.log(`${engine}: "${typed}": median ${at(0.5)} ms, one in twenty over ${at(0.95)} ms`)
}
