/** A contact's companies and a company's team are the same links, seen from both sides. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/contacts'

async function scene(client: Account) {
  const companies: Record<string, string> = {}
  for (const name of ['A', 'B', 'C']) companies[name] = (await client.create('/api/companies', { name })).id
  const nameOf = Object.fromEntries(Object.entries(companies).map(([name, id]) => [id, name]))
  const idsOf = (names: string) => [...names].map(name => companies[name])
  return {
    companies,
    /** `A BC` is primary company A and companies B and C; `- AB` has no primary one; a part `.` is left out */
    body(state: string) {
      const [primary, all] = state.split(' ') as [string, string]
      return {
        ...(primary === '.' ? {} : { company_id: primary === '-' ? null : companies[primary] }),
        ...(all === '.' ? {} : { company_ids: all === '-' ? [] : idsOf(all) }),
      }
    },
    async state(id: string) {
      const { body } = await client.get(`${at}/${id}`)
      const all = body.company_ids.map((item: { name: string }) => item.name).join('')
      for (const [name, company] of Object.entries(companies)) {
        const team = await client.get(`/api/companies/${company}/team`)
        if (team.status === 404) continue
        const inTeam = team.body.some((member: { person_id: string }) => member.person_id === id)
        expect(inTeam, `team of ${name}`).toBe(all.includes(name))
        const listed = (await client.get(`${at}?company_id=${company}`)).body.total
        expect(listed, `list by ${name}`).toBe(inTeam ? 1 : 0)
      }
      return `${body.company_id === null ? '-' : nameOf[body.company_id]} ${all || '-'}`
    },
  }
}

const created: [given: string, then: string][] = [
  ['. .', '- -'],
  ['A .', 'A A'],
  ['- .', '- -'],
  ['. AB', 'A AB'],
  ['. BA', 'B BA'],
  ['B AB', 'B AB'],
  ['C AB', 'C ABC'],
  ['- AB', '- AB'],
  ['. AAB', 'A AB'],
  ['. -', '- -'],
]

const updated: [before: string, given: string, then: string][] = [
  ['A A', 'B .', 'B B'],
  ['A A', 'A .', 'A A'],
  ['A A', '- .', '- -'],
  ['A AB', 'C .', 'C BC'],
  ['A AB', 'B .', 'B B'],
  ['A AB', '- .', '- B'],
  ['- AB', 'B .', 'B AB'],
  ['- -', 'A .', 'A A'],
  ['A A', '. AB', 'A AB'],
  ['A A', '. B', 'B B'],
  ['A AB', '. B', '- B'],
  ['A AB', '. BA', 'A BA'],
  ['A AB', '. -', '- -'],
  ['- AB', '. ABC', 'C ABC'],
  ['A AB', 'B AB', 'B AB'],
  ['A AB', 'C B', 'C BC'],
  ['A AB', '- AB', '- AB'],
  ['A AB', '. .', 'A AB'],
]

onAnyEngine('a person’s companies', account => {
  it('are set on create', async () => {
    const client = await account()
    const { body, state } = await scene(client)
    for (const [given, then] of created) {
      const { id } = await client.create(at, { first_name: 'Ada', ...body(given) })
      expect.soft(await state(id), given).toBe(then)
      await client.delete(`${at}/${id}`)
    }
  })

  it('change on update', async () => {
    const client = await account()
    const { body, state } = await scene(client)
    for (const [before, given, then] of updated) {
      const { id } = await client.create(at, { first_name: 'Ada', ...body(before) })
      expect.soft(await state(id), before).toBe(before)
      const answer = await client.put(`${at}/${id}`, { city: 'Graz', ...body(given) })
      expect.soft([answer.status, await state(id)], `${before} given ${given}`).toEqual([200, then])
      expect.soft((await client.get(`${at}/${id}`)).body).toEqual(answer.body)
      await client.delete(`${at}/${id}`)
    }
  })

  it('follow the company’s team', async () => {
    const client = await account()
    const { companies, state } = await scene(client)
    const { id } = await client.create(at, { first_name: 'Ada' })
    const team = (name: string) => `/api/companies/${companies[name]}/team`
    const steps: [call: () => Promise<unknown>, then: string][] = [
      [() => client.put(team('A'), [id]), 'A A'],
      [() => client.put(team('B'), [id]), 'A AB'],
      [() => client.delete(`${team('A')}/${id}`), '- B'],
      [() => client.put(team('B'), [id]), '- B'],
      [() => client.put(`/api/companies/${companies.C}`, { team_ids: [id] }), 'C BC'],
      [() => client.put(`/api/companies/${companies.C}`, { name: 'C' }), 'C BC'],
      [() => client.put(`/api/companies/${companies.C}`, { team_ids: null }), '- B'],
      [() => client.put(team('B'), []), '- -'],
    ]
    for (const [call, then] of steps) {
      await call()
      expect(await state(id)).toBe(then)
    }
    const made = await client.create('/api/companies', { name: 'D', team_ids: [id] })
    expect((await client.get(`${at}/${id}`)).body.company_id).toBe(made.id)
  })

  it('hide a company in the trash and show it again when it is restored', async () => {
    const client = await account()
    const { companies, state } = await scene(client)
    const { id } = await client.create(at, {
      first_name: 'Ada',
      company_id: companies.A,
      company_ids: [companies.A, companies.B],
    })
    await client.delete(`/api/companies/${companies.A}`)
    expect(await state(id)).toBe('- B')
    expect((await client.get(`${at}?company_id=${companies.A}`)).body.total).toBe(0)
    const sentBack = await client.put(`${at}/${id}`, { company_id: null, company_ids: [companies.B] })
    expect(sentBack.status).toBe(200)
    const refused = await client.put(`${at}/${id}`, { company_id: companies.A })
    expect(refused.body.detail[0]).toMatchObject({ type: 'reference_not_found', msg: 'Company not found' })
    await client.post(`/api/companies/${companies.A}/restore`)
    expect(await state(id)).toBe('A AB')
    await client.delete(`${at}/${id}`)
    expect((await client.get(`/api/companies/${companies.A}`)).body.team_ids).toEqual([])
    await client.post(`${at}/${id}/restore`)
    expect(await state(id)).toBe('A AB')
  })

  it('refuse companies of other accounts and write nothing', async () => {
    const client = await account()
    const { companies, state } = await scene(client)
    const foreign = (await (await account()).create('/api/companies', { name: 'Foreign' })).id
    const { id } = await client.create(at, { first_name: 'Ada', company_id: companies.A })
    for (const stranger of [foreign, newId()]) {
      for (const [body, loc] of [
        [{ company_id: stranger }, ['body', 'company_id']],
        [{ company_ids: [companies.B, stranger] }, ['body', 'company_ids', 1]],
      ] as const) {
        for (const answer of [
          await client.put(`${at}/${id}`, { first_name: 'Changed', ...body }),
          await client.post(at, { first_name: 'Bea', ...body }),
        ]) {
          expect(answer.status).toBe(422)
          expect(answer.body.detail).toEqual([
            { type: 'reference_not_found', loc, msg: 'Company not found', input: stranger },
          ])
        }
      }
    }
    expect(await state(id)).toBe('A A')
    expect((await client.get(at)).body).toMatchObject({ total: 1, items: [{ first_name: 'Ada' }] })
  })

  it('are consistent when both sides write at once', async () => {
    const client = await account()
    const { companies, state } = await scene(client)
    const { id } = await client.create(at, { first_name: 'Ada', company_id: companies.A })
    const answers = await Promise.all([
      client.put(`/api/companies/${companies.A}/team`, []),
      client.put(`${at}/${id}`, { company_id: companies.B }),
      client.put(`/api/companies/${companies.B}/team`, [id]),
      client.put(`${at}/${id}`, { company_ids: [companies.A, companies.C] }),
    ])
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200])
    const [primary, all] = (await state(id)).split(' ')
    expect(primary === '-' || all!.includes(primary!)).toBe(true)
  })
})
