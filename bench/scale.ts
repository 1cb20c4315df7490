/**
 * `node bench/scale.ts [records] [accounts] [base]`: whether requests stay as quick while an installation grows. The same
 * requests, in turns, to three databases: an account with 10,000 companies and 10,000 contacts, one with 1,000,000 of
 * each, and 10,000 accounts with 50 of each. Wanted: medians within 1.5 times of those at 10,000. Semantic search is
 * not measured here: embedding 1,000,000 passages takes hours.
 */
import { type Load, load } from './load.ts'
import { type Scale, seedScale, textsIndexed } from './seed-scale.ts'
import { type BenchService, benchService } from './service.ts'

const [records = 1_000_000, accounts = 10_000, base = 10_000] = process.argv.slice(2).map(Number)
const SECONDS = Number(process.env.KITH_BENCH_SECONDS ?? 2)
const ROUNDS = 5
const WANTED = 1.5

interface Target {
  label: string
  scale: Scale
  service: BenchService
  ids: string[]
}

const SCALES: Record<string, Scale> = {
  [base.toLocaleString('en')]: { records: base, accounts: 0 },
  [records.toLocaleString('en')]: { records, accounts: 0 },
  [`50 × ${accounts.toLocaleString('en')} accounts`]: { records: 50, accounts },
}

let created = 0
const body = () => JSON.stringify({ name: `Bench ${created++}`, domains: [`bench-${created}.example`] })

function worksOn({ scale, service: { headers }, ids }: Target): Record<string, Load> {
  const one = (n: number) => ids[(n * 7919) % ids.length]
  const get = (path: string | ((n: number) => string)): Load => ({
    path: typeof path === 'string' ? () => `/api/${path}` : n => `/api/${path(n)}`,
    headers,
  })
  const middle = Math.ceil(scale.records / 100)
  return {
    'get by id': get(n => `companies/${one(n)}`),
    'list of 50 companies': get('companies'),
    'list of 50 contacts': get('contacts'),
    'list of one status': get('companies?status=customer'),
    'list by name': get('contacts?sort_by=full_name&sort_order=asc'),
    'page in the middle': get(`companies?page=${middle}`),
    'search, one matches': get(n => `companies?search=company-${1 + ((n * 7919) % scale.records)}.example`),
    'search, all match': get('companies?search=company'),
    create: { method: 'POST', path: () => '/api/companies', body, headers },
    update: { method: 'PUT', path: n => `/api/companies/${one(n)}`, body, headers },
  }
}

async function started(label: string, scale: Scale, port: number): Promise<Target> {
  // What is seeded bypasses the service; embedding it would take the cores from what is measured.
  const service = await benchService('server', port, { KITH_INDEXER: 'false' })
  try {
    const began = performance.now()
    const ids = await seedScale(service.databaseUrl ?? '', scale)
    const request = () => service.call('GET', '/api/companies?page_size=1')
    await textsIndexed(service.databaseUrl ?? '', scale, request)
    console.log(`${label}: loaded and indexed in ${Math.round((performance.now() - began) / 1000)} s`)
    return { label, scale, service, ids }
  } catch (error) {
    await service.stop()
    throw error
  }
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function measure(targets: readonly Target[], name: string): Promise<number[]> {
  const medians: number[][] = targets.map(() => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [i, target] of targets.entries()) {
      const work = worksOn(target)[name] as Load
      const measured = await load(target.service.port, work, 1, (SECONDS * 1000) / ROUNDS)
      // plans are made and code is compiled in the first round
      if (round > 0) medians[i]?.push(measured.median)
    }
  }
  return medians.map(median)
}

function report(name: string, values: readonly number[], unit: string): void {
  const [smallest = Number.NaN] = values
  const cells = values.map(value => {
    const ratio = value / smallest
    return `${value.toFixed(2)} ${unit} × ${ratio.toFixed(2)}${ratio > WANTED ? '!' : ' '}`.padStart(20)
  })
  console.log(name.padEnd(24) + cells.join('  '))
}

const targets: Target[] = []
try {
  for (const [label, scale] of Object.entries(SCALES))
    targets.push(await started(label, scale, 18_721 + targets.length))
  console.log(`${' '.repeat(24)}${targets.map(({ label }) => label.padStart(20)).join('  ')}`)
  const starts: number[] = []
  for (const { service } of targets) starts.push(await service.restart())
  report('start', starts, 'ms')
  const [first] = targets
  for (const name of Object.keys(first ? worksOn(first) : {}))
    report(name, await measure(targets, name), 'ms')
  report(
    'memory after the load',
    targets.map(({ service }) => service.memory()),
    'MB',
  )
} finally {
  for (const { service } of targets) await service.stop()
}
