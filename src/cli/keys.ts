/** `kith keys`: API keys of the installation's accounts. */
import type { ListedKey } from '../features/installation/keys.ts'
import { type CommandGroup, command, json, UsageError } from './command.ts'
import { onInstallation } from './installation.ts'
import { printJson, table } from './output.ts'

const account = {
  type: 'string',
  value: 'slug or id',
  about: 'the account; needed where there are several',
} as const

const create = command({
  summary: 'creates an API key and prints it, this once',
  about: "The key acts for the account's first owner.",
  positionals: ['<name>'],
  options: {
    account,
    scopes: { type: 'string', value: 'a,b', about: 'such as contacts:read,deals:*; everything unless set' },
    'expires-in': {
      type: 'string',
      value: 'days',
      about: 'days until it stops working; it does not unless set',
    },
    json,
  },
  examples: [
    'kith keys create "Website form" --scopes contacts:write',
    'kith keys create CI --expires-in 90',
  ],
  async run({ values, positionals: [name = ''] }) {
    const created = (await onInstallation('keys-create', {
      name,
      ...(values.account === undefined ? {} : { account: values.account }),
      ...(values.scopes === undefined ? {} : { scopes: values.scopes.split(',').map(scope => scope.trim()) }),
      ...(values['expires-in'] === undefined ? {} : { expires_at: inDays(values['expires-in']) }),
    })) as { key: string; account: string; id: string }
    if (values.json) return printJson(created)
    console.error(`A key for the account ${created.account}, shown this once:`)
    console.log(created.key)
  },
})

function inDays(text: string): string {
  const days = Number(text)
  if (!Number.isInteger(days) || days < 1 || days > 36_500)
    throw new UsageError(`--expires-in must be a number of days, not "${text}".`)
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

const list = command({
  summary: 'lists API keys, without the keys themselves',
  options: { account, json },
  examples: ['kith keys list'],
  async run({ values }) {
    const input = values.account === undefined ? {} : { account: values.account }
    const keys = (await onInstallation('keys-list', input)) as ListedKey[]
    if (values.json) return printJson(keys)
    const rows = keys.map(key => [
      key.account,
      key.id,
      key.prefix,
      key.name,
      key.scopes.join(','),
      stateOf(key),
    ])
    console.log(table(['account', 'id', 'begins', 'name', 'scopes', 'state'], rows))
  },
})

function stateOf({ revoked_at, expires_at, last_used_at }: ListedKey): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired'
  return last_used_at === null ? 'never used' : `used ${last_used_at.slice(0, 10)}`
}

const revoke = command({
  summary: 'revokes an API key, at once and for good',
  positionals: ['<id or key>'],
  options: { account, json },
  examples: ['kith keys revoke sk_AbCdEf'],
  async run({ values, positionals: [key = ''] }) {
    const input = { key, ...(values.account === undefined ? {} : { account: values.account }) }
    const revoked = (await onInstallation('keys-revoke', input)) as { id: string; name: string }
    if (values.json) printJson(revoked)
    else console.log(`Revoked the key "${revoked.name}" (${revoked.id}).`)
  },
})

export const keys: CommandGroup = {
  summary: 'creates, lists and revokes API keys',
  commands: { create, list, revoke },
}
