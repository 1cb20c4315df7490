/**
 * An engine of the kind `server` with pgvector, for tests: the PostgreSQL server of the tests has no extensions. It is
 * PGlite in this process, reached through the driver, role and row-level security of the service. It has one backend, so
 * `apart` has no connection of its own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { PGlite, protocol } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import { handleFor, type Scope, SYSTEM, scopeKey } from '../../src/db/dialect.ts'
import { Session, type SessionHost } from '../../src/db/embedded-session.ts'
import type { Engine } from '../../src/db/engine.ts'
import { imagePath } from '../../src/db/image-path.ts'
import { migrate } from '../../src/db/migrate.ts'
import { RawRowClient } from '../../src/db/raw-rows.ts'
import { statementCount } from '../../src/db/statement-count.ts'
import { typeParsers } from '../../src/db/types.ts'

export async function openPgvectorEngine(): Promise<Engine> {
  const image = existsSync(imagePath) ? { loadDataDir: new Blob([readFileSync(imagePath)]) } : {}
  const database = await PGlite.create({ extensions: { vector }, ...image })
  const pool = new pg.Pool({
    ...{ user: 'postgres', database: 'postgres', ssl: false, types: typeParsers },
    stream: () => new Session(hostOf(database)),
    Client: RawRowClient,
    max: 1,
    pipeline: true,
    idleTimeoutMillis: 0,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(`set search_path = kith; set timezone = 'UTC'; set jit = off`)
    },
  })
  const counted = statementCount()
  const as = (scope: Scope) => handleFor(pool, scope, scopeKey(scope), counted)
  const engine: Engine = {
    kind: 'server',
    as,
    reading: async scope => as(scope),
    listen: async () => {},
    withoutTimeout: work => work(),
    apart: work => work(as(SYSTEM)),
    copyFiles: () => Promise.reject(new Error('Tests with pgvector copy no files.')),
    stats: () => ({ total: 1, idle: 0, waiting: 0, statements: counted.value, onReplica: 0 }),
    statementsAbove: counted.above,
    async close() {
      await pool.end()
      await database.close()
    },
  }
  await migrate(engine)
  return engine
}

/** One session after the other; a new one ends what the last one left open. */
function hostOf(database: PGlite): SessionHost {
  const reset = Buffer.concat([protocol.serialize.query('ROLLBACK'), protocol.serialize.query('DISCARD ALL')])
  let last: Promise<void> = Promise.resolve()
  const execute = (request: Uint8Array, answered: (bytes: Buffer) => void) => {
    last = last.then(() =>
      database.execProtocolRawStream(request, {
        onRawData: bytes => answered(Buffer.from(bytes)),
        syncToFs: false,
      }),
    )
    return last
  }
  return {
    begin: () => execute(reset, () => {}),
    end: () => {},
    send(session, request) {
      execute(request, bytes => session.destroyed || session.push(bytes)).catch(error =>
        session.destroy(error),
      )
    },
  }
}
