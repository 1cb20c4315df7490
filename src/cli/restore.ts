import { loadConfig } from '../config.ts'
import { command } from './command.ts'

export const restore = command({
  summary: "reads an account's archive into an empty account",
  about: 'With the embedded database, stop the service first. The archive need not be trusted.',
  positionals: ['<archive>'],
  options: {
    account: {
      type: 'string',
      value: 'id or slug',
      about: 'an empty account to restore into; a new one unless set',
    },
    'add-members': {
      type: 'boolean',
      about: 'make people who are registered already members of the account',
    },
  },
  examples: ['kith restore account.tar.gz', 'kith restore account.tar.gz --account acme'],
  async run({ values, positionals: [archive = ''] }) {
    const { restoreArchive } = await import('../features/transfer/exports/restore.ts')
    const options = { account: values.account, addMembers: values['add-members'] }
    console.log(await restoreArchive(loadConfig(), archive, options))
  },
})
