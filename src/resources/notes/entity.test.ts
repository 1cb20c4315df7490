/** The record that a note is on, and its further links. */
import { expect, it } from 'vitest'
import { type Account, type Item, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/notes'
const FIELDS = { company: 'company_ids', contact: 'contact_ids', deal: 'deal_ids' } as const

async function records({ create }: Account): Promise<Record<string, string>> {
  return {
    company: (await create('/api/companies', { name: 'Acme' })).id,
    contact: (await create('/api/contacts', { first_name: 'Ada' })).id,
    deal: (await create('/api/deals', { name: 'Engines' })).id,
    activity: (await create('/api/activities', { type: 'call', subject: 'Ring' })).id,
  }
}

/** The note's entity and the ids in its fields. */
const ties = (note: Item): Item => ({
  entity_type: note.entity_type,
  entity_id: note.entity_id,
  ...Object.fromEntries(
    Object.values(FIELDS).map(field => [field, note[field].map((item: { id: string }) => item.id)]),
  ),
})
const untied = { entity_type: null, entity_id: null, company_ids: [], contact_ids: [], deal_ids: [] }

onAnyEngine('the entity of a note', account => {
  it('is a company, contact, deal or activity, and also a link', async () => {
    const mine = await account()
    const ids = await records(mine)
    for (const [type, id] of Object.entries(ids)) {
      const entity = { entity_type: type, entity_id: id }
      const note = await mine.create(at, { content: 'N', ...entity })
      const field = FIELDS[type as keyof typeof FIELDS]
      expect(ties(note)).toEqual({ ...untied, ...entity, ...(field ? { [field]: [id] } : {}) })
      expect(ties((await mine.get(`${at}/${note.id}`)).body)).toEqual(ties(note))
      if (field) {
        const group = { company: 'companies', contact: 'contacts', deal: 'deals' }[type]
        expect((await mine.get(`/api/${group}/${id}/notes`)).body).toMatchObject({
          total: 1,
          items: [{ id: note.id }],
        })
      }
    }
    const { items } = (await mine.get(`/api/activities/${ids.activity}/timeline`)).body
    expect(items.filter((entry: Item) => entry.related?.entity_type === 'note')).toHaveLength(1)
  })

  it('must exist and be of its type', async () => {
    const mine = await account()
    const ids = await records(mine)
    const { id } = await mine.create(at, { content: 'N', entity_type: 'company', entity_id: ids.company })
    const labels = { company: 'Company', contact: 'Contact', deal: 'Deal', activity: 'Activity' }
    for (const [type, label] of Object.entries(labels)) {
      const other = type === 'company' ? ids.contact : ids.company
      for (const entity_id of [newId(), other]) {
        const body = { content: 'N', entity_type: type, entity_id }
        for (const answer of [await mine.post(at, body), await mine.put(`${at}/${id}`, body)]) {
          expect(answer.status, `${type} ${entity_id}`).toBe(422)
          expect(answer.body.detail).toEqual([
            {
              type: 'reference_not_found',
              loc: ['body', 'entity_id'],
              msg: `${label} not found`,
              input: entity_id,
            },
          ])
        }
      }
    }
    expect((await mine.get(`${at}/${id}`)).body.entity_id).toBe(ids.company)
  })

  it('can be changed by PUT, together with the links', async () => {
    const mine = await account()
    const { company, contact, deal, activity } = await records(mine)
    const friend = (await mine.create('/api/contacts', { first_name: 'Bob' })).id
    const on = (entity_type: string, entity_id: string | undefined) => ({ entity_type, entity_id })
    const { id } = await mine.create(at, { content: 'N', ...on('contact', contact), contact_ids: [friend] })
    const steps: [change: object, expected: object][] = [
      [{ title: 'T' }, { ...on('contact', contact), contact_ids: [friend, contact] }],
      // the entity stays linked, whatever the list has
      [{ contact_ids: [] }, { ...on('contact', contact), contact_ids: [contact] }],
      [{ contact_ids: [contact, friend] }, { ...on('contact', contact), contact_ids: [contact, friend] }],
      [{ entity_id: friend }, { ...on('contact', friend), contact_ids: [friend] }],
      [on('deal', deal), { ...on('deal', deal), deal_ids: [deal] }],
      [{ company_ids: [company] }, { ...on('deal', deal), deal_ids: [deal], company_ids: [company] }],
      [
        { ...on('company', company), deal_ids: [deal] },
        { ...on('company', company), deal_ids: [deal], company_ids: [company] },
      ],
      [on('activity', activity), { ...on('activity', activity), deal_ids: [deal] }],
      [{ deal_ids: null }, on('activity', activity)],
      [{ entity_type: null, entity_id: null }, {}],
      [on('contact', contact), { ...on('contact', contact), contact_ids: [contact] }],
    ]
    for (const [change, expected] of steps) {
      const { status, body } = await mine.put(`${at}/${id}`, change)
      expect(status, JSON.stringify(change)).toBe(200)
      expect(ties(body), JSON.stringify(change)).toEqual({ ...untied, ...expected })
    }
    const half: [change: object, loc: string][] = [
      [{ entity_type: null }, 'entity_type'],
      [{ entity_id: null }, 'entity_id'],
    ]
    for (const [change, field] of half) {
      const answer = await mine.put(`${at}/${id}`, change)
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toMatchObject([{ type: 'value_error', loc: ['body', field] }])
    }
  })

  it('is hidden while it is in the trash', async () => {
    const mine = await account()
    const ids = await records(mine)
    const groups = { company: 'companies', contact: 'contacts', deal: 'deals', activity: 'activities' }
    for (const [type, group] of Object.entries(groups)) {
      const entity = { entity_type: type, entity_id: ids[type] }
      const note = await mine.create(at, { content: 'N', ...entity })
      const list = `${at}?entity_type=${type}&entity_id=${ids[type]}`
      await mine.delete(`/api/${group}/${ids[type]}`)
      const hidden = (await mine.get(`${at}/${note.id}`)).body
      expect(ties(hidden)).toEqual(untied)
      expect((await mine.get(list)).body.total).toBe(0)
      // sent back unchanged, it keeps hidden links
      expect((await mine.put(`${at}/${note.id}`, hidden)).status).toBe(200)
      await mine.post(`/api/${group}/${ids[type]}/restore`)
      expect(ties((await mine.get(`${at}/${note.id}`)).body)).toEqual(ties(note))
      expect((await mine.get(list)).body.total).toBe(1)
    }
  })

  it('is cleared when it is erased, and the note remains', async () => {
    const { create, post, get } = await account()
    const contact = await create('/api/contacts', { first_name: 'Ada' })
    const note = await create(at, { content: 'N', entity_type: 'contact', entity_id: contact.id })
    expect((await post(`/api/contacts/${contact.id}/erase`)).status).toBe(200)
    expect(ties((await get(`${at}/${note.id}`)).body)).toEqual(untied)
  })

  it('follows a merge and its undo', async () => {
    const { create, post, get } = await account()
    const primary = await create('/api/contacts', { first_name: 'Ada' })
    const secondary = await create('/api/contacts', { first_name: 'Ada', email: 'ada@x.test' })
    const note = await create(at, { content: 'N', entity_type: 'contact', entity_id: secondary.id })
    const merged = await post('/api/contacts/merge', {
      primary_id: primary.id,
      secondary_ids: [secondary.id],
    })
    expect((await get(`${at}/${note.id}`)).body).toMatchObject({
      entity_id: primary.id,
      contact_ids: [{ id: primary.id }],
    })
    await post(`/api/operations/${merged.body.operation_id}/undo`)
    expect(ties((await get(`${at}/${note.id}`)).body)).toEqual(ties(note))
  })
})
