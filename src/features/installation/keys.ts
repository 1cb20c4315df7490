/** `kith keys`: keys of any account, for the operator of the installation. */
import { sql } from 'kysely'
import { query, type Services } from '../../kernel/context.ts'
import { type Infer, list, object, optional, text } from '../../kernel/schema/index.ts'
import { rows } from '../../kernel/statements.ts'
import { operations } from '../../resources/api-keys/keys.ts'
import { keyInput } from '../../resources/api-keys/record.ts'
import { accountsOf, asOwner, chosenAccount } from './owner.ts'

const account = optional(text({ min: 1, max: 255 }))

export const createInput = object({
  account,
  name: text({ min: 1, max: 255 }),
  scopes: optional(list(text({ min: 1, max: 100 }), { min: 1, max: 100 })),
  expires_at: keyInput.fields.expires_at,
})
export const listInput = object({ account })
export const revokeInput = object({ account, key: text({ min: 4, max: 255 }) })

export interface ListedKey {
  account: string
  id: string
  name: string
  prefix: string
  scopes: string[]
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

export async function createKey(
  services: Services,
  { account: wanted, ...input }: Infer<typeof createInput>,
) {
  const chosen = await chosenAccount(services, wanted)
  const created = await operations.create(asOwner(services, chosen), input)
  return { account: chosen.slug, ...created }
}

export async function listKeys(
  services: Services,
  { account: wanted }: Infer<typeof listInput>,
): Promise<ListedKey[]> {
  const accounts = wanted === undefined ? await accountsOf(services) : [await chosenAccount(services, wanted)]
  const listed: ListedKey[] = []
  for (const one of accounts) {
    const ctx = asOwner(services, one)
    const keys = await query(
      ctx,
      sql<
        Omit<ListedKey, 'account'>
      >`select r.id, r.name, r.prefix, r.scopes, r.last_used_at, r.expires_at, r.revoked_at
        from ${rows(ctx, 'api_keys')} r order by r.created_at, r.id`,
    )
    listed.push(...keys.map(key => ({ account: one.slug, ...key })))
  }
  return listed
}

/** By its id or by how it begins. */
export async function revokeKey(services: Services, { account: wanted, key }: Infer<typeof revokeInput>) {
  const keys = await listKeys(services, wanted === undefined ? {} : { account: wanted })
  const matches = keys.filter(one => one.id === key || one.prefix === key.slice(0, one.prefix.length))
  const [revoked] = matches
  if (!revoked) throw new Error(`There is no key "${key}"; kith keys list shows ids and beginnings.`)
  if (matches.length > 1) throw new Error(`Several keys begin with "${key}": name one by its id.`)
  const ctx = asOwner(services, await chosenAccount(services, revoked.account))
  await operations.remove(ctx, [revoked.id])
  return { account: revoked.account, id: revoked.id, name: revoked.name }
}
