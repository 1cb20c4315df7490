/**
 * Everything that an account owns in one archive: each table as lines of JSON, and the files. Tables are read from
 * those that refer to those that are referred to: what a row names is there when its turn comes, although the account
 * is in use meanwhile.
 */

import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createGzip, type Gzip } from 'node:zlib'
import { sql } from 'kysely'
import { migrations } from '../../db/migrate.ts'
import { type Ctx, query } from '../../kernel/context.ts'
import type { JobRun } from '../../kernel/jobs.ts'
import { rows } from '../../kernel/statements.ts'
import { type AccountTable, accountTables } from './account-tables.ts'
import { tarEnd, tarHeader, tarPadding } from './tar.ts'

export interface Manifest {
  format: 'kith account'
  version: 1
  schema_version: number
  taken_at: string
  account: { id: string; name: string; currency: string }
  people: { id: string; email: string; name: string; role: string }[]
}

const PAGE = { server: 2000, embedded: 300 }
/** A table is parted into files of about this size, so that none of them has to be kept whole for long. */
const PART_CHARACTERS = 4_000_000

export async function writeTakeout(
  ctx: Ctx,
  file: FileHandle,
  job: JobRun,
): Promise<{ rows: number; bytes: number }> {
  const gzip = createGzip({ level: 6 })
  const written = writeOut(gzip, file)
  const archive = archiveTo(gzip)
  await archive.add('manifest.json', JSON.stringify(await manifestOf(ctx), null, 2))
  let count = 0
  for (const table of (await accountTables(ctx.db)).reverse()) {
    count = await addTable(ctx, table, archive, job, count)
  }
  for (const { name, path } of await filesOf(ctx)) await archive.addFile(name, path)
  gzip.end(tarEnd())
  return { rows: count, bytes: await written }
}

async function writeOut(gzip: Gzip, file: FileHandle): Promise<number> {
  let bytes = 0
  for await (const chunk of gzip) {
    bytes += chunk.length
    await file.writeFile(chunk)
  }
  return bytes
}

type Archive = ReturnType<typeof archiveTo>

function archiveTo(gzip: Gzip) {
  const write = async (chunk: Buffer) => {
    if (!gzip.write(chunk)) await once(gzip, 'drain')
  }
  return {
    async add(name: string, text: string) {
      const content = Buffer.from(text)
      await write(Buffer.concat([tarHeader(name, content.length), content, tarPadding(content.length)]))
    },
    async addFile(name: string, path: string) {
      const { size } = await stat(path)
      await write(tarHeader(name, size))
      // As much as was there when its size was written down.
      if (size > 0)
        for await (const chunk of createReadStream(path, { end: size - 1 })) await write(chunk as Buffer)
      await write(tarPadding(size))
    },
  }
}

async function manifestOf(ctx: Ctx): Promise<Manifest> {
  const [account] = await query(
    ctx,
    sql<
      Manifest['account']
    >`select a.id, a.name, a.currency from ${sql.table('accounts')} a where a.id = ${ctx.account}`,
  )
  const people = await query(
    ctx,
    sql<Manifest['people'][number]>`select u.id, u.email, u.name, m.role from ${rows(ctx, 'members')} m
      join users u on u.id = m.user_id order by m.created_at, u.id`,
  )
  return {
    format: 'kith account',
    version: 1,
    schema_version: migrations().at(-1)!.version,
    taken_at: new Date().toISOString(),
    account: account!,
    people,
  }
}

async function addTable(
  ctx: Ctx,
  table: AccountTable,
  archive: Archive,
  job: JobRun,
  before: number,
): Promise<number> {
  let count = before
  let part = 0
  let lines = ''
  const flush = async () => {
    part++
    await archive.add(`tables/${table.name}/${String(part).padStart(6, '0')}.jsonl`, lines)
    lines = ''
  }
  let after: string[] | undefined
  const size = PAGE[ctx.services.engine.kind]
  while (true) {
    const page = await readPage(ctx, table, after, size)
    for (const { line } of page) lines += `${line}\n`
    count += page.length
    if (lines.length >= PART_CHARACTERS) await flush()
    if (page.length > 0) await job.progress(ctx, count)
    if (page.length < size) break
    after = page.at(-1)!.key
  }
  if (lines !== '') await flush()
  return count
}

/** The transaction that wrote a change means nothing elsewhere. */
const FORGOTTEN = ['xid']

function readPage(ctx: Ctx, { name, columns, key }: AccountTable, after: string[] | undefined, size: number) {
  const kept = columns.filter(column => !FORGOTTEN.includes(column))
  const keys = sql.join(key.map(({ column }) => sql`r.${sql.ref(column)}`))
  const from = after
    ? sql`where (${keys}) > (${sql.join(after.map((value, i) => sql`${value}::text::${sql.raw(key[i]!.type)}`))})`
    : sql``
  return query(
    ctx,
    sql<{ line: string; key: string[] }>`
      select row_to_json(p)::text as line, p._key as key from (
        select ${sql.join(kept.map(column => sql`r.${sql.ref(column)}`))},
          array[${sql.join(key.map(({ column }) => sql`r.${sql.ref(column)}::text`))}] as _key
        from ${rows(ctx, name)} r ${from} order by ${keys} limit ${size}
      ) p`,
  )
}

/** Every folder of the data folder that has one for the account: uploads, recordings. What is not whole is left out. */
async function filesOf(ctx: Ctx): Promise<{ name: string; path: string }[]> {
  const { dataDir } = ctx.services.config
  const exported = await query(ctx, sql<{ id: string }>`select e.id from ${rows(ctx, 'exports')} e`)
  const own = new Set(exported.map(({ id }) => id))
  const found: { name: string; path: string }[] = []
  for (const folder of await readdir(dataDir).catch(() => [])) {
    const dir = join(dataDir, folder, ctx.account)
    for (const name of await readdir(dir).catch(() => [])) {
      if (own.has(name) || !/^[0-9a-f-]{36}$/.test(name)) continue
      found.push({ name: `files/${folder}/${name}`, path: join(dir, name) })
    }
  }
  return found
}
