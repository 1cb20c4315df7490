import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { joining, newPerson, type Person } from '../../../test/support/person.ts'
import { onBothEngines, serviceOn } from '../../../test/support/service.ts'
import { query, systemDb } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { resources } from '../index.ts'
import { RESPONSIBLE } from './reassign.ts'

it('covers every field that refers to a member', () => {
  const fields = resources.flatMap(({ record }) =>
    Object.entries(record.references ?? {}).flatMap(([column, target]) =>
      target.table === 'members' ? [{ table: record.table, column }] : [],
    ),
  )
  const text = (list: readonly object[]) => list.map(one => JSON.stringify(one)).toSorted()
  expect(text(RESPONSIBLE)).toEqual(text(fields))
})

onBothEngines('a member who leaves', (_, kind) => {
  const recordsOf = async (owner: Person, member: Person) => {
    const here = { 'x-account-id': owner.accountId }
    const create = async (path: string, body: object) => {
      const made = await owner.call('POST', path, body, here)
      expect(made.status).toBe(201)
      return `${path}/${made.body.id}`
    }
    const paths = [
      await create('/api/contacts', { first_name: 'A', owner_id: member.userId }),
      await create('/api/deals', { name: 'B', owner_id: member.userId }),
      await create('/api/activities', { type: 'task', subject: 'C', assignee_id: member.userId }),
    ]
    const responsible = async () => {
      const found = []
      for (const path of paths) {
        const { body } = await owner.call('GET', path, undefined, here)
        found.push(body.owner_id === undefined ? body.assignee_id : body.owner_id)
      }
      return found
    }
    return { paths, responsible, here }
  }
  const leaving = (owner: Person, member: Person, query = '') =>
    owner.call('DELETE', `/api/accounts/${owner.accountId}/members/${member.userId}${query}`)

  it('passes their records to another member, including those in the trash', async () => {
    const owner = await newPerson(kind)
    const [member, successor] = [await joining(owner, 'member'), await joining(owner, 'member')]
    const { paths, responsible, here } = await recordsOf(owner, member)
    const [contact] = paths
    await owner.call('DELETE', contact!, undefined, here)
    expect(await leaving(owner, member, `?reassign_to=${successor.userId}`)).toMatchObject({ status: 200 })
    expect((await owner.call('POST', `${contact}/restore`, undefined, here)).status).toBe(200)
    expect(await responsible()).toEqual(Array(3).fill(successor.userId))
    const timeline = await owner.call('GET', `${paths[1]}/timeline`, undefined, here)
    expect(timeline.text).toContain(successor.userId)
  })

  it('leaves their records without an owner by default, and undo does not restore the owner', async () => {
    const owner = await newPerson(kind)
    const member = await joining(owner, 'member')
    const { paths, responsible, here } = await recordsOf(owner, member)
    const edits = []
    for (const path of paths) {
      const [, , group, id] = path.split('/')
      const set = group === 'activities' ? { assignee_id: owner.userId } : { owner_id: owner.userId }
      const edit = await owner.call('POST', `/api/${group}/bulk-update`, { ids: [id], set }, here)
      edits.push(edit.body.operation_id)
    }
    const others = await recordsOf(owner, member)
    expect(await leaving(owner, member)).toMatchObject({ status: 200, body: {} })
    expect(await others.responsible()).toEqual([null, null, null])
    for (const id of edits) {
      expect((await owner.call('POST', `/api/operations/${id}/undo`, undefined, here)).status).toBe(200)
    }
    expect(await responsible()).toEqual([null, null, null])
    const { service } = await serviceOn(kind)
    for (const { table, column } of RESPONSIBLE) {
      const dangling = await query(
        { db: systemDb(service.services) },
        sql`select r.id from ${sql.table(table)} r where r.account_id = ${owner.accountId}
          and r.${sql.ref(column)} = ${member.userId}`,
      )
      expect(dangling).toEqual([])
    }
  })

  it('can pass their records only to another member', async () => {
    const owner = await newPerson(kind)
    const member = await joining(owner, 'member')
    const stranger = await newPerson(kind)
    for (const id of [member.userId, stranger.userId, newId(), 'nobody']) {
      const answer = await leaving(owner, member, `?reassign_to=${id}`)
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'reassign_to'] }] } })
    }
    expect((await owner.call('GET', `/api/accounts/${owner.accountId}/members`)).body.total).toBe(2)
  })
})
