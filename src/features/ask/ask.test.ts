import { expect, it } from 'vitest'
import { ask } from '../search/testing.ts'
import { inWorld } from './testing/in-world.testing.ts'
import { smallWorld } from './testing/small-world.testing.ts'

inWorld('questions with operators and relations', smallWorld, account => {
  it.each([
    ['companies whose deals are all won', []],
    ['contacts at companies with more than 100 employees', ['Ann Smith', 'Bob Jones', 'Dee Park']],
    ['deals at companies with fewer than 50 employees', ['Globex rollout', 'Globex start']],
    [
      'open deals for customers with more than 100 employees',
      ['Acme pilot', 'Acme renewal', 'Initech audit'],
    ],
    ['companies in Germany or with fewer than 50 employees', ['Acme Corp', 'Globex']],
  ])('computes %s, and the query gives the same again', async (question, names) => {
    const { body } = await ask(account(), question)
    expect(body).toMatchObject({ grounded: true, model: 'data', confidence: 'high' })
    expect(body.citations.map((one: { name: string }) => one.name).sort()).toEqual(names)
    const again = await account().post('/api/query', body.data.query)
    const found = again.body.items.map((item: { id: string }) => item.id).sort()
    expect(found).toEqual(body.citations.map((one: { entity_id: string }) => one.entity_id).sort())
  })

  it.each([
    'how many open deals are there in Germany',
    'total pipeline by stage',
    'average deal amount',
    'Germany vs Norway: open amount',
    'what share of our deals is open',
    'win rate by owner',
    'countries with fewer than 2 companies',
    'top 2 deals',
    "who haven't we spoken to in 30 days",
    'who owns Acme renewal?',
    'are all companies in Germany?',
    'when did we last talk to Cy Grey?',
  ])('gives the query of %s, which gives the same again', async question => {
    const { body } = await ask(account(), question)
    expect(body).toMatchObject({ grounded: true, model: 'data' })
    const { query, count, figures, groups } = body.data
    const again = await account().post('/api/query', query)
    expect(again.status).toBe(200)
    expect(again.body.total).toBe(count)
    if (figures) expect(again.body.figures).toEqual(figures)
    if (groups) expect(again.body.groups).toEqual(groups)
    for (const side of body.data.sides ?? [])
      expect((await account().post('/api/query', side.query)).body.figures).toEqual(side.figures)
  })

  it('says whether all records are so, and which are not', async () => {
    const { body } = await ask(account(), 'are all companies in Germany?')
    expect(body.answer).toMatch(/^No: 2 of 3 companies are not: /)
    expect(body.citations.map((one: { name: string }) => one.name).sort()).toEqual(['Globex', 'Initech'])
    expect((await ask(account(), 'do all companies have a contact?')).body.answer).toBe(
      'Yes, all 3 companies.',
    )
  })

  it.each([
    ['tell me about Globex', 'Globex'],
    ['What do we know about Ann Smith?', 'Ann Smith'],
  ])('tells all of it: %s', async (question, name) => {
    const { body } = await ask(account(), question)
    expect(body).toMatchObject({ grounded: true, model: 'extractive' })
    expect(body.citations[0]).toMatchObject({ index: 1, name })
  })

  it('does not guess what may be', async () => {
    for (const question of [
      'deals we could lose',
      'would we win if Acme left?',
      'which deals might close?',
    ]) {
      expect((await ask(account(), question)).body.grounded, question).toBe(false)
    }
  })
})
