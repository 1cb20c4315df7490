/**
 * All data of an account in one archive: each table as lines of JSON, and the files. A table is read before those that
 * it refers to, so that the archive has every row that another one names, although the account is in use
 * meanwhile.
 */
import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { migrations } from '../../../db/migrate.ts'
import { type Ctx, one, query, readingContext, systemDb } from '../../../kernel/context.ts'
import type { JobRun } from '../../../kernel/jobs.ts'
import { rows, unscoped } from '../../../kernel/statements.ts'
import { last } from '../../../lib/values.ts'
import { type AccountTable, accountTables } from './account-tables.ts'
import type { Manifest } from './manifest.ts'
import { paced } from './paced.ts'
import { tarEnd, tarHeader, tarPadding } from './tar.ts'

const PAGE = { server: 2000, embedded: 300 }
/** A table is split into files of about this size, because each is in memory as a whole. */
const PART_CHARACTERS = 4_000_000

export async function writeTakeout(
  ctx: Ctx,
  file: FileHandle,
  job: JobRun,
): Promise<{ rows: number; bytes: number }> {
  const written = { rows: 0, bytes: 0 }
  await pipeline(
    entriesOf(ctx, job, written),
    createGzip({ level: 6 }),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) {
        written.bytes += chunk.length
        await file.writeFile(chunk)
      }
    },
  )
  return written
}

async function* entriesOf(ctx: Ctx, job: JobRun, written: { rows: number }): AsyncGenerator<Buffer> {
  yield entry('manifest.json', JSON.stringify(await manifestOf(ctx), null, 2))
  for (const table of (await accountTables(systemDb(ctx.services))).reverse()) {
    yield* tableOf(ctx, table, job, written)
  }
  for (const { name, path } of await filesOf(ctx)) yield* fileOf(name, path)
  yield tarEnd()
}

function entry(name: string, text: string): Buffer {
  const content = Buffer.from(text)
  return Buffer.concat([tarHeader(name, content.length), content, tarPadding(content.length)])
}

async function* fileOf(name: string, path: string): AsyncGenerator<Buffer> {
  const { size } = await stat(path)
  yield tarHeader(name, size)
  // Not more than the size in its header: the file may have grown.
  if (size > 0) yield* createReadStream(path, { end: size - 1 })
  yield tarPadding(size)
}

async function manifestOf(ctx: Ctx): Promise<Manifest> {
  const account = await query(
    ctx,
    sql<
      Manifest['account']
    >`select a.id, a.name, a.currency from ${unscoped('accounts')} a where a.id = ${ctx.account}`,
  )
  const people = await query(
    ctx,
    sql<Manifest['people'][number]>`select u.id, u.email, u.name, m.role from ${rows(ctx, 'members')} m
      join users u on u.id = m.user_id order by m.created_at, u.id`,
  )
  return {
    format: 'kith account',
    version: 3,
    schema_version: last(migrations()).version,
    taken_at: new Date().toISOString(),
    account: one(account),
    people,
  }
}

async function* tableOf(
  ctx: Ctx,
  table: AccountTable,
  job: JobRun,
  written: { rows: number },
): AsyncGenerator<Buffer> {
  let part = 0
  let lines = ''
  const flushed = () => {
    part++
    const text = lines
    lines = ''
    return entry(`tables/${table.name}/${String(part).padStart(6, '0')}.jsonl`, text)
  }
  let after: string[] | undefined
  const fitting = paced(PAGE[ctx.services.engine.kind])
  const reads = await readingContext(ctx)
  while (true) {
    const { rows: page, isFull } = await fitting(size => readPage(reads, table, after, size))
    for (const { line } of page) {
      lines += `${line}\n`
      if (lines.length >= PART_CHARACTERS) yield flushed()
    }
    written.rows += page.length
    if (page.length > 0) await job.progress(ctx, written.rows)
    if (!isFull) break
    after = last(page).key
  }
  if (lines !== '') yield flushed()
}

/** The id of the transaction that wrote a change has no meaning in another database. */
const OMITTED = ['xid']

function readPage(ctx: Ctx, { name, columns, key }: AccountTable, after: string[] | undefined, size: number) {
  const exported = columns.filter(column => !OMITTED.includes(column))
  const keys = sql.join(key.map(({ column }) => sql`r.${sql.ref(column)}`))
  const from = after
    ? sql`where (${keys}) > (${sql.join(key.map(({ type }, i) => sql`${after[i]}::text::${sql.raw(type)}`))})`
    : sql``
  return query(
    ctx,
    sql<{ line: string; key: string[] }>`
      select row_to_json(p)::text as line, p._key as key from (
        select ${sql.join(exported.map(column => sql`r.${sql.ref(column)}`))},
          array[${sql.join(key.map(({ column }) => sql`r.${sql.ref(column)}::text`))}] as _key
        from ${rows(ctx, name)} r ${from} order by ${keys} limit ${size}
      ) p`,
  )
}

/** Every folder of the data folder that has one for the account: uploads, recordings. Incomplete files are left out. */
async function filesOf(ctx: Ctx): Promise<{ name: string; path: string }[]> {
  const { dataDir } = ctx.services.config
  const exported = await query(ctx, sql<{ id: string }>`select e.id from ${rows(ctx, 'exports')} e`)
  const own = new Set(exported.map(({ id }) => id))
  const files: { name: string; path: string }[] = []
  for (const folder of await readdir(dataDir).catch(() => [])) {
    const dir = join(dataDir, folder, ctx.account)
    for (const name of await readdir(dir).catch(() => [])) {
      if (own.has(name) || !/^[0-9a-f-]{36}$/.test(name)) continue
      files.push({ name: `files/${folder}/${name}`, path: join(dir, name) })
    }
  }
  return files
}
