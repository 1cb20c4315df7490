import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../../src/config.ts'

interface Owned {
  accountId: string
  userId: string
}

/**
 * Copies every row and file of an account of a server's database into a new one: ids are unique within an account. No
 * trigger runs, so that the copy has the journal of the original and not another one.
 */
export async function copyAccount(
  { databaseUrl, files }: Config,
  from: Owned,
  to: Owned & { slug: string },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin; set local session_replication_role = replica; set local search_path = kith')
    const replaced = `replace(replace(to_jsonb(x)::text, $1, $2), $3, $4)::jsonb`
    const ids = [from.accountId, to.accountId, from.userId, to.userId]
    await client.query(
      `insert into accounts select copy.* from accounts x,
        jsonb_populate_record(null::accounts, ${replaced} || jsonb_build_object('slug', $5::text)) as copy
        where x.id = $1::uuid`,
      [...ids, to.slug],
    )
    for (const { name, columns } of await tablesOf(client))
      await client.query(
        `insert into ${name} (${columns}) overriding system value
          select ${columns.replace(/[^,]+/g, 'copy.$&')} from ${name} x,
          jsonb_populate_record(null::${name}, ${replaced}) as copy where x.account_id = $1::uuid`,
        ids,
      )
    await client.query('commit')
  } finally {
    await client.end()
  }
  for (const folder of Object.values(files).filter(value => typeof value === 'string')) {
    const source = join(folder, from.accountId)
    if (existsSync(source)) cpSync(source, join(folder, to.accountId), { recursive: true })
  }
}

/** Those whose rows belong to an account, with the columns that are not generated. */
async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(quote_ident(column_name), ',') as columns
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'kith' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      group by table_name having bool_or(column_name = 'account_id')`,
  )
  return rows
}
