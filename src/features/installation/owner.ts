/** The operator of the installation acts in an account as its first owner. */
import { sql } from 'kysely'
import { type Ctx, contextFor, query, type Services, systemDb } from '../../kernel/context.ts'
import { unscoped } from '../../kernel/statements.ts'

export interface AccountOwner {
  id: string
  slug: string
  name: string
  owner_id: string
}

/** Open accounts with an owner. */
export const accountsOf = (services: Services): Promise<AccountOwner[]> =>
  query(
    { db: systemDb(services) },
    sql<AccountOwner>`select distinct on (a.created_at, a.id) a.id, a.slug, a.name, m.user_id as owner_id
      from ${unscoped('accounts')} a join ${unscoped('members')} m on m.account_id = a.id and m.role = 'owner'
      where a.closed_at is null order by a.created_at, a.id, m.created_at`,
  )

/** `wanted` is an id or a slug; it may be left out while there is one account. */
export async function chosenAccount(services: Services, wanted: string | undefined): Promise<AccountOwner> {
  const accounts = await accountsOf(services)
  const matches =
    wanted === undefined ? accounts : accounts.filter(({ id, slug }) => id === wanted || slug === wanted)
  const [account] = matches
  if (account && matches.length === 1) return account
  if (accounts.length === 0) throw new Error('There is no account yet: start the service once.')
  const names = accounts.slice(0, 20).map(({ slug }) => slug)
  const problem = wanted === undefined ? 'There are several accounts' : `There is no account "${wanted}"`
  throw new Error(
    `${problem}: name one with --account: ${names.join(', ')}${accounts.length > 20 ? ', …' : ''}.`,
  )
}

export function asOwner(services: Services, { id, owner_id }: AccountOwner): Ctx {
  return contextFor(services, {
    kind: 'user',
    id: owner_id,
    userId: owner_id,
    accountId: id,
    role: 'owner',
    scopes: ['*'],
  })
}
