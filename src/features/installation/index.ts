/** Actions of the operator of the installation: done by the running service, or by a command on the database. */
import type { Services } from '../../kernel/context.ts'
import type { Issue, Schema } from '../../kernel/schema/index.ts'
import { embeddedSource } from '../backup/sources.ts'
import { openBackup } from '../backup/write.ts'
import type { LocalCommands } from './channel.ts'
import { createInput, createKey, listInput, listKeys, revokeInput, revokeKey } from './keys.ts'
import { inviteInput, inviteUser } from './users.ts'

interface Action {
  run(services: Services, input: unknown, staysAlive: boolean): Promise<unknown>
}

/** `staysAlive`: the process continues to run, so that a mail can be sent in the background. */
const action = <T>(
  schema: Schema<T>,
  work: (services: Services, input: T, staysAlive: boolean) => Promise<unknown>,
): Action => ({
  run(services, input, staysAlive) {
    const issues: Issue[] = []
    const checked = schema.check(input, [], issues)
    const [issue] = issues
    if (issue) throw new Error(`${issue.loc.join('.')}: ${issue.msg}`)
    return work(services, checked, staysAlive)
  },
})

const actions: Readonly<Record<string, Action>> = {
  'keys-create': action(createInput, createKey),
  'keys-list': action(listInput, listKeys),
  'keys-revoke': action(revokeInput, revokeKey),
  'users-invite': action(inviteInput, inviteUser),
}

/** For the channel of the running service. */
export const localCommands: LocalCommands = {
  backup: ({ config, engine }) => openBackup(embeddedSource(config, engine)),
  ...Object.fromEntries(
    Object.entries(actions).map(([name, { run }]) => [
      name,
      async (services: Services, input: unknown) => run(services, input, true),
    ]),
  ),
}

/** For a command that has opened the database itself. */
export async function runLocal(services: Services, name: string, input: unknown): Promise<unknown> {
  const action = actions[name]
  if (!action) throw new Error(`there is no local command ${name}`)
  return action.run(services, input, false)
}
