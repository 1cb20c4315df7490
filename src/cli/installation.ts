/** Commands about the installation: by the service that has the embedded database open, or on the database itself. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { json as readJson } from 'node:stream/consumers'
import { type Config, loadConfig } from '../config.ts'

export async function onInstallation(
  name: string,
  input: object,
  config: Config = loadConfig(),
): Promise<unknown> {
  if (config.databaseUrl === undefined) {
    const { callRunning } = await import('../features/installation/call.ts')
    const answer = await callRunning(config.dataDir, name, input)
    if (answer) return readJson(answer)
    if (!existsSync(join(config.dataDir, 'db')))
      throw new Error(
        `There is no database in ${config.dataDir}: set KITH_DATA_DIR to the folder of the service.`,
      )
  }
  const { withServices } = await import('../service.ts')
  const { runLocal } = await import('../features/installation/index.ts')
  return withServices({ ...config, logLevel: 'silent' }, services => runLocal(services, name, input))
}
