/** What `npm run bench` measures: Kith and the two floors, each a process of its own on one PostgreSQL server. */
import { type ChildProcess, fork } from 'node:child_process'
import pg from 'pg'
import { BLOCK_SIZE, BLOCKS } from '../src/db/text-index/tables.ts'
import { newDatabase } from '../test/support/postgres-server.ts'
import { companyStatements, seedCompanies } from './seed.ts'
import { benchService } from './service.ts'

export interface Targets {
  ports: { kith: number; plain: number; own: number }
  headers: Record<string, string>
  kithIds: readonly string[]
  plainIds: readonly string[]
  /** false: this PostgreSQL lacks pg_trgm, and the plain floor's search scans */
  hasTrigrams: boolean
  postgresql: string
  /** PostgreSQL's own: whether a commit waits for the disk */
  fsync: string
  code: 'bundle' | 'sources'
  /** megabytes that Kith's process holds */
  memory(): number
  stop(): Promise<void>
}

const PORTS = { kith: 18_701, plain: 18_702, own: 18_703 }

/** `durable`: PostgreSQL with its own settings, for all targets alike; else with those of the tests. */
export async function startTargets(records: number, durable: boolean): Promise<Targets> {
  const children: ChildProcess[] = []
  // What is seeded bypasses the service; indexing it would take the cores from what is measured.
  const kith = await benchService('server', PORTS.kith, { KITH_INDEXER: 'false' }, { durable })
  const stop = async () => {
    for (const child of children) child.kill('SIGTERM')
    await kith.stop()
  }
  try {
    const url = kith.databaseUrl ?? ''
    const seeded = await seedCompanies(url, records)
    const statements = JSON.stringify(companyStatements(seeded))
    await started(children, ['bench/floor.ts', url, String(PORTS.own), statements])
    const plain = await started(children, [
      'bench/plain-floor.ts',
      await newDatabase(url),
      String(PORTS.plain),
      String(records),
    ])
    await settled(url, records)
    return {
      ports: PORTS,
      headers: kith.headers,
      kithIds: seeded.ids,
      plainIds: plain.ids,
      hasTrigrams: plain.hasTrigrams,
      ...(await settingsOf(url)),
      code: kith.code,
      memory: kith.memory,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Ready {
  ids: string[]
  hasTrigrams: boolean
}

function started(children: ChildProcess[], [file = '', ...args]: string[]): Promise<Ready> {
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.once('message', ready => resolve(ready as Ready))
    child.once('exit', code => reject(new Error(`${file} ended with ${code}`)))
  })
}

async function settingsOf(url: string): Promise<Pick<Targets, 'postgresql' | 'fsync'>> {
  const client = await connected(url)
  const { rows } = await client.query(
    `select current_setting('server_version') as postgresql, current_setting('fsync') as fsync`,
  )
  await client.end()
  return rows[0]
}

/**
 * Waits for the work that seeding causes: some seconds after its start the service indexes the texts of all records for
 * `search`, and PostgreSQL vacuums and analyses. Gets were measured meanwhile before.
 */
async function settled(url: string, records: number): Promise<void> {
  const client = await connected(url)
  const segments = Math.floor(records / (BLOCKS * BLOCK_SIZE))
  const isSettled = async () => {
    const { rows } = await client.query(
      `select (select count(*) from kith.search_text_segments where is_complete)::int as segments,
        (select count(*) from pg_stat_activity where backend_type = 'autovacuum worker')::int as vacuuming`,
    )
    return rows[0].segments >= segments && rows[0].vacuuming === 0
  }
  while (!(await isSettled())) await new Promise(resolve => setTimeout(resolve, 500))
  await client.query('checkpoint')
  await client.end()
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
