/** The accounts of the caller, and the current account. */

import { sql } from 'kysely'
import { isUniqueViolation } from '../../db/sqlstate.ts'
import { type Ctx, one as first, query, transaction } from '../../kernel/context.ts'
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  personalEndpoint,
  putAndPatch,
} from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { pageParameters } from '../../kernel/page.ts'
import { type Infer, object, optional } from '../../kernel/schema/index.ts'
import { ofOwnAccount, pageOf, pageOutput, unchanged } from './endpoints.ts'
import { type Account, createAccount, selectAccounts } from './people.ts'
import { checkMayCreateAccount } from './registration.ts'
import { accountName, accountOutput, accountSlug, currency } from './schemas.ts'

export const getAccount = async (ctx: Ctx): Promise<Account> => {
  const accounts = await query(
    ctx,
    sql<Account>`select a.id, a.created_at, a.updated_at, a.name, a.slug, a.currency, ${ctx.caller.role}::text as role
      from accounts a where a.id = ${ctx.account} ${ctx.inTransaction ? sql`for update` : sql``}`,
  )
  return first(accounts)
}

const accountChange = object(
  { name: optional(accountName), slug: optional(accountSlug), currency: optional(currency) },
  { title: 'AccountUpdate' },
)

const updateAccount = (
  ctx: Ctx,
  request: ApiRequest<object, object, Infer<typeof accountChange>>,
): Promise<Account> =>
  transaction(ctx, async tx => {
    unchanged(request, await getAccount(tx))
    const { name, slug, currency: code } = request.body
    await query(
      tx,
      sql`update accounts set name = coalesce(${name ?? null}, name), slug = coalesce(${slug ?? null}, slug),
        currency = coalesce(${code ?? null}, currency), updated_at = now() where id = ${tx.account}`,
    ).catch(error => {
      if (isUniqueViolation(error, 'accounts_slug_key'))
        throw errors.conflict('Another account has this slug')
      throw error
    })
    return getAccount(tx)
  })

const tag = 'Accounts'
const mine = { path: '/api/accounts', tag } as const
const one = { path: '/api/accounts/{account_id}', tag, response: accountOutput, single: true } as const

const personal: Endpoint[] = [
  personalEndpoint({
    ...mine,
    method: 'GET',
    summary: 'List accounts',
    description: 'With the caller’s role in each. With an API key, the account of the key.',
    query: object(pageParameters()),
    response: pageOutput(accountOutput),
    run: (ctx, { query: params }) =>
      pageOf(ctx, selectAccounts(ctx.user, ctx.caller.accountId), sql`created_at, id`, params),
  }),
  personalEndpoint({
    ...mine,
    method: 'POST',
    summary: 'Create an account',
    description:
      'The caller becomes its owner. If registration is by invitation (KITH_REGISTRATION), only an owner of an account can create another one.',
    body: object({ name: accountName, currency: optional(currency) }, { title: 'AccountCreate' }),
    response: accountOutput,
    status: 201,
    single: true,
    guess: (_, ctx) => ctx.user,
    async run(ctx, { body }) {
      if (ctx.caller.kind === 'key') throw errors.personOnly()
      await checkMayCreateAccount(ctx, ctx.user)
      const created = await transaction(ctx, tx => createAccount(tx, ctx.user, body.name, body.currency))
      ctx.services.caches.forget('members')
      return created
    },
  }),
]

const bound: Endpoint[] = [
  endpoint({
    ...one,
    method: 'GET',
    permission: 'accounts:read',
    summary: 'Get an account',
    description: 'The account that the request is for, with the caller’s role in it; 404 for every other id.',
    run: ctx => getAccount(ctx),
  }),
  ...putAndPatch(
    endpoint({
      ...one,
      method: 'PUT',
      permission: 'accounts:write',
      role: 'admin',
      summary: 'Update an account',
      description:
        'The slug is part of the addresses of public pages: URLs with the old slug no longer work, and another account can use it.',
      ifMatch: true,
      body: accountChange,
      run: updateAccount,
    }),
  ),
]

export const accountEndpoints: Endpoint[] = [...personal, ...bound.map(ofOwnAccount)]
