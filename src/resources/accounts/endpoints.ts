/** Helpers of the endpoints about accounts and people. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, one, query, type ServiceCtx } from '../../kernel/context.ts'
import type { ApiRequest, Endpoint } from '../../kernel/endpoint.ts'
import { errors } from '../../kernel/errors.ts'
import { etagOf, matchesEtag } from '../../kernel/etag.ts'
import { asPage, pageFields } from '../../kernel/page.ts'
import type { Page } from '../../kernel/resource.ts'
import { object, type Schema } from '../../kernel/schema/index.ts'

/** Under If-Match, refuses the request if the record has changed since the caller read it. */
export function unchanged(request: Pick<ApiRequest, 'header'>, current: object): void {
  const expected = request.header('if-match')
  if (expected !== undefined && !matchesEtag(expected, etagOf(JSON.stringify(current)))) throw errors.stale()
}

/** The path names the account: it must be the one that the caller is in. */
export const ofOwnAccount = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  async run(ctx: Ctx, request: ApiRequest) {
    if (request.params.account_id !== ctx.account) throw errors.notFound('Account')
    return endpoint.run(ctx, request)
  },
})

export const pageOutput = (item: Schema<unknown>) =>
  object(
    pageFields(item),
    typeof item.json.title === 'string' ? { title: `${item.json.title}Page` } : undefined,
  )

/** A page of a select in an order. */
export async function pageOf<R>(
  ctx: ServiceCtx,
  select: RawBuilder<R>,
  order: RawBuilder<unknown>,
  { page, page_size }: { page: number; page_size: number },
): Promise<Page<R>> {
  const items = await query(
    ctx,
    sql<R>`select * from (${select}) found order by ${order} limit ${page_size} offset ${(page - 1) * page_size}`,
  )
  const counted = await query(ctx, sql<{ total: number }>`select count(*) as total from (${select}) found`)
  const { total } = one(counted)
  return asPage(items, total, page, page_size)
}
