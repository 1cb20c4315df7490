/** Questions that depend on earlier ones, answered without a language model. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import type { Indexer } from '../search/indexer.ts'
import { beginHere, indexed } from '../search/testing.ts'

/** [question, text in the answer, cited records] */
type Exchange = [asked: string, said: string, cited: string[]]

const threads: Exchange[][] = [
  [
    ['Who works at Acme Corp?', '2 contacts', ['Ann Smith', 'Bob Jones']],
    ['and their phone number?', 'Ann Smith: phone +49 171 555', ['Ann Smith', 'Bob Jones']],
    ['And Globex?', 'not filled in', ['Cy Grey']],
    ['Thanks!', 'welcome', []],
    ['What is their email?', 'cy@globex.test', ['Cy Grey']],
  ],
  [
    ['Which deals do we have?', '4 deals', ['Acme pilot', 'Acme renewal', 'Globex rollout', 'Globex start']],
    ['only the open ones', '3 deals', ['Acme pilot', 'Acme renewal', 'Globex rollout']],
    ['Only those over 10k', '2 deals', ['Acme renewal', 'Globex rollout']],
    ['How many are there?', '2 deals', ['Acme renewal', 'Globex rollout']],
    ['what is the total value?', '42000 USD', ['Acme renewal', 'Globex rollout']],
    ['the second one: who owns it?', 'Acme renewal: owner Test Person', ['Acme renewal']],
  ],
  [
    ['What is our largest open deal?', 'Globex rollout', ['Globex rollout']],
    ['Who owns it?', 'owner Test Person', ['Globex rollout']],
    ['when does it close?', '2030-12-24', ['Globex rollout']],
    ['which company is it with?', 'company Globex', ['Globex rollout']],
    ['and their website?', 'globex.test', ['Globex']],
  ],
  [
    ['What is the phone number of Ann Smith?', '+49 171 555', ['Ann Smith']],
    ['and Bob Jones?', 'not filled in', ['Bob Jones']],
    ['Where does he work?', 'Acme Corp', ['Bob Jones']],
    ['what about Cy Grey?', 'Globex', ['Cy Grey']],
  ],
  [
    ['Which companies are in Berlin?', 'Acme Corp', ['Acme Corp']],
    ['and in Oslo?', 'Globex', ['Globex']],
    ['how many deals do they have?', '2 deals', ['Globex rollout', 'Globex start']],
    ['which of them are won?', '1 deal', ['Globex start']],
  ],
  [
    [
      'How many deals were created this year?',
      '4 deals',
      ['Acme pilot', 'Acme renewal', 'Globex rollout', 'Globex start'],
    ],
    ['and last year?', '0 deals', []],
    ['how about contacts?', '0 contacts', []],
  ],
  [
    ['Show me all open deals', '3 deals', ['Acme pilot', 'Acme renewal', 'Globex rollout']],
    ['with Acme Corp', '2 deals', ['Acme pilot', 'Acme renewal']],
    ['No, I meant Globex', '1 deal', ['Globex rollout']],
    ['whose is it?', 'owner Test Person', ['Globex rollout']],
  ],
  [
    ['Which deals are with Acme Corp?', '2 deals', ['Acme pilot', 'Acme renewal']],
    ['which is the largest?', 'Acme renewal', ['Acme renewal']],
    ['what stage is it in?', 'Acme renewal: stage', ['Acme renewal']],
    ['and the city of the company?', 'Acme Corp: city Berlin', ['Acme Corp']],
    ['who works there?', '2 contacts', ['Ann Smith', 'Bob Jones']],
    ['list them', '2 contacts', ['Ann Smith', 'Bob Jones']],
  ],
  [
    ['How many won deals do we have?', '1 deal', ['Globex start']],
    ['and lost ones?', '0 deals', []],
    // does not depend on the earlier messages
    ['How many contacts do we have?', '3 contacts', ['Ann Smith', 'Bob Jones', 'Cy Grey']],
  ],
]

onAnyEngine('follow-ups', (newAccount, kind) => {
  let me: Account
  let indexer: Indexer

  beforeAll(async () => {
    indexer = await beginHere(kind)
    me = await newAccount()
    const company = (name: string, more: object) => me.create('/api/companies', { name, ...more })
    const [acme, globex] = [
      await company('Acme Corp', { city: 'Berlin' }),
      await company('Globex', { city: 'Oslo', website: 'https://globex.test' }),
    ]
    const person = (first_name: string, last_name: string, more: object) =>
      me.create('/api/contacts', { first_name, last_name, ...more })
    await person('Ann', 'Smith', { company_id: acme.id, phone: '+49 171 555' })
    await person('Bob', 'Jones', { company_id: acme.id })
    await person('Cy', 'Grey', { company_id: globex.id, email: 'cy@globex.test' })
    const [{ id: pipeline_id }] = (await me.get('/api/deals/pipelines')).body.items
    const { items: stages } = (await me.get(`/api/deals/stages?pipeline_id=${pipeline_id}&page_size=100`))
      .body
    const stage = (type: string) => stages.find((one: { type: string }) => one.type === type).id
    const deal = (name: string, amount: number, type: string, company_id: string) =>
      me.create('/api/deals', {
        ...{ name, amount, company_id, currency: 'USD', stage_id: stage(type) },
        ...{ owner_id: me.userId, expected_close_date: '2030-12-24' },
      })
    await deal('Acme renewal', 12000, 'open', acme.id)
    await deal('Acme pilot', 5000, 'open', acme.id)
    await deal('Globex rollout', 30000, 'open', globex.id)
    await deal('Globex start', 7000, 'won', globex.id)
    await indexed(me)
  })
  afterAll(() => indexer.stop())

  const cited = (citations: { name: string }[]) => citations.map(({ name }) => name).sort()

  it.each(threads.map(thread => [thread[0]![0], thread] as const))('after %j', async (_, thread) => {
    const chat = await me.create('/api/chats', {})
    for (const [content, said, records] of thread) {
      // the search endpoint with the id of the chat returns the same answer
      const asked = await me.post('/api/search/ask', { question: content, chat_id: chat.id })
      const { reply } = await me.create(`/api/chats/${chat.id}/messages`, { content })
      expect([content, reply.content]).toEqual([content, expect.stringContaining(said)])
      expect([content, cited(reply.metadata.citations)]).toEqual([content, records])
      if (reply.metadata.grounded) expect(asked.body.answer).toBe(reply.content)
    }
  })

  it.each([
    'Are there any open deals?',
    'Which contacts have more than one deal?',
    'In which city is Globex?',
    'How many contacts are there in total?',
    'Which companies have no phone?',
    'And who works at Globex?',
    'Which contacts at Globex have their email?',
    'No deals?',
  ])('is read as a standalone question: %s', async content => {
    const [fresh, chat] = [await me.create('/api/chats', {}), await me.create('/api/chats', {})]
    const say = async ({ id }: { id: string }, said: string) =>
      (await me.create(`/api/chats/${id}/messages`, { content: said })).reply
    const alone = await say(fresh, content.replace(/^And who/, 'Who'))
    await say(chat, 'Which deals are with Acme Corp?')
    expect((await say(chat, content)).content).toBe(alone.content)
  })

  it('use only earlier messages of their own chat', async () => {
    const [one, other] = [await me.create('/api/chats', {}), await me.create('/api/chats', {})]
    const say = async (chat: { id: string }, content: string) =>
      (await me.create(`/api/chats/${chat.id}/messages`, { content })).reply
    await say(one, 'What is our largest open deal?')
    const owner = await say(one, 'Who owns it?')
    expect((await say(other, 'Who owns it?')).metadata.citations).not.toMatchObject([
      { name: 'Globex rollout' },
    ])
    await say(one, 'Who works at Acme Corp?')
    const again = await me.post(`/api/chats/messages/${owner.id}/regenerate`)
    expect(again.body.reply.metadata.citations).toMatchObject([{ name: 'Globex rollout' }])
  })

  it.each([
    { question: 5, about: 'x', complete: 'yes' },
    { question: 'x'.repeat(3000), about: [{ entity_type: 'deal', entity_id: "' or 1=1", name: 'x' }] },
    { about: [{ entity_type: '__proto__', entity_id: '01900000-0000-7000-8000-000000000000', name: 'x' }] },
    [],
    'text',
  ])('ignore an invalid memory (%#)', async memory => {
    const chat = await me.create('/api/chats', {})
    const path = `/api/chats/${chat.id}/messages`
    await me.create(path, { role: 'assistant', content: 'x', metadata: { memory } })
    for (const content of ['who owns it?', 'how many are there?', 'and Globex?', 'only the open ones'])
      expect((await me.create(path, { content })).reply.metadata.status).toBe('completed')
  })

  it('cannot reach a record of another account through a memory', async () => {
    const stranger = await newAccount()
    const contact = await stranger.create('/api/contacts', {
      first_name: 'Zyx',
      last_name: 'Hidden',
      phone: '+99 4711 0815',
    })
    const chat = await me.create('/api/chats', {})
    const path = `/api/chats/${chat.id}/messages`
    const about = [{ entity_type: 'contact', entity_id: contact.id, name: 'Somebody' }]
    await me.create(path, {
      role: 'assistant',
      content: 'x',
      metadata: { memory: { question: null, about, complete: true } },
    })
    const { reply } = await me.create(path, { content: 'and their phone number?' })
    expect(JSON.stringify(reply)).not.toMatch(/4711 0815|Hidden/)
    expect(reply.metadata.citations).toEqual([])
  })
})
