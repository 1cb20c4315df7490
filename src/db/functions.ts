/**
 * Functions, triggers, views and access rules: functions/*.sql and protect.sql. Unlike migrations they have no history.
 * The files describe the current state, and are applied again after every migration and whenever their text
 * has changed.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { messageOf } from '../lib/thrown.ts'
import type { Db } from './engine.ts'

const directory = new URL('./functions/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, directory), 'utf8')

const names = readdirSync(directory)
  .filter(name => name.endsWith('.sql'))
  .sort()
const files = [
  ...names.map(name => ({ name, text: read(name) })),
  { name: 'protect.sql', text: read('../protect.sql') },
]

export const functionsChecksum = createHash('sha256').update(JSON.stringify(files)).digest('hex')

/** The functions that generated columns, indexes and policies use, needed before the migrations that create those. */
export async function applyValueFunctions(tx: Db): Promise<void> {
  await sql.raw(read('1_values.sql')).execute(tx)
}

export async function applyFunctions(tx: Db): Promise<void> {
  await sql.raw(DROP_TRIGGERS).execute(tx)
  for (const { name, text } of files) {
    await sql
      .raw(text)
      .execute(tx)
      .catch(error => {
        throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
      })
  }
  await sql`delete from kith.applied_functions`.execute(tx)
  await sql`insert into kith.applied_functions (checksum) values (${functionsChecksum})`.execute(tx)
}

export async function areFunctionsApplied(db: Db): Promise<boolean> {
  const { rows } = await sql<{ checksum: string }>`select checksum from kith.applied_functions`.execute(db)
  return rows[0]?.checksum === functionsChecksum
}

/**
 * The files create every trigger again: a trigger removed from them does not remain, and constraint triggers have no
 * `create or replace`. In one transaction, so no statement runs without triggers. Deferred triggers of a
 * migration fire first: a trigger with pending events cannot be dropped.
 */
const DROP_TRIGGERS = `
  set constraints all immediate;
  do $$
  declare old record;
  begin
    for old in
      select t.tgname, c.relname from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'kith'::regnamespace and not t.tgisinternal
    loop
      execute format('drop trigger %I on kith.%I', old.tgname, old.relname);
    end loop;
  end $$;`
