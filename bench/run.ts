/**
 * `npm run bench`: Kith on 100,000 companies beside two floors, in one run. The plain floor is a handler on one table
 * without triggers (`plain-floor.ts`); the own floor runs Kith's own statements on Kith's tables without checks
 * (`floor.ts`), so it shows what the service costs beside the database. Each figure is the median of three rounds in
 * which all targets take turns. Writes results.json and ratios.svg.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { type Load, load, type Measured } from './load.ts'
import { picture } from './picture.ts'
import { startTargets, type Targets } from './targets.ts'

const RECORDS = Number(process.env.KITH_BENCH_RECORDS ?? 100_000)
const SECONDS = Number(process.env.KITH_BENCH_SECONDS ?? 1.5)
const ROUNDS = Number(process.env.KITH_BENCH_ROUNDS ?? 3)
/** PostgreSQL with its own settings; off: with those of the tests, whose commits do not wait for the disk */
const DURABLE = process.env.KITH_BENCH_DURABLE !== 'off'
const CONNECTIONS = [1, 10]

export interface Result {
  name: string
  connections: number
  /** Kith's requests a second by those of the plain floor */
  ratio: number
  wanted: number
  perSecond: PerTarget
  /** milliseconds of a request */
  median: PerTarget
  p99: PerTarget
}

interface PerTarget {
  kith: number
  plain: number
  own?: number
}

interface Work {
  wanted: number
  kith: Load
  plain: Load
  own?: Load
  /** what others do meanwhile, on as many connections */
  beside?: Pick<Work, 'kith' | 'plain'>
}

const company = (n: number) => ({
  name: `Bench ${n}`,
  domains: [`bench-${n}.example`],
  city: 'Rome',
  employee_count: n % 1000,
})

// no two rounds create the same domain
let created = 0
const next = () => JSON.stringify(company(created++))

function worksOn({ headers, kithIds, plainIds }: Targets): Record<string, Work> {
  const one = (ids: readonly string[], n: number) => ids[(n * 7919) % ids.length]
  const read = (query: string | ((n: number) => string)): Pick<Work, 'kith' | 'plain'> => {
    const path = typeof query === 'string' ? () => query : query
    return {
      kith: { path: n => `/api/companies${path(n)}`, headers },
      plain: { path: n => `/companies${path(n)}` },
    }
  }
  const create: Pick<Work, 'kith' | 'plain'> = {
    kith: { method: 'POST', path: () => '/api/companies', body: next, headers },
    plain: { method: 'POST', path: () => '/companies', body: next },
  }
  return {
    'get by id': {
      wanted: 0.8,
      kith: { path: n => `/api/companies/${one(kithIds, n)}`, headers },
      plain: { path: n => `/companies/${one(plainIds, n)}` },
      own: { path: n => `/get/${one(kithIds, n)}` },
    },
    'list of 50 with total': { wanted: 8, ...read('') },
    'page 1000': { wanted: 8, ...read('?page=1000') },
    'page 1000 beside writes': { wanted: 8, ...read('?page=1000'), beside: create },
    'search, few match': { wanted: 1, ...read(n => `?search=company%20${n % 1000}7`) },
    'search, all match': { wanted: 1, ...read('?search=company') },
    create: {
      wanted: 0.5,
      ...create,
      own: {
        method: 'POST',
        path: () => '/create',
        body: () => {
          const { domains, ...rest } = company(created++)
          return JSON.stringify({ ...rest, domains: JSON.stringify(domains) })
        },
      },
    },
    update: {
      wanted: 0.5,
      kith: { method: 'PUT', path: n => `/api/companies/${one(kithIds, n)}`, body: next, headers },
      plain: { method: 'PUT', path: n => `/companies/${one(plainIds, n)}`, body: next },
    },
  }
}

type Target = keyof Targets['ports']
const TARGETS: readonly Target[] = ['plain', 'kith', 'own']

async function measure(targets: Targets, name: string, work: Work, connections: number): Promise<Result> {
  const used = TARGETS.filter(target => work[target])
  const runs: Record<Target, Measured[]> = { kith: [], plain: [], own: [] }
  const turn = async (target: Target, ms: number): Promise<Measured> => {
    const port = targets.ports[target]
    const beside = work.beside && target !== 'own' ? work.beside[target] : undefined
    const [measured] = await Promise.all([
      load(port, work[target] as Load, connections, ms),
      beside && load(port, beside, connections, ms),
    ])
    return measured
  }
  // plans are made and code is compiled before it counts
  for (const target of used) await turn(target, 400)
  for (let round = 0; round < ROUNDS; round++)
    for (const target of used) runs[target].push(await turn(target, SECONDS * 1000))
  const medianOf = (target: Target, of: keyof Measured) =>
    runs[target].map(run => run[of]).sort((a, b) => a - b)[Math.floor(runs[target].length / 2)] ?? Number.NaN
  const each = (of: keyof Measured, digits: number): PerTarget => {
    const rounded = (target: Target) => Number(medianOf(target, of).toFixed(digits))
    return {
      kith: rounded('kith'),
      plain: rounded('plain'),
      ...(work.own ? { own: rounded('own') } : {}),
    }
  }
  return {
    name,
    connections,
    ratio: Number((medianOf('kith', 'perSecond') / medianOf('plain', 'perSecond')).toFixed(2)),
    wanted: work.wanted,
    perSecond: each('perSecond', 0),
    median: each('median', 2),
    p99: each('p99', 2),
  }
}

const targets = await startTargets(RECORDS, DURABLE)
try {
  const idle = targets.memory()
  console.log(
    '                          connections  Kith/s  plain/s  own/s   Kith : plain (wanted)  median / p99 ms   plain',
  )
  const results: Result[] = []
  for (const [name, work] of Object.entries(worksOn(targets))) {
    for (const connections of CONNECTIONS) {
      const result = await measure(targets, name, work, connections)
      results.push(result)
      console.log(lineOf(result))
    }
  }
  const memory = { idle_mb: Math.round(idle), after_load_mb: Math.round(targets.memory()) }
  console.log(`\nmemory of Kith: ${memory.idle_mb} MB idle, ${memory.after_load_mb} MB after the load`)
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    architecture: process.arch,
    cores: cpus().length,
    node: process.version,
    postgresql: targets.postgresql,
    fsync: targets.fsync,
    trigram_index_in_plain_floor: targets.hasTrigrams,
  }
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const written = {
    measured_at: new Date().toISOString(),
    commit,
    code: targets.code,
    machine,
    records: RECORDS,
    memory,
    results,
  }
  const here = (file: string) => new URL(file, import.meta.url)
  writeFileSync(here('./results.json'), `${JSON.stringify(written, null, 2)}\n`)
  writeFileSync(
    here('./ratios.svg'),
    picture(results, `${RECORDS.toLocaleString('en')} companies, commit ${commit}`),
  )
} finally {
  await targets.stop()
}

function lineOf({ name, connections, perSecond, ratio, wanted, median, p99 }: Result): string {
  return [
    name.padEnd(26),
    String(connections).padStart(11),
    String(perSecond.kith).padStart(8),
    String(perSecond.plain).padStart(9),
    String(perSecond.own ?? '').padStart(7),
    `${ratio.toFixed(2)} (${wanted})`.padStart(24),
    `${median.kith} / ${p99.kith}`.padStart(17),
    `${median.plain} / ${p99.plain}`.padStart(17),
  ].join('')
}
