/** How the database of each engine gets into a backup. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../../config.ts'
import type { Engine } from '../../db/engine.ts'
import { findTool, runTool } from './pg-tools.ts'
import type { BackupSource } from './write.ts'

export const DUMP = 'dump'

/** Hot: other statements wait while the files are copied. */
export const embeddedSource = (config: Config, engine: Engine): BackupSource => ({
  config,
  dump: folder => engine.copyFiles(folder),
})

/** Hot: pg_dump reads one snapshot, and nothing waits for it. */
export const serverSource = (config: Config, databaseUrl: string): BackupSource => ({
  config,
  async dump(folder) {
    const tool = await findTool('pg_dump', await serverMajor(databaseUrl))
    await mkdir(folder, { mode: 0o700 })
    await runTool(tool, databaseUrl, [
      '--format=custom',
      // The archive is compressed as a whole.
      '--compress=0',
      '--schema=kith',
      '--no-owner',
      '--no-privileges',
      // The tables' owner is subject to row-level security, too, and its policy lets it see every row.
      '--enable-row-security',
      `--file=${join(folder, DUMP)}`,
    ])
  },
})

export async function serverMajor(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async client => {
    const { rows } = await client.query<{ number: number }>(
      "select current_setting('server_version_num')::int as number",
    )
    return Math.floor((rows[0]?.number ?? 0) / 10_000)
  })
}

export async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
