import { expect, it } from 'vitest'
import type { Account } from '../../../../test/support/service.ts'
import { ask } from '../../search/testing.ts'
import { inWorld } from '../testing/in-world.testing.ts'

async function world(_: unknown, account: Account): Promise<void> {
  const { id } = await account.create('/api/companies', { name: 'Nimbus', industry: 'Weather' })
  await account.create('/api/contacts', { first_name: 'Ines', last_name: 'Prado', company_id: id })
  const note = (title: string, content: string) =>
    account.create('/api/notes', { title, content, entity_type: 'company', entity_id: id })
  await note('Budget', 'The budget is frozen until autumn because of the merger.')
  await note('Parking', 'Visitors park behind the old mill.')
  await note('Canteen', 'The canteen closes at two.')
  await note('Gate', 'The gate code changes monthly.')
  await note('Quantity', 'The order is for 14 blast chillers, delivered to the Leeds depot by 20 January.')
  await note('Dealer', 'Dealer agreement runs until the end of 2028, dealer discount 22 percent.')
  await note('Endpoints', 'The hospital runs 4,200 endpoints, about 600 of them still on Windows 10.')
  await note(
    'Leaving',
    'Declan leaves the company at the end of January 2027. A successor has not been named.',
  )
  await note('Reference', 'The hospital is happy to act as a reference customer for other hospitals.')
}

/** The budget is frozen because of a merger; whether the board decided that is not said. */
const UNSURE = 'Did the board freeze the budget?'

inWorld('what is not sure', world, account => {
  it.each(['Who is the decision maker at Nimbus?', 'Who is the main contact at Nimbus?'])(
    'names no contact for a role that no record has: %s',
    async question => {
      const { body } = await ask(account(), question)
      expect(body).toMatchObject({ grounded: false, confidence: 'none', citations: [] })
    },
  )

  it('shows what is closest when it refuses', async () => {
    const { body } = await ask(account(), 'Where do visitors leave bicycles?')
    expect(body).toMatchObject({ grounded: false, confidence: 'none', citations: [], data: null })
    expect(body.answer).toContain('These are only close: Parking (note)')
    expect(body.related).toHaveLength(3)
    expect(body.related[0]).toEqual({
      entity_type: 'note',
      entity_id: expect.any(String),
      name: 'Parking',
      snippet: expect.stringContaining('behind the old mill'),
      updated_at: expect.any(String),
      score: expect.any(Number),
    })
    const scores = body.related.map(({ score }: { score: number }) => score)
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a))
  })

  it('says possibly where a passage only may be the answer', async () => {
    const { body } = await ask(account(), UNSURE)
    expect(body).toMatchObject({
      grounded: false,
      confidence: 'low',
      citations: [{ index: 1, name: 'Budget' }],
      related: [],
      answer: expect.stringMatching(/^Possibly: The budget .* \[1\]$/),
    })
  })

  it.each(['When does the canteen open?', 'canteen opening time', 'Who closes the canteen?'])(
    'quotes no passage that only speaks of the same: %s',
    async question => {
      const { body } = await ask(account(), question)
      expect(body.grounded).toBe(false)
    },
  )

  it.each([
    ['Has a successor of Declan been named?', 'No: Declan leaves '],
    ['Does the canteen close at three?', 'No: The canteen closes at two.'],
    ['is the dealer discount 22 percent', 'Yes: Dealer agreement'],
  ])('says yes or no where the text does: %s', async (question, answer) => {
    const { body } = await ask(account(), question)
    expect(body).toMatchObject({ grounded: true, answer: expect.stringContaining(answer) })
  })

  it.each(['Does Declan stay?', 'Is the merger over?', 'Is the hospital happy with us?', UNSURE])(
    'leaves yes or no to the reader of the text where its words do not say it: %s',
    async question => {
      const { body } = await ask(account(), question)
      expect(body).toMatchObject({ grounded: false, confidence: 'low' })
      expect(body.answer).not.toMatch(/Yes|No:/)
    },
  )

  it.each([
    'when does the canteen close',
    'gate code changes how often',
    'how many blast chillers for leeds',
  ])('answers what is typed in a hurry: %s', async question => {
    const { body } = await ask(account(), question)
    expect(body).toMatchObject({ grounded: true, citations: [{ index: 1 }] })
    expect(body.answer).not.toMatch(/^(?:Yes|No|Possibly)/)
  })

  it.each([
    'Does every deal in negotiation have a signed offer?',
    'Which stage takes the most patience?',
    'How satisfied are our French customers on a scale of one to ten?',
    'for which company is the parking space too small',
  ])('is not sure of a text about other things than the records asked for: %s', async question => {
    const { body } = await ask(account(), question)
    expect(body.grounded).toBe(false)
  })

  it('is sure of what a passage says', async () => {
    const { body } = await ask(account(), 'Why is the budget frozen?')
    expect(body).toMatchObject({ grounded: true, confidence: 'high', related: [], citations: [{ index: 1 }] })
  })

  it('tells which word it could not read, and shows what is close', async () => {
    const { body } = await ask(account(), 'deals we could lose')
    expect(body).toMatchObject({ grounded: false, confidence: 'none', model: 'data', data: null })
    expect(body.answer).toContain('"could"')
    expect(body.related.length).toBeGreaterThan(0)
  })

  it('says the same in a chat', async () => {
    const { id } = await account().create('/api/chats', {})
    const say = async (content: string) =>
      (await account().create(`/api/chats/${id}/messages`, { content })).reply
    const unsure = await say(UNSURE)
    expect(unsure.content).toMatch(/^Possibly: .* \[1\]$/)
    expect(unsure.metadata).toMatchObject({ grounded: false, confidence: 'low', citations: [{ index: 1 }] })
    const refused = await say('Where do visitors leave bicycles?')
    expect(refused.content).toContain('These are only close: Parking (note)')
    expect(refused.metadata).toMatchObject({
      grounded: false,
      confidence: 'none',
      related: [{ name: 'Parking' }, {}, {}],
    })
  })
})
