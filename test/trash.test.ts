/** What a client that keeps a copy of the records learns about deletions, for every resource. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { systemDb } from '../src/kernel/context.ts'
import { pathOf } from '../src/kernel/general-endpoints.ts'
import { resources } from '../src/resources/index.ts'
import { examples } from './support/examples.ts'
import { type Account, onAnyEngine } from './support/service.ts'

const cases = resources
  .filter(resource => examples[pathOf(resource)])
  .map(resource => ({ path: pathOf(resource), table: resource.record.table }))

const LONG_AGO = '2020-01-01T00:00:00.000Z'
const later = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()

async function statement<R>(on: Account, text: ReturnType<typeof sql<R>>): Promise<R[]> {
  return (await text.execute(systemDb(on.service.services))).rows
}

const backdate = (on: Account, table: string, id: string) =>
  statement(on, sql`update ${sql.table(table)} set updated_at = ${LONG_AGO} where id = ${id}`)

onAnyEngine('the trash', account => {
  const setup = async (path: string) => {
    const me = await account()
    const record = await me.create(path, await examples[path]!.body(me, 1))
    // The knowledge base lists one folder at a time, the trash of all of them.
    const trash = async (query: string) =>
      (await me.get(`${path}?page_size=1000&${query}`)).body.items.find(
        (item: { id: string }) => item.id === record.id,
      )
    return { me, record, trash, one: `${path}/${record.id}` }
  }

  it.each(cases)('$path: shows deleted_at only for records in the trash', async ({ path, table }) => {
    const { me, record, trash, one } = await setup(path)
    expect(record).not.toHaveProperty('deleted_at')
    await backdate(me, table, record.id)
    const before = await me.get(one)
    await me.delete(one)

    const { deleted_at, ...rest } = await trash('deleted=true')
    expect(deleted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(rest.updated_at).toBe(deleted_at)

    await backdate(me, table, record.id)
    const restored = await me.post(`${one}/restore`)
    expect(restored.body).not.toHaveProperty('deleted_at')
    expect(restored.body.updated_at >= deleted_at).toBe(true)
    expect(restored.headers.get('etag')).not.toBe(before.headers.get('etag'))
    expect(await trash('')).not.toHaveProperty('deleted_at')
  })

  it.each(cases)('$path: is filtered and sorted by the time of deletion', async ({ path }) => {
    const { me, record, trash, one } = await setup(path)
    await me.delete(one)
    const { deleted_at: time } = await trash('deleted=true')
    const [before, after] = [later(time, -1), later(time, 1)]
    for (const [query, isThere] of [
      [`deleted_after=${time}`, true],
      [`deleted_after=${time}&deleted=true`, true],
      [`deleted_after=${after}`, false],
      [`deleted_before=${after}`, true],
      [`deleted_before=${time}`, false],
      [`deleted_after=${before}&deleted_before=${after}`, true],
      [`deleted=true&updated_after=${time}`, true],
    ] as const) {
      expect((await trash(query)) !== undefined, query).toBe(isThere)
    }

    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `deleted_after=${time}&sort_by=deleted_at&sort_order=asc&page_size=1&cursor=${cursor}`
      const { body }: Awaited<ReturnType<Account['get']>> = await me.get(`${path}?${query}`)
      walked.push(...body.items.map((item: { id: string }) => item.id))
      cursor = body.next_cursor
    }
    expect(walked).toEqual([record.id])

    const contradiction = await me.get(`${path}?deleted=false&deleted_after=${time}`)
    expect(contradiction).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'deleted'] }] } })
    expect((await me.get(`${path}?sort_by=deleted_at`)).status).toBe(422)
    expect((await me.get(`${path}?deleted_after=yesterday`)).status).toBe(422)
  })

  it('lists records that an undo deletes with the time of the undo', async () => {
    const me = await account()
    const { id } = await me.create('/api/companies', { name: 'Acme' })
    const deleted = await me.post('/api/companies/bulk-delete', [id])
    const undo = async (operation: string) =>
      (await me.post(`/api/operations/${operation}/undo`)).body.operation_id as string
    const restoring = await undo(deleted.headers.get('x-operation-id')!)
    expect((await me.get('/api/companies?deleted=true')).body.total).toBe(0)
    const [row] = await statement(me, sql<{ now: string }>`select clock_timestamp()::timestamptz(3) as now`)
    const deleting = await undo(restoring)
    expect((await me.get(`/api/companies?deleted_after=${row!.now}`)).body.items).toMatchObject([{ id }])
    // and the undo of that finds nobody's later work in its way
    expect((await me.post(`/api/operations/${deleting}/undo`)).body).toMatchObject({ conflicts: [] })
    expect((await me.get(`/api/companies/${id}`)).status).toBe(200)
  })

  it('is exported with the time of deletion on request', async () => {
    const me = await account()
    const { id } = await me.create('/api/companies', { name: 'Acme' })
    await me.create('/api/companies', { name: 'Living' })
    await me.delete(`/api/companies/${id}`)
    const { deleted_at } = (await me.get('/api/companies?deleted=true')).body.items[0]
    const started = await me.post('/api/exports', {
      entity_type: 'company',
      format: 'json',
      fields: ['name', 'deleted_at'],
      filter: { deleted_after: deleted_at },
    })
    expect(started.status).toBe(202)
    const file = `/api/exports/${started.body.id}/download`
    await expect.poll(async () => (await me.get(file)).status).toBe(200)
    expect(JSON.parse((await me.get(file)).text)).toEqual({ name: 'Acme', deleted_at })
  })

  it('has an index by time in every table', async () => {
    const me = await account()
    const missing = await statement(
      me,
      sql<{ name: string }>`select c.relname as name from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'deleted_at' and not a.attisdropped
        where c.relnamespace = 'kith'::regnamespace and c.relkind = 'r'
          and c.relname not in ('api_keys', 'jobs', 'webhooks', 'webhook_deliveries') -- never in the trash
          and not exists (select from pg_index i where i.indrelid = c.oid
            and pg_get_indexdef(i.indexrelid) like '%(account_id, deleted_at, id) WHERE (deleted_at IS NOT NULL)')`,
    )
    expect(missing).toEqual([])
  })
})
