/** A company's team, from the company's side and from the person's. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const LINK = ['id', 'company_id', 'person_id', 'created_at', 'role', 'is_primary', 'created_by']
const MEMBER = [
  'id',
  'person_id',
  'created_at',
  'first_name',
  'last_name',
  'full_name',
  'email',
  'phone',
  'job_title',
  'last_interaction',
  'role',
  'is_primary',
  'created_by',
]

interface Link {
  person_id: string
}
const people = (links: Link[]) => links.map(link => link.person_id)
const ids = (items: { id: string }[]) => items.map(item => item.id)

async function scene(client: Account) {
  const company = await client.create('/api/companies', { name: 'Acme' })
  const persons = []
  for (const first_name of ['Ada', 'Bea', 'Cem']) {
    persons.push(
      await client.create('/api/contacts', { first_name, email: `${first_name}@x.test`, phone: '1' }),
    )
  }
  const [a, b, c] = ids(persons) as [string, string, string]
  return {
    a,
    b,
    c,
    id: company.id as string,
    one: `/api/companies/${company.id}`,
    team: `/api/companies/${company.id}/team`,
  }
}

onAnyEngine('a company’s team', account => {
  it('is replaced as a whole, in the order sent, each contact once', async () => {
    const client = await account()
    const { a, b, c, id, one, team } = await scene(client)
    expect((await client.get(team)).body).toEqual([])
    const put = await client.put(team, [b, a, b, a])
    expect(put.status).toBe(200)
    expect(people(put.body)).toEqual([b, a])
    expect(Object.keys(put.body[0])).toEqual(LINK)
    expect(put.body[0]).toMatchObject({
      company_id: id,
      role: null,
      is_primary: false,
      created_by: client.userId,
    })

    const listed = (await client.get(team)).body
    expect(Object.keys(listed[0])).toEqual(MEMBER)
    expect(listed[0]).toMatchObject({
      id: put.body[0].id,
      person_id: b,
      first_name: 'Bea',
      last_name: null,
      full_name: 'Bea',
      email: 'Bea@x.test',
      phone: '1',
      last_interaction: null,
    })
    expect((await client.get(one)).body.team_ids).toEqual([
      { id: b, name: 'Bea' },
      { id: a, name: 'Ada' },
    ])
    expect(people((await client.put(team, [c, a, b])).body)).toEqual([c, a, b])
    expect(people((await client.get(team)).body)).toEqual([c, a, b])
    expect((await client.put(team, [])).body).toEqual([])
    expect((await client.get(one)).body.team_ids).toEqual([])
  })

  it('keeps role and primary of remaining members', async () => {
    const client = await account()
    const { a, b, c, team, one } = await scene(client)
    const [before] = (await client.put(team, [a, b])).body
    const set = await client.put(`${team}/${a}`, { role: 'CEO', is_primary: true })
    expect(set.status).toBe(200)
    expect(set.body).toEqual({ ...before, role: 'CEO', is_primary: true })
    const replaced = (await client.put(team, [c, a])).body
    expect(replaced[0]).toMatchObject({ person_id: c, role: null, is_primary: false })
    expect(replaced[1]).toEqual({ ...before, role: 'CEO', is_primary: true })
    await client.put(one, { team_ids: [a, b] })
    expect((await client.get(team)).body[0]).toMatchObject({ person_id: a, role: 'CEO', is_primary: true })
  })

  it('has at most one primary contact', async () => {
    const client = await account()
    const { a, b, team } = await scene(client)
    await client.put(team, [a, b])
    await client.put(`${team}/${a}`, { is_primary: true })
    expect((await client.put(`${team}/${b}`, { is_primary: true, role: 'CTO' })).body.is_primary).toBe(true)
    const flags = (await client.get(team)).body.map((member: { is_primary: boolean }) => member.is_primary)
    expect(flags).toEqual([false, true])
    expect((await client.put(`${team}/${b}`, {})).body).toMatchObject({ role: 'CTO', is_primary: true })
    expect((await client.put(`${team}/${b}`, { role: null, is_primary: false })).body).toMatchObject({
      role: null,
      is_primary: false,
    })
    const long = await client.put(`${team}/${b}`, { role: 'x'.repeat(256) })
    expect(long.body.detail[0].loc).toEqual(['body', 'role'])
  })

  it('refuses unknown contacts and those of other accounts, and writes nothing', async () => {
    const client = await account()
    const { a, b, team, one } = await scene(client)
    const foreign = await (await account()).create('/api/contacts', { first_name: 'Eve' })
    await client.put(team, [a])
    for (const stranger of [newId(), foreign.id]) {
      const answer = await client.put(team, [b, stranger])
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toEqual([
        { type: 'reference_not_found', loc: ['body', 1], msg: 'Contact not found', input: stranger },
      ])
      const viaCompany = await client.put(one, { name: 'Changed', team_ids: [b, stranger] })
      expect(viaCompany.body.detail[0]).toMatchObject({
        type: 'reference_not_found',
        loc: ['body', 'team_ids', 1],
      })
    }
    expect(people((await client.get(team)).body)).toEqual([a])
    expect((await client.get(one)).body.name).toBe('Acme')
  })

  it.each([
    [{}, 'list_type', ['body']],
    [['x'], 'uuid_parsing', ['body', 0]],
    [[null], 'uuid_type', ['body', 0]],
    [Array.from({ length: 1001 }, () => newId()), 'too_long', ['body']],
  ])('refuses a malformed team (%#)', async (body, type, loc) => {
    const client = await account()
    const { team } = await scene(client)
    const answer = await client.put(team, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0]).toMatchObject({ type, loc })
  })

  it('removes a contact once', async () => {
    const client = await account()
    const { a, b, team } = await scene(client)
    await client.put(team, [a, b])
    const gone = await client.delete(`${team}/${a}`)
    expect([gone.status, gone.body]).toEqual([200, {}])
    expect(people((await client.get(team)).body)).toEqual([b])
    expect((await client.delete(`${team}/${a}`)).body).toEqual({ detail: 'Team member not found' })
    expect((await client.put(`${team}/${a}`, { role: 'x' })).status).toBe(404)
    expect((await client.delete(`/api/companies/${newId()}/team/${b}`)).body).toEqual({
      detail: 'Company not found',
    })
  })

  it('hides contacts in the trash and shows them again when they are restored', async () => {
    const client = await account()
    const { a, b, c, team, one } = await scene(client)
    await client.put(team, [a, b])
    await client.put(`${team}/${a}`, { role: 'CEO' })
    await client.delete(`/api/contacts/${a}`)
    expect(people((await client.get(team)).body)).toEqual([b])
    expect(ids((await client.get(one)).body.team_ids)).toEqual([b])
    expect((await client.put(team, [a])).status).toBe(422)
    expect(people((await client.put(team, [b, c])).body)).toEqual([b, c])
    await client.post(`/api/contacts/${a}/restore`)
    const back = (await client.get(team)).body as (Link & { role: string })[]
    expect(people(back).sort()).toEqual([a, b, c].sort())
    expect(back.find(member => member.person_id === a)!.role).toBe('CEO')
  })

  it('keeps its order when a contact is linked from the contact', async () => {
    const client = await account()
    const { a, b, c, id, team } = await scene(client)
    await client.put(team, [b, a])
    await client.put(`/api/contacts/${c}`, { company_ids: [id] })
    expect(people((await client.get(team)).body)).toEqual([b, a, c])
    const other = await client.create('/api/companies', { name: 'Other' })
    await client.put(`/api/contacts/${a}`, { company_ids: [other.id, id] })
    expect(people((await client.get(team)).body)).toEqual([b, a, c])
    expect(ids((await client.get(`/api/contacts/${a}`)).body.company_ids)).toEqual([other.id, id])
  })

  it('is consistent after several concurrent replacements', async () => {
    const client = await account()
    const { a, b, c, team } = await scene(client)
    const teams = [[a, b], [b, c], [c], [a, b, c], [c, b, a]]
    const answers = await Promise.all(teams.map(team_ => client.put(team, team_)))
    expect(answers.map(answer => answer.status)).toEqual(teams.map(() => 200))
    const left = people((await client.get(team)).body)
    expect(teams).toContainEqual(left)
  })
})
