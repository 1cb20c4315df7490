import { loadConfig } from '../config.ts'
import type { Engine } from '../db/engine.ts'
import { command, json } from './command.ts'
import { printJson } from './output.ts'

export const migrateDatabase = command({
  summary: 'brings the database to this version, as a start does',
  about:
    'Use it to migrate before new processes start. The embedded database must not be in use; a start migrates it anyway.',
  options: {
    check: { type: 'boolean', about: 'change nothing; exit code 1 if migrations are pending' },
    json,
  },
  examples: ['kith migrate', 'kith migrate --check && kith start'],
  async run({ values }) {
    const { withEngine } = await import('./database.ts')
    const { migrate, migrations, versionOf } = await import('../db/migrate.ts')
    const wanted = migrations().at(-1)?.version ?? 0
    const result = await withEngine(loadConfig(), async (engine: Engine) => {
      const before = await versionOf(engine)
      if (!values.check) await migrate(engine)
      return { before, version: values.check ? before : wanted, wanted }
    })
    if (values.json) printJson(result)
    else console.log(sentence(result))
    if (result.version < wanted) process.exitCode = 1
  },
})

function sentence({ before, version, wanted }: { before: number; version: number; wanted: number }): string {
  if (version < wanted)
    return `The database is at version ${version}; ${wanted - version} migrations are pending.`
  return before === version
    ? `The database is at version ${version}.`
    : `Migrated from version ${before} to ${version}.`
}
