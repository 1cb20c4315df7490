/** The accounts of the person who calls, and the one they call in. */
import { sql } from 'kysely'
import { forget } from '../../kernel/cache.ts'
import { type Ctx, queryOne, transaction } from '../../kernel/context.ts'
import type { ApiRequest, Endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { object, optional } from '../../kernel/schema/index.ts'
import { ofOwnAccount, pageOf, pageOutput, putAndPatch, unchanged } from './endpoints.ts'
import { type Account, createAccount, selectAccounts } from './people.ts'
import { checkMayCreateAccount } from './registration.ts'
import { accountName, accountOutput, currency, pageParameters } from './schemas.ts'

const getAccount = async (ctx: Ctx): Promise<Account> => {
  const found = await queryOne(
    ctx,
    sql<Account>`select a.id, a.created_at, a.updated_at, a.name, a.slug, a.currency, ${ctx.caller.role}::text as role
      from accounts a where a.id = ${ctx.account} ${ctx.inTransaction ? sql`for update` : sql``}`,
  )
  return found!
}

const updateAccount = (ctx: Ctx, request: ApiRequest): Promise<Account> =>
  transaction(ctx, async tx => {
    unchanged(request, await getAccount(tx))
    const { name, currency: code } = request.body
    await queryOne(
      tx,
      sql`update accounts set name = coalesce(${name ?? null}, name), currency = coalesce(${code ?? null}, currency),
        updated_at = now() where id = ${tx.account}`,
    )
    return getAccount(tx)
  })

const tag = 'Accounts'
const mine = { path: '/api/accounts', tag, permission: 'signed-in', personal: true } as const
const one = { path: '/api/accounts/{account_id}', tag, response: accountOutput, single: true } as const

const personal: Endpoint[] = [
  {
    ...mine,
    method: 'GET',
    summary: 'List the accounts one belongs to',
    description: 'With the role that one has in each. Under an API key, the account of the key.',
    query: object(pageParameters),
    response: pageOutput(accountOutput),
    run: (ctx, { query }) =>
      pageOf(ctx, selectAccounts(ctx.user, ctx.caller.accountId), sql`created_at, id`, query),
  },
  {
    ...mine,
    method: 'POST',
    summary: 'Create another account',
    description:
      'Whoever creates it is its owner. Where people register by invitation (KITH_REGISTRATION), it takes somebody who owns an account.',
    body: object({ name: accountName, currency: optional(currency) }, { title: 'AccountCreate' }),
    response: accountOutput,
    status: 201,
    single: true,
    guess: (_, ctx) => ctx.user,
    async run(ctx, { body }) {
      if (ctx.caller.kind === 'key') throw errors.personOnly()
      await checkMayCreateAccount(ctx, ctx.user)
      const made = await transaction(ctx, tx => createAccount(tx, ctx.user, body.name, body.currency))
      forget(ctx.services.engine, 'members')
      return made
    },
  },
]

const bound: Endpoint[] = [
  {
    ...one,
    method: 'GET',
    permission: 'accounts:read',
    summary: 'Get the account',
    run: ctx => getAccount(ctx),
  },
  ...putAndPatch<Endpoint>({
    ...one,
    permission: 'accounts:write',
    role: 'admin',
    summary: 'Update the account',
    body: object({ name: optional(accountName), currency: optional(currency) }, { title: 'AccountUpdate' }),
    run: updateAccount,
  }),
]

export const accountEndpoints: Endpoint[] = [...personal, ...bound.map(ofOwnAccount)]
