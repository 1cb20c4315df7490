/** `kith backup`: the whole installation as one file, also while the service runs. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { type Config, loadConfig } from '../config.ts'
import { command, json, UsageError } from './command.ts'
import { printJson, progress } from './output.ts'

export const backup = command({
  summary: 'writes a backup of the whole installation, also while the service runs',
  about:
    'The database and the files of all accounts, consistent, as one file that kith restore reads. With the embedded engine requests wait while the database is copied; with DATABASE_URL pg_dump must be installed, and nothing waits. The backup holds secrets of the service: keep it as safe as the data folder.',
  positionals: ['<file>'],
  options: { json },
  examples: ['kith backup kith.tar.gz', 'kith backup "/mnt/backups/kith-$(date +%F).tar.gz"'],
  async run({ values, positionals: [file = ''] }) {
    const path = resolve(file)
    if (existsSync(path)) throw new UsageError(`${path} exists already: name another file.`)
    const { saveBackup } = await import('../features/backup/schedule.ts')
    const bar = progress('Backing up, bytes:')
    const bytes = await withBackup(loadConfig(), stream => {
      let done = 0
      stream.on('data', (chunk: Buffer) => {
        done += chunk.length
        bar.show(done, undefined)
      })
      return saveBackup(stream, path)
    })
    bar.end()
    if (values.json) printJson({ path, bytes })
    else console.log(`Backed up to ${path} (${(bytes / 1024 ** 2).toFixed(1)} MB).`)
  },
})

/** From pg_dump, from the running service, or from the database that this process opens. */
async function withBackup<T>(config: Config, save: (stream: Readable) => Promise<T>): Promise<T> {
  const { openBackup } = await import('../features/backup/write.ts')
  const { embeddedSource, serverSource } = await import('../features/backup/sources.ts')
  if (config.databaseUrl !== undefined)
    return save(await openBackup(serverSource(config, config.databaseUrl)))
  const { callRunning } = await import('../features/installation/call.ts')
  const answer = await callRunning(config.dataDir, 'backup')
  if (answer) return save(answer)
  if (!existsSync(resolve(config.dataDir, 'db')))
    throw new Error(
      `There is no database in ${config.dataDir}: set KITH_DATA_DIR to the folder of the service.`,
    )
  const { withEngine } = await import('./database.ts')
  return withEngine(config, async engine => save(await openBackup(embeddedSource(config, engine))))
}
