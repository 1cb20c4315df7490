/** Writes a small account through the API. */
import { sql } from 'kysely'
import { type Account, anotherMember } from '../../../../test/support/service.ts'
import { systemDb } from '../../../kernel/context.ts'
import type { Writer } from './writer.testing.ts'

export function overHttp(account: Account): Writer {
  const nameMember = (id: string, name: string) =>
    sql`update users set name = ${name} where id = ${id}`.execute(systemDb(account.service.services))
  const tags = new Map<string, Promise<{ id: string }>>()
  const stages = account.get('/api/deals/pipelines').then(async ({ body }) => {
    const path = `/api/deals/stages?pipeline_id=${body.items[0].id}&page_size=100`
    const { items } = (await account.get(path)).body
    return new Map<string, string>(items.map((one: { name: string; id: string }) => [one.name, one.id]))
  })
  return {
    me: account.userId,
    async asker(name) {
      await nameMember(account.userId, name)
    },
    async colleague(name) {
      const { userId } = await anotherMember(account)
      await nameMember(userId, name)
      return userId
    },
    async create(path, { stage, ...body }) {
      const stage_id = typeof stage === 'string' ? { stage_id: (await stages).get(stage) } : {}
      return (await account.create(path, { ...body, ...stage_id })).id
    },
    async tag(kind, id, names) {
      const made = names.map(name => {
        const tag = tags.get(name) ?? account.create('/api/tags', { name })
        tags.set(name, tag)
        return tag
      })
      const tag_ids = (await Promise.all(made)).map(tag => tag.id)
      await account.put(`/api/tags/records/${kind}/${id}`, { tag_ids })
    },
  }
}
