/** Ids that records have in other systems: unique per source, found by them, and never lost on the way. */
import { expect, it } from 'vitest'
import { onBothEngines } from '../../../test/support/service.ts'

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
})
