/** What `npm run bench` measures: Kith and the two floors, each a process of its own on one PostgreSQL server. */
import { type ChildProcess, fork } from 'node:child_process'
import pg from 'pg'
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
  /** megabytes that Kith's process holds */
  memory(): number
  stop(): Promise<void>
}

const PORTS = { kith: 18_701, plain: 18_702, own: 18_703 }

export async function startTargets(records: number): Promise<Targets> {
  const children: ChildProcess[] = []
  // What is seeded bypasses the service; indexing it would take the cores from what is measured.
  const kith = await benchService('server', PORTS.kith, { KITH_INDEXER: 'false' })
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
    return {
      ports: PORTS,
      headers: kith.headers,
      kithIds: seeded.ids,
      plainIds: plain.ids,
      hasTrigrams: plain.hasTrigrams,
      postgresql: await versionOf(url),
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

async function versionOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return rows[0].server_version
}
