import { type Config, loadConfig } from '../config.ts'
import { command, json, UsageError } from './command.ts'
import { printJson, progress } from './output.ts'

export const restore = command({
  summary: "reads a backup into an empty installation, or an account's archive into an empty account",
  about:
    'The file says which it is. A backup (kith backup) is the whole installation: it goes into an empty data folder, or an empty database with DATABASE_URL. An archive (kith export account) is one account and need not be trusted; with the embedded engine, stop the service first.',
  positionals: ['<file>'],
  options: {
    account: {
      type: 'string',
      value: 'id or slug',
      about: 'of an archive: an empty account to restore into; a new one unless set',
    },
    'add-members': {
      type: 'boolean',
      about: 'of an archive: make people who are registered already members of the account',
    },
    json: { ...json, about: 'of a backup: print JSON' },
  },
  examples: [
    'KITH_DATA_DIR=/srv/kith kith restore kith.tar.gz',
    'kith restore account.tar.gz --account acme',
  ],
  async run({ values, positionals: [file = ''] }) {
    const { firstName } = await import('../features/transfer/exports/tar.ts')
    const { MANIFEST } = await import('../features/backup/manifest.ts')
    const config = loadConfig()
    const options = { account: values.account, addMembers: values['add-members'] }
    if ((await firstName(file)) !== MANIFEST) {
      const { restoreArchive } = await import('../features/transfer/exports/restore.ts')
      return console.log(await restoreArchive(config, file, options))
    }
    if (options.account !== undefined || options.addMembers)
      throw new UsageError(
        `${file} is a backup of a whole installation: --account and --add-members are for archives.`,
      )
    await restoreInstallation(config, file, values.json)
  },
})

async function restoreInstallation(config: Config, file: string, isJson: boolean): Promise<void> {
  const { restoreBackup } = await import('../features/backup/restore.ts')
  const bar = progress('Restoring')
  const { engine, taken_at, files } = await restoreBackup(config, file, bar.show).finally(bar.end)
  if (isJson) return printJson({ engine, taken_at, files })
  const target = config.databaseUrl === undefined ? config.dataDir : 'the database at DATABASE_URL'
  console.log(`Restored the backup of ${taken_at} with ${files} files into ${target}.`)
}
