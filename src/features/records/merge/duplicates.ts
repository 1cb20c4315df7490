/** Records that look like the same person or company. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { pathOf, titleOf } from '../../../kernel/general-endpoints.ts'
import { listRecords } from '../../../kernel/list-query.ts'
import { asPage, pageFields, pageParameters } from '../../../kernel/page.ts'
import type { Resource, Stored } from '../../../kernel/resource.ts'
import { list, number, object, optional, text } from '../../../kernel/schema/index.ts'
import { living, rows } from '../../../kernel/statements.ts'
import type { Mergeable } from './followers.ts'
import { isOpen } from './not-duplicates.ts'

type Sql = RawBuilder<unknown>

/** Records with the same `key` are likely duplicates; `keys` selects `id` and `key`, and `score` is the confidence. */
interface Sign {
  score: number
  keys: (ctx: Ctx) => Sql
}

const address = sql`lower(regexp_replace(r.linkedin_url, '^([a-zA-Z]+://)?(www[.])?|[?#].*$|/+$', '', 'g') collate "C")`

export const signs: Record<Mergeable, Record<string, Sign>> = {
  contact: {
    email: {
      score: 0.95,
      keys: ctx => sql`select a.contact_id as id, a.address as key from ${rows(ctx, 'contact_addresses')} a
        join ${living(ctx, 'contacts')} r on r.id = a.contact_id`,
    },
    phone: {
      score: 0.9,
      // A number in national notation is in the group of each country where others have the same number. The digits
      // alone make a group only where no reading of the number has a larger one, which would contain it.
      keys: ctx => sql`with p as materialized (
          select r.id, p.* from ${living(ctx, 'contacts')} r, phone_readings(r.phone) p where length(p.key) >= 6),
        k as (select p.id, coalesce(c.country, p.country) as country, p.key from p left join
          (select distinct p.country, p.key from p where p.certain) c on p.country = '' and c.key = p.key),
        s as (select k.*, count(*) over (partition by k.country, k.key) as size from k)
        select l.id, l.country || ':' || l.key as key
          from (select s.*, max(s.size) over (partition by s.id) as largest from s) l
          where l.country <> '' or l.size = l.largest`,
    },
    linkedin: {
      score: 0.95,
      keys: ctx =>
        sql`select r.id, ${address} as key from ${living(ctx, 'contacts')} r where r.linkedin_url <> ''`,
    },
    name: {
      score: 0.7,
      keys: ctx => sql`select r.id, fold(r.full_name) as key from ${living(ctx, 'contacts')} r
        where r.first_name <> '' and r.last_name <> ''`,
    },
  },
  company: {
    domain: {
      score: 0.95,
      keys: ctx => sql`select d.company_id as id, d.domain as key from ${rows(ctx, 'company_domains')} d
        join ${living(ctx, 'companies')} r on r.id = d.company_id`,
    },
    name: {
      score: 0.8,
      // without legal form and punctuation: "Acme, Inc." equals "ACME"
      keys: ctx => sql`select n.id, n.key from (
        select r.id, regexp_replace(regexp_replace(fold(r.name), '[^[:alnum:]]+', ' ', 'g'),
          ' (inc|incorporated|llc|ltd|limited|gmbh|ag|corp|corporation|co|company|sa|sas|srl|bv|oy|ab|plc) ?$', '') as key
        from ${living(ctx, 'companies')} r) n where n.key <> ''`,
    },
  },
}

export function duplicatesEndpoint(resource: Resource): Endpoint {
  const signsOfKind = signs[resource.record.entityType as Mergeable]
  const names = Object.keys(signsOfKind)
  return endpoint({
    method: 'GET',
    path: `${pathOf(resource)}/duplicates`,
    tag: resource.tag,
    permission: `${resource.name}:read`,
    summary: `List possible duplicates among ${resource.tag.toLowerCase()}`,
    description: 'Groups of records with a common value, the most likely first.',
    query: object({
      match_on: optional(
        text({ max: 200, description: `Comma-separated: ${names.join(', ')}; all when absent` }),
      ),
      ...pageParameters({ max: 100, usual: 20 }),
    }),
    response: object(
      pageFields(object({ score: number(), reason: text(), items: list(resource.record.output) })),
      { title: `${titleOf(resource.record)}DuplicatesPage` },
    ),
    run: (ctx, request) => duplicates(ctx, resource, signsOfKind, request.query),
  })
}

const MOST_IN_GROUP = 50

interface Group {
  ids: string[]
  score: number
  reason: string
  total: number
}

async function duplicates(
  ctx: Ctx,
  resource: Resource,
  known: Record<string, Sign>,
  { match_on, page, page_size }: { match_on?: string; page: number; page_size: number },
): Promise<unknown> {
  const signs = chosen(known, match_on)
  const keys = signs.map(
    ([name, sign]) => sql`select ${name}::text as reason, ${sign.score}::float8 as score, k.id, k.key
    from (${sign.keys(ctx)}) k`,
  )
  // Records that match by several signs are one group with several reasons.
  const groups = await query(
    ctx,
    sql<Group>`select g.ids, max(g.score) as score, string_agg(g.reason, ', ' order by g.score desc, g.reason) as reason,
        count(*) over () as total
      from (
        select distinct a.reason, a.score, (array_agg(distinct a.id))[1:${sql.lit(MOST_IN_GROUP)}] as ids
        from (${sql.join(keys, sql` union all `)}) a group by a.reason, a.score, a.key having count(distinct a.id) > 1
      ) g where ${isOpen(ctx, sql`g.ids`)} group by g.ids order by max(g.score) desc, g.ids limit ${page_size} offset ${(page - 1) * page_size}`,
  )
  const records = await recordsOf(
    ctx,
    resource,
    groups.flatMap(group => group.ids),
  )
  const total = groups[0]?.total ?? 0
  const items = groups.map(({ ids, score, reason }) => ({
    score,
    reason,
    items: ids.flatMap(id => records.get(id) ?? []),
  }))
  return asPage(items, total, page, page_size)
}

function chosen(known: Record<string, Sign>, matchOn: string | undefined): [string, Sign][] {
  const names = matchOn === undefined ? Object.keys(known) : matchOn.split(',').map(name => name.trim())
  return [...new Set(names)].map(name => {
    const sign = Object.hasOwn(known, name) ? known[name] : undefined
    if (sign) return [name, sign]
    const all = Object.keys(known)
    const expected = `'${all.slice(0, -1).join("', '")}' or '${all.at(-1)}'`
    throw errors.invalid([
      {
        type: 'enum',
        loc: ['query', 'match_on'],
        msg: `Input should be ${expected}`,
        input: matchOn,
        ctx: { expected },
      },
    ])
  })
}

async function recordsOf(ctx: Ctx, resource: Resource, ids: string[]): Promise<Map<string, Stored>> {
  const byId = new Map<string, Stored>()
  const distinct = [...new Set(ids)]
  for (let from = 0; from < distinct.length; from += 1000) {
    const some = distinct.slice(from, from + 1000)
    const page = await listRecords(ctx, resource.record, { page: 1, page_size: 1000, ids: some })
    for (const item of page.items) byId.set(item.id, item)
  }
  return byId
}
