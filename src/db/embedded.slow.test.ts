import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Embedded, type EmbeddedOptions, openEmbedded, stopped } from './embedded.ts'
import { imagePath } from './image-path.ts'
import { isDiskFull, isUnavailable } from './sqlstate.ts'

const root = mkdtempSync(join(tmpdir(), 'kith-embedded-'))
let folders = 0
const newDataDir = () => join(root, `data-${++folders}`)
const cleanup: (() => Promise<unknown>)[] = []

async function open(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const embedded = await openEmbedded({
    dataDir: newDataDir(),
    imagePath,
    statementTimeoutMs: 10_000,
    fsync: false,
    ...options,
  })
  cleanup.unshift(() => embedded.close())
  return embedded
}

function newPool(embedded: Embedded): pg.Pool {
  const pool = new pg.Pool({ ...embedded.connection, stream: () => embedded.stream(), max: 1 })
  // A restart ends the connection also while it is idle; pg reports that here.
  pool.on('error', () => {})
  cleanup.unshift(() => pool.end())
  return pool
}

async function newClient(embedded: Embedded): Promise<pg.Client> {
  const client = new pg.Client({ ...embedded.connection, stream: () => embedded.stream() })
  await client.connect()
  return client
}

const CREATE_ROWS = 'CREATE TABLE rows (id int PRIMARY KEY, body text)'

const runCleanup = async () => {
  for (const step of cleanup.splice(0)) await step()
}

afterEach(runCleanup)
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A process of its own, with `embedded` and a pool open in it. */
const inChild = (script: string, dataDir: string, ...flags: string[]) =>
  spawn(
    process.execPath,
    [
      ...flags,
      '--input-type=module',
      '-e',
      `const [module, dataDir, imagePath] = process.argv.slice(1)
      const { openEmbedded } = await import(module)
      const { default: pg } = await import('pg')
      const embedded = await openEmbedded({ dataDir, imagePath, statementTimeoutMs: 10_000, fsync: false })
      const pool = new pg.Pool({ ...embedded.connection, stream: () => embedded.stream(), max: 1 })
      ${script}`,
      new URL('./embedded.ts', import.meta.url).href,
      dataDir,
      imagePath,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )

describe('a new data folder', () => {
  test('starts from the image, which is small, and is closed to other users', async () => {
    const dataDir = newDataDir()
    mkdirSync(join(dataDir, 'db.new'), { recursive: true })
    writeFileSync(join(dataDir, 'db.new', 'PG_VERSION'), 'left by a start that crashed half-way')
    const pool = newPool(await open({ dataDir }))
    expect((await pool.query('SELECT * FROM kith.accounts')).rows).toEqual([])
    expect((await pool.query('SELECT datname FROM pg_database')).rows).toEqual([{ datname: 'postgres' }])
    expect(existsSync(join(dataDir, 'db.new'))).toBe(false)
    expect(statSync(join(dataDir, 'db')).mode & 0o077).toBe(0)
    expect(statSync(imagePath).size).toBeLessThan(2_000_000)
  })

  test('is refused while it is open, and free after the close', async () => {
    const dataDir = newDataDir()
    const embedded = await open({ dataDir })
    await expect(open({ dataDir })).rejects.toThrow(`is in use by process ${process.pid}`)
    await embedded.close()
    await open({ dataDir })
  })

  test('that contains no database fails with a reason and releases the lock', async () => {
    const dataDir = newDataDir()
    mkdirSync(join(dataDir, 'db'), { recursive: true })
    writeFileSync(join(dataDir, 'db', 'PG_VERSION'), '9\n')
    await expect(open({ dataDir })).rejects.toThrow(
      /database in .* does not open: postgres: could not access/,
    )
    rmSync(join(dataDir, 'db'), { recursive: true })
    await open({ dataDir })
  })
})

describe('through pg', () => {
  let embedded: Embedded
  beforeAll(async () => {
    embedded = await openEmbedded({
      dataDir: newDataDir(),
      imagePath,
      statementTimeoutMs: 10_000,
      fsync: false,
    })
  })
  afterAll(() => embedded.close())

  test('errors leave the connection and its prepared statements working', async () => {
    const pool = newPool(embedded)
    const divide = (by: number) =>
      pool.query({ name: 'divide', text: 'SELECT 10 / $1::int AS result', values: [by] })
    for (let round = 0; round < 3; round++) {
      await expect(pool.query('SELECT nothing')).rejects.toMatchObject({ code: '42703' })
      await expect(pool.query('SELECT $1::uuid', ['no'])).rejects.toMatchObject({ code: '22P02' })
      await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
      expect((await divide(5)).rows).toEqual([{ result: 2 }])
    }
  })

  test('a new session sees no state of the previous one', async () => {
    const first = await newClient(embedded)
    await first.query({ name: 'same', text: 'SELECT 1 AS one' })
    await first.query(
      'SET ROLE pg_monitor; SET search_path TO nowhere; SET statement_timeout TO 5; LISTEN news',
    )
    await first.query('CREATE TEMP TABLE scratch (id int)').catch(() => {})
    await first.query('RESET ROLE; SET ROLE pg_monitor')
    await first.query('BEGIN')
    await expect(first.query('SELECT nothing')).rejects.toThrow()
    await first.end()

    const second = await newClient(embedded)
    expect((await second.query({ name: 'same', text: 'SELECT 2 AS two' })).rows).toEqual([{ two: 2 }])
    const { rows } = await second.query(
      `SELECT current_user AS role, current_setting('search_path') AS path,
        current_setting('statement_timeout') AS timeout, to_regclass('pg_temp.scratch') AS scratch,
        (SELECT count(*)::int FROM pg_listening_channels()) AS channels`,
    )
    expect(rows).toEqual([{ role: 'postgres', path: 'public', timeout: '0', scratch: null, channels: 0 }])
    await second.end()
  })

  test('an open transaction ends with its session', async () => {
    const first = await newClient(embedded)
    await first.query(CREATE_ROWS)
    await first.query('BEGIN')
    await first.query("INSERT INTO rows VALUES (1, 'lost')")
    await first.end()
    expect((await newPool(embedded).query('SELECT * FROM rows')).rows).toEqual([])
  })

  test('a second session during an active one is refused', async () => {
    const client = await newClient(embedded)
    await expect(newClient(embedded)).rejects.toMatchObject({ code: '53300' })
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await client.end()
  })

  test('a session that is aborted during a statement does not affect the next one', async () => {
    const stream = embedded.stream()
    const first = new pg.Client({ ...embedded.connection, stream: () => stream })
    first.on('error', () => {})
    await first.connect()
    const cut = first.query('SELECT pg_sleep(0.3), 1 AS old').catch((error: Error) => error.message)
    stream.destroy()
    expect(await cut).toMatch('Connection terminated')
    expect((await newPool(embedded).query('SELECT 2 AS new')).rows).toEqual([{ new: 2 }])
  })

  test('messages may be split anywhere', async () => {
    const stream = embedded.stream()
    const write = stream.write.bind(stream)
    stream.write = ((chunk: Buffer, ...rest: []) => {
      for (const byte of chunk.subarray(0, -1)) write(Buffer.from([byte]))
      return write(chunk.subarray(-1), ...rest)
    }) as typeof stream.write
    const client = new pg.Client({ ...embedded.connection, stream: () => stream })
    await client.connect()
    expect((await client.query('SELECT $1::text AS text', ['in pieces'])).rows).toEqual([
      { text: 'in pieces' },
    ])
    expect((await client.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }])
    await client.end()
  })

  test('values and results may be large and deeply nested', async () => {
    const pool = newPool(embedded)
    const text = 'é'.repeat(4_000_000)
    expect((await pool.query('SELECT $1::text AS text', [text])).rows[0].text === text).toBe(true)
    const many = await pool.query('SELECT g, md5(g::text) FROM generate_series(1, 200000) g')
    expect(many.rows.length).toBe(200_000)
    expect(many.rows.at(-1).g).toBe(200_000)
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const { rows } = await pool.query('SELECT $1::jsonb::text AS text', [nested(10_000)])
    expect(rows[0].text === nested(10_000)).toBe(true)
    await expect(pool.query('SELECT $1::jsonb', [nested(100_000)])).rejects.toMatchObject({ code: '54001' })
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('LISTEN and NOTIFY', async () => {
    const client = await newClient(embedded)
    const heard: unknown[] = []
    client.on('notification', ({ channel, payload }) => heard.push([channel, payload]))
    await client.query('LISTEN news')
    await client.query("NOTIFY news, 'first'")
    await client.query("BEGIN; NOTIFY news, 'second'; COMMIT")
    await client.query("BEGIN; NOTIFY news, 'never'; ROLLBACK")
    expect(heard).toEqual([
      ['news', 'first'],
      ['news', 'second'],
    ])
    await client.end()
  })

  test('the event loop stays free', async () => {
    const pool = newPool(embedded)
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await pool.query('SELECT pg_sleep(0.5)')
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
  })
})

describe('a restart', () => {
  const insert = async (pool: pg.Pool, count: number) => {
    await pool.query(CREATE_ROWS)
    for (let id = 1; id <= count; id++) await pool.query('INSERT INTO rows VALUES ($1)', [id])
  }
  const ids = async (pool: pg.Pool): Promise<number[]> => {
    const { rows } = await pool.query<{ id: number }>('SELECT id FROM rows ORDER BY id')
    return rows.map(row => row.id)
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  test('ends a statement that takes too long and loses nothing acknowledged', async () => {
    const reasons: string[] = []
    const embedded = await open({ onRestart: reason => reasons.push(reason) })
    const pool = newPool(embedded)
    await insert(pool, 200)
    embedded.setStatementTimeout(500)
    const timeout = { code: '57014', message: 'canceling statement due to statement timeout' }
    const endless = 'INSERT INTO rows SELECT g FROM generate_series(1000, 1000000000) g'
    await expect(pool.query(endless)).rejects.toMatchObject(timeout)
    embedded.setStatementTimeout(0)
    expect(await ids(pool)).toEqual(upTo(200))
    expect(reasons).toEqual([timeout.message])

    await pool.query('SELECT pg_sleep(0.7)')
    embedded.setStatementTimeout(200)
    await expect(pool.query('SELECT pg_sleep(0.7)')).rejects.toMatchObject(timeout)
    embedded.setStatementTimeout(0)
    expect(await ids(pool)).toEqual(upTo(200))
  })

  test('is not caused by a blocked event loop of this process', async () => {
    const reasons: string[] = []
    const embedded = await open({ onRestart: reason => reasons.push(reason) })
    const client = await newClient(embedded)
    embedded.setStatementTimeout(2000)
    const pending = client.query('SELECT 1 AS one')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
    expect((await pending).rows).toEqual([{ one: 1 }])
    expect(reasons).toEqual([])
    await client.end()
  })

  test('happens when the engine crashes', async () => {
    const reasons: string[] = []
    const pool = newPool(await open({ onRestart: reason => reasons.push(reason) }))
    await insert(pool, 20)
    // COPY FROM STDIN reads from the client, for which PGlite cannot wait, so the backend exits.
    await expect(pool.query('COPY rows FROM STDIN')).rejects.toMatchObject({ code: '57P02' })
    expect(await ids(pool)).toEqual(upTo(20))
    expect(reasons).toEqual([expect.stringContaining('protocol synchronization was lost')])
  })

  test('of a full disk has the code of a full disk', () => {
    const reason = 'PANIC:  could not write to file "pg_wal/xlogtemp.42": No space left on device'
    expect(isDiskFull(stopped(reason, 'it stopped'))).toBe(true)
    expect(isUnavailable(stopped('its thread ended', 'it stopped'))).toBe(true)
  })

  test('after kill -9 finds every acknowledged row, and the lock free', async () => {
    const dataDir = newDataDir()
    const child = inChild(
      `await pool.query('${CREATE_ROWS}')
      for (let id = 1; ; id++) {
        await pool.query('INSERT INTO rows VALUES ($1, $2)', [id, 'x'.repeat(id % 3000)])
        console.log(id)
      }`,
      dataDir,
    )
    let acknowledged = 0
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      if (acknowledged === 300) child.kill('SIGKILL')
    }
    expect(acknowledged).toBeGreaterThanOrEqual(300)
    const found = await ids(newPool(await open({ dataDir })))
    expect(found).toEqual(upTo(found.length))
    expect(found.length).toBeGreaterThanOrEqual(acknowledged)
  })
})

test('no compiled code is collected, because V8 might do it twice and end the process', async () => {
  const work = `
    await pool.query('${CREATE_ROWS}')
    for (let id = 1; id <= 300; id++) await pool.query('INSERT INTO rows VALUES ($1)', [id])
    await pool.end()
    await embedded.close()
    console.log('done')`
  const child = inChild(work, newDataDir(), '--trace-wasm-code-gc')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) lines.push(line)
  expect(lines).toEqual(['done'])
})
