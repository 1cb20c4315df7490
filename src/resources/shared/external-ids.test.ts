/** Ids that records have in other systems: unique per source, found by them, and never lost on the way. */
import { expect, it } from 'vitest'
import { type Item, onBothEngines } from '../../../test/support/service.ts'

onBothEngines('external ids', account => {
  it('are unique per source and kind, outside the trash', async () => {
    const me = await account()
    const ann = await me.create('/api/contacts', { first_name: 'Ann', external_ids: { hubspot: '1' } })
    expect(ann.external_ids).toEqual({ hubspot: '1' })
    const twice = { first_name: 'Bob', external_ids: { hubspot: '1' } }
    expect(await me.post('/api/contacts', twice)).toMatchObject({ status: 409 })
    await me.create('/api/contacts', { first_name: 'Cid', external_ids: { salesforce: '1' } })
    await me.create('/api/companies', { name: 'Acme', external_ids: { hubspot: '1' } })
    await me.delete(`/api/contacts/${ann.id}`)
    const bob = await me.create('/api/contacts', twice)
    expect(await me.post(`/api/contacts/${ann.id}/restore`)).toMatchObject({ status: 409 })
    await me.put(`/api/contacts/${bob.id}`, { external_ids: {} })
    expect(await me.post(`/api/contacts/${ann.id}/restore`)).toMatchObject({ status: 200 })
    const found = await me.get('/api/contacts?external_id=hubspot:1')
    expect(found.body.items).toMatchObject([{ id: ann.id }])
    expect((await me.get('/api/contacts?external_id=hubspot')).status).toBe(422)
  })

  it.each([
    [{ 'Hub Spot': '1' }],
    [{ hubspot: 1 }],
    [{ hubspot: '' }],
    [{ hubspot: 'x'.repeat(256) }],
    [Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, '1']))],
  ])('refuse %j', async external_ids => {
    const me = await account()
    const answer = await me.post('/api/deals', { name: 'A', external_ids })
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'external_ids']])
  })

  it('that are taken are named in the conflict, whatever the request', async () => {
    const me = await account()
    const taken = { external_ids: { attio: 'x', hubspot: '7, "a" (b)=(c)' } }
    const { id } = await me.create('/api/companies', {
      name: 'A',
      external_ids: { hubspot: taken.external_ids.hubspot },
    })
    const other = await me.create('/api/companies', { name: 'B' })
    const sentence = (label: string, value = taken.external_ids.hubspot) =>
      `Another ${label} has taken the value "${value}" of external_ids.hubspot, which must be unique`
    const refused = { status: 409, body: { detail: sentence('record') } }
    expect(await me.post('/api/companies', { name: 'C', ...taken })).toMatchObject(refused)
    expect(await me.put(`/api/companies/${other.id}`, taken)).toMatchObject(refused)
    const bulk = (ids: string[]) => me.post('/api/companies/bulk-update', { ids, set: taken })
    expect(await bulk([other.id])).toMatchObject(refused)
    const batch = await me.post('/api/companies/batch', {
      items: [
        { action: 'create', record: { name: 'D', ...taken } },
        { action: 'update', id: other.id, record: taken },
      ],
    })
    expect(batch.body.results.map((item: Item) => item.errors[0].msg)).toEqual(
      Array(2).fill(sentence('record')),
    )
    const upsert = await me.post('/api/companies/upsert?match_on=name', { name: 'B', ...taken })
    expect(upsert).toMatchObject(refused)

    const deleted = await me.post('/api/companies/bulk-delete', [id])
    await me.put(`/api/companies/${other.id}`, taken)
    const undone = await me.post(`/api/operations/${deleted.headers.get('x-operation-id')}/undo`)
    expect(undone).toMatchObject(refused)
    const restored = await me.post(`/api/companies/${id}/restore`)
    expect(restored).toMatchObject({ status: 409, body: { detail: sentence('company') } })
    const third = await me.create('/api/companies', { name: 'E' })
    const twice = { ids: [other.id, third.id], set: { external_ids: { hubspot: 'n' } } }
    expect((await me.post('/api/companies/bulk-update', twice)).body.detail).toBe(sentence('record', 'n'))
  })

  it('identify records in upserts, which keep the ids of other sources', async () => {
    const me = await account()
    const upsert = (name: string, external_ids: object) =>
      me.post('/api/companies/upsert?match_on=external_ids.hubspot', { name, external_ids })
    const first = await upsert('Acme', { hubspot: '7' })
    expect(first.status).toBe(201)
    await me.put(`/api/companies/${first.body.id}`, { external_ids: { hubspot: '7', attio: 'x' } })
    expect(await upsert('Acme Corp', { hubspot: '7' })).toMatchObject({
      status: 200,
      body: { id: first.body.id, name: 'Acme Corp', external_ids: { hubspot: '7', attio: 'x' } },
    })
    expect((await upsert('No id', {})).status).toBe(422)
    const wrong = await me.post('/api/companies/upsert?match_on=nope', { name: 'A' })
    expect(wrong.body.detail[0].msg).toContain('external_ids.<source>')
  })

  it('are combined by a merge and separated by its undo', async () => {
    const me = await account()
    // Also with the younger record as the primary: a statement may write the rows of an undo in the order of their ids.
    for (const [attio, isYounger] of [
      ['a', false],
      ['b', true],
    ] as const) {
      const primary = { name: 'Acme', external_ids: { hubspot: `1${attio}` } }
      const secondary = { name: 'ACME', external_ids: { hubspot: `2${attio}`, attio } }
      const bodies = isYounger ? [secondary, primary] : [primary, secondary]
      const made = [
        await me.create('/api/companies', bodies[0]),
        await me.create('/api/companies', bodies[1]),
      ]
      const [one, two] = isYounger ? made.toReversed() : made
      const merged = await me.post('/api/companies/merge', { primary_id: one.id, secondary_ids: [two.id] })
      expect(merged.body.external_ids).toEqual({ hubspot: `1${attio}`, attio })
      const undone = await me.post(`/api/operations/${merged.body.operation_id}/undo`)
      expect(undone.status, undone.text).toBe(200)
      expect((await me.get(`/api/companies/${one.id}`)).body.external_ids).toEqual({ hubspot: `1${attio}` })
      const found = await me.get(`/api/companies?external_id=attio:${attio}`)
      expect(found.body.items).toMatchObject([{ id: two.id }])
    }
  })

  /** Two companies with ids of the same system, and the merge of the second into the first. */
  async function merged() {
    const me = await account()
    const make = (id: string, more = {}) =>
      me.create('/api/companies', { name: `Acme ${id}`, external_ids: { hubspot: id, ...more } })
    const [one, two] = [await make('1'), await make('2', { attio: 'b' })]
    const merge = async (primary: Item, ...others: Item[]) => {
      const body = { primary_id: primary.id, secondary_ids: others.map(({ id }) => id) }
      const answer = await me.post('/api/companies/merge', body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }
    const idsOf = async (id: unknown) => (await me.get(`/api/companies/${id}`)).body.external_ids
    /** the company that is found by an id of HubSpot */
    const holder = async (id: string) =>
      (await me.get(`/api/companies?external_id=hubspot:${id}`)).body.items.map((item: Item) => item.id)[0]
    const upsert = (id: string, more: Item = {}) =>
      me.post('/api/companies/upsert?match_on=external_ids.hubspot', {
        external_ids: { hubspot: id },
        ...more,
      })
    const undo = async ({ operation_id }: Item) => {
      const answer = await me.post(`/api/operations/${operation_id}/undo`)
      expect([answer.status, answer.body.conflicts], answer.text).toEqual([200, []])
      return answer.body
    }
    return { me, make, one, two, merge, idsOf, holder, upsert, undo, first: await merge(one, two) }
  }

  it('of a merged record find the one that it was merged into, which shows its own', async () => {
    const { me, one, two, first, idsOf, holder, upsert, undo } = await merged()
    expect(first.external_ids).toEqual({ hubspot: '1', attio: 'b' })
    expect(await holder('2')).toBe(one.id)
    const synced = await upsert('2', { name: 'From HubSpot' })
    expect(synced).toMatchObject({ status: 200, body: { id: one.id, name: 'From HubSpot' } })
    expect(synced.body.external_ids).toEqual({ hubspot: '1', attio: 'b' })
    const item = {
      action: 'upsert',
      match_on: 'external_ids.hubspot',
      record: { external_ids: { hubspot: '2' } },
    }
    const batch = await me.post('/api/companies/batch', { items: [item] })
    expect(batch.body.results).toMatchObject([{ status: 'updated', id: one.id }])
    expect(await me.post('/api/companies', { name: 'Twice', external_ids: { hubspot: '2' } })).toMatchObject({
      status: 409,
    })
    expect((await me.get(`/api/companies/${two.id}`)).status).toBe(404)
    const { text } = await me.get(`/api/companies/${one.id}/timeline`)
    expect(text).not.toContain('merged_external_ids')

    const undone = await undo(first)
    expect([await holder('1'), await holder('2')]).toEqual([one.id, two.id])
    expect([await idsOf(one.id), await idsOf(two.id)]).toEqual([
      { hubspot: '1' },
      { hubspot: '2', attio: 'b' },
    ])
    expect((await upsert('2')).body.id).toBe(two.id)
    // undoing the undo merges them again
    await undo(undone)
    expect(await holder('2')).toBe(one.id)
  })

  it('of merged records go along with later merges, and each undo gives its own back', async () => {
    const { me, make, one, two, merge, first, holder, undo } = await merged()
    const [three, four] = [await make('3'), await make('4')]
    const second = await merge(one, three)
    const third = await merge(four, one)
    for (const id of ['1', '2', '3', '4']) expect(await holder(id)).toBe(four.id)
    await undo(third)
    for (const id of ['1', '2', '3']) expect(await holder(id)).toBe(one.id)
    // the first, although the second has changed the ids since
    await undo(first)
    expect([await holder('2'), await holder('3')]).toEqual([two.id, one.id])
    await undo(second)
    expect([await holder('1'), await holder('2'), await holder('3')]).toEqual([one.id, two.id, three.id])
    expect((await me.get(`/api/companies/${one.id}`)).body.external_ids).toEqual({ hubspot: '1' })
  })

  it('of merged records are in the trash with the one that has them, and released with its own', async () => {
    const { me, one, two, holder, upsert } = await merged()
    const path = `/api/companies/${one.id}`
    await me.delete(path)
    expect(await holder('2')).toBeUndefined()
    await me.post(`${path}/restore`)
    expect(await holder('2')).toBe(one.id)
    await me.put(path, { external_ids: { hubspot: '5' } })
    expect([await holder('2'), await holder('5')]).toEqual([one.id, one.id])
    await me.put(path, { external_ids: { hubspot: '2' } })
    expect((await upsert('2')).body).toMatchObject({ id: one.id, external_ids: { hubspot: '2' } })
    await me.put(path, { external_ids: {} })
    expect(await holder('2')).toBeUndefined()
    await me.put(path, { external_ids: { hubspot: '6' } })
    expect(await holder('2')).toBeUndefined()
    expect((await me.post(`/api/companies/${two.id}/restore`)).body.external_ids).toEqual({
      hubspot: '2',
      attio: 'b',
    })
  })

  it('of a merged record are its own again once it is restored from the trash', async () => {
    const { me, one, two, holder, idsOf } = await merged()
    await me.put(`/api/companies/${one.id}`, { external_ids: { hubspot: '1' } })
    const restored = await me.post(`/api/companies/${two.id}/restore`)
    expect(restored.status, restored.text).toBe(200)
    expect([await holder('1'), await holder('2')]).toEqual([one.id, two.id])
    await me.put(`/api/companies/${one.id}`, { external_ids: { hubspot: '7' } })
    expect([await holder('7'), await holder('2')]).toEqual([one.id, two.id])
    expect(await idsOf(one.id)).toEqual({ hubspot: '7' })
  })

  it('of merged contacts find their contact, as those of companies do', async () => {
    const me = await account()
    const make = (id: string) => me.create('/api/contacts', { first_name: id, external_ids: { hubspot: id } })
    const [one, two, three] = [await make('1'), await make('2'), await make('3')]
    await me.post('/api/contacts/merge', { primary_id: one.id, secondary_ids: [two.id, three.id] })
    const sent = { external_ids: { hubspot: '3' }, first_name: 'Ann' }
    const answer = await me.post('/api/contacts/upsert?match_on=external_ids.hubspot', sent)
    expect(answer.body).toMatchObject({ id: one.id, first_name: 'Ann', external_ids: { hubspot: '1' } })
    const ids = await Promise.all(
      ['1', '2', '3'].map(id => me.get(`/api/contacts?external_id=hubspot:${id}`)),
    )
    expect(ids.map(({ body }) => body.items[0].id)).toEqual([one.id, one.id, one.id])
  })
})
