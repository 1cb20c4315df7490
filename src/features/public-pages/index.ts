/** Public HTML pages of the knowledge base, without credentials and without scripts. */
import { sql } from 'kysely'
import { query, queryOne, type ServiceCtx } from '../../kernel/context.ts'
import { type ApiRequest, type Endpoint, endpoint } from '../../kernel/endpoint.ts'
import { etagOf, matchesEtag } from '../../kernel/etag.ts'
import { type Reply, rawReply } from '../../kernel/reply.ts'
import { object, type Schema } from '../../kernel/schema/index.ts'
import { type Content, emptyContent } from '../../resources/kb/content.ts'
import { htmlOfVersion } from '../../resources/kb/convert.ts'
import { indexPage, missingPage, pageHeaders, pageOf } from './page.ts'

/** No account has this id. Statements with it can read only through the functions for public pages. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'

const strangerDb = ({ services }: ServiceCtx) => ({
  db: services.engine.as({ accountId: NO_ACCOUNT, actorKind: 'system', actorId: null, userId: null }),
})

interface PublicPage {
  account_name: string
  account_slug: string
  title: string
  slug: string
  updated_at: string
}

/** Accepts any text, so that an invalid slug gets the same 404 page as an unknown one. */
const anySlug: Schema<string> = {
  optional: false,
  json: { type: 'string' },
  check: input => (typeof input === 'string' && input.length <= 500 && !input.includes('\0') ? input : ''),
}

/** The same answer for a private page, one in the trash and one that never existed. */
const missing = (): Reply => ({ ...answer(missingPage), status: 404 })

const answer = (html: string, headers: Record<string, string> = {}): Reply =>
  rawReply(html, 'text/html; charset=utf-8', { ...pageHeaders, ...headers })

/** Browsers revalidate each time, so that a page made private disappears at once; most answers are 304. */
function fresh(request: ApiRequest, html: string): Reply {
  const etag = etagOf(html)
  const headers = { etag, 'cache-control': 'public, max-age=0, must-revalidate' }
  const clientEtag = request.header('if-none-match')
  return clientEtag !== undefined && matchesEtag(clientEtag, etag)
    ? { ...answer('', headers), status: 304 }
    : answer(html, headers)
}

async function onePage(ctx: ServiceCtx, request: ApiRequest): Promise<Reply> {
  const { account_slug, page_slug } = request.params
  const source = sql`public_page(${account_slug}, ${page_slug}) p`
  const page = await queryOne(
    strangerDb(ctx),
    sql<PublicPage & { size: number }>`select p.account_name, p.account_slug, p.title, p.slug, p.updated_at,
      coalesce(pg_column_size(p.content), 0) as size from ${source}`,
  )
  if (!page) return missing()
  const version = [page.account_slug, page.slug, page.updated_at, page.size].join('/')
  const html = await htmlOfVersion(version, async () => {
    const stored = await queryOne(
      strangerDb(ctx),
      sql<{
        content: Content | null
      }>`select p.content from ${source}`,
    )
    return stored?.content ?? emptyContent()
  })
  return fresh(request, pageOf({ ...page, html }))
}

async function allPages(ctx: ServiceCtx, request: ApiRequest): Promise<Reply> {
  const pages = await query(
    strangerDb(ctx),
    sql<PublicPage>`select p.* from public_pages(${request.params.account_slug}) p`,
  )
  const [first] = pages
  return first ? fresh(request, indexPage(first, pages)) : missing()
}

const shared = {
  method: 'GET',
  tag: 'Public pages',
  permission: 'public',
  responseContent: { 'text/html': { type: 'string' } },
} as const

export const publicPageEndpoints: Endpoint[] = [
  endpoint({
    ...shared,
    path: '/kb/{account_slug}',
    summary: 'Get the index of public pages',
    description:
      'No credentials. An HTML page with links to at most 2,000 public pages; 404 if the account has none or does not exist.',
    params: object({ account_slug: anySlug }),
    run: allPages,
  }),
  endpoint({
    ...shared,
    path: '/kb/{account_slug}/{page_slug}',
    summary: 'Get a public page',
    description: 'No credentials. A private page is a 404 like one that does not exist.',
    params: object({ account_slug: anySlug, page_slug: anySlug }),
    run: onePage,
  }),
]
