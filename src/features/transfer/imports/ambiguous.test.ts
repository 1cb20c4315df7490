/** Names that fit two records: no link is guessed. */
import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../../test/support/service.ts'
import type { Draft } from './draft.ts'
import { resolveMembers } from './resolve-members.ts'
import { done, errorsOf, imported, uploaded, warningsOf } from './testing.ts'

const NORD = 'Nordlicht Logistik AG'

async function twins(me: Account): Promise<void> {
  for (const domain of ['hamburg.example', 'bremen.example'])
    await me.create('/api/companies', { name: NORD, domains: [domain] })
  for (const email of ['li.wei@a.example', 'li.wei@b.example'])
    await me.create('/api/contacts', { first_name: 'Li', last_name: 'Wei', email })
}

onAnyEngine('names of an import that fit two records', account => {
  it('leave the link out with a warning, or fail the row', async () => {
    const me = await account()
    await twins(me)
    const people = await uploaded(
      me,
      `First name,Company,Company domain\nA,${NORD},\nB,${NORD},bremen.example\n`,
      {
        entity_type: 'contact',
      },
    )
    expect(await done(me, people.id, 'start')).toMatchObject({ created_count: 2, warning_count: 1 })
    expect(await warningsOf(me, people.id)).toMatchObject([
      {
        row: 2,
        column: 'Company',
        code: 'ambiguous_reference',
        message: `Two companies or more are called “${NORD}”, so this link is left out: add a column with its domain or its id to say which one is meant`,
      },
    ])
    const { items } = (await me.get('/api/contacts?sort_by=first_name&sort_order=asc')).body
    expect(items.slice(0, 2)).toMatchObject([{ company_ids: [] }, { company_ids: [{ name: NORD }] }])

    const deals = await imported(me, 'Deal name,Contact\nD,Li Wei\nE,"Wei, Li"\nF,li.wei@b.example\n', {
      entity_type: 'deal',
    })
    expect(deals).toMatchObject({ created_count: 1, error_count: 2 })
    const message = expect.stringMatching(
      /^Two contacts or more are called “.*”: add a column with the email/,
    )
    expect(await errorsOf(me, deals.id)).toMatchObject([
      { row: 2, message },
      { row: 3, message },
    ])
    expect((await me.get('/api/deals')).body.items).toMatchObject([{ name: 'F' }])
  })

  it('do not tie records with ids of the other product to one of the same name', async () => {
    const me = await account()
    const file = (ids: number[]) =>
      `Record ID,First name,Contact owner,Associated Company,Associated Company IDs\n${ids
        .map(id => `${id},P${id},,Twin,${id}\n`)
        .join('')}`
    for (const ids of [[1, 2, 3], [4]])
      expect(await imported(me, file(ids), { entity_type: 'contact' })).toMatchObject({
        ...{ created_count: ids.length, warning_count: 0 },
      })
    expect((await me.get('/api/companies')).body.total).toBe(4)
  })
})

it('leaves out an owner whose name two members have, and finds one by the name turned round', () => {
  const members = [
    { user_id: 'a', name: 'Li Wei', email: 'a@x.example' },
    { user_id: 'b', name: 'Li Wei', email: 'b@x.example' },
    { user_id: 'c', name: 'Jörg Müller', email: 'c@x.example' },
  ]
  const ownerOf = (name: string, owner: 'fail' | 'empty') => {
    const links = { owner_id: { ids: [], externals: [], names: [name] } }
    const draft = { links, input: {}, errors: [], warnings: [] } as never as Draft
    resolveMembers(members, { onMissing: { owner } } as never, ['owner_id'], [draft])
    return [draft.input.owner_id, draft.errors.length, draft.warnings.length]
  }
  expect(ownerOf('Müller, Jörg', 'fail')).toEqual(['c', 0, 0])
  expect(ownerOf('Li Wei', 'fail')).toEqual([undefined, 1, 0])
  expect(ownerOf('Wei, Li', 'empty')).toEqual([undefined, 0, 1])
  expect(ownerOf('b@x.example', 'fail')).toEqual(['b', 0, 0])
})
