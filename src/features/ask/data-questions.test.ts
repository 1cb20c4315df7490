import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Account, onAnyEngine, onBothEngines } from '../../../test/support/service.ts'
import type { Indexer } from '../search/indexer.ts'
import { beginHere, indexed } from '../search/testing.ts'

const DAY = 86_400_000
const day = (offset: number) => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10)

onAnyEngine('questions about the data', (newAccount, kind) => {
  let account: Account
  let indexer: Indexer

  beforeAll(async () => {
    indexer = await beginHere(kind)
    account = await newAccount()
    const [acme, globex] = [
      await account.create('/api/companies', {
        name: 'Acme Corp',
        industry: 'Energy',
        city: 'Berlin',
        employee_count: 120,
      }),
      await account.create('/api/companies', {
        name: 'Globex',
        industry: 'Retail',
        city: 'Oslo',
        employee_count: 30,
      }),
    ]
    await account.create('/api/companies', { name: 'Greyfriars Capital', country: 'Portugal' })
    const field = { entity_type: 'contact', name: 'Plan', field_type: 'text' }
    await account.create('/api/custom-fields', field)
    const person = (first_name: string, last_name: string, more: object) =>
      account.create('/api/contacts', { first_name, last_name, ...more })
    const ann = await person('Ann', 'Smith', {
      company_id: acme.id,
      city: 'Berlin',
      status: 'lead',
      email: 'ann@acme.test',
      metadata: { plan: 'Gold' },
    })
    const bob = await person('Bob', 'Jones', {
      company_id: acme.id,
      city: 'Oslo',
      status: 'active',
      metadata: { plan: 'Gold' },
    })
    await person('Cy', 'Grey', {
      company_id: globex.id,
      city: 'Oslo',
      status: 'lead',
      email: 'cy@globex.test',
    })
    const { items: pipelines } = (await account.get('/api/deals/pipelines')).body
    const { items: stages } = (
      await account.get(`/api/deals/stages?pipeline_id=${pipelines[0].id}&page_size=100`)
    ).body
    const stage = (name: string) =>
      stages.find((one: { name: string }) => one.name === name)?.id ?? missing(name)
    const missing = (name: string) => {
      throw new Error(`no stage ${name} among ${stages.map((one: { name: string }) => one.name).join()}`)
    }
    const proposal = stage('Proposal')
    const won = stages.find((one: { type: string }) => one.type === 'won').id
    const deal = (name: string, amount: number, stage_id: string, company_id: string, close: number) =>
      account.create('/api/deals', {
        name,
        amount,
        stage_id,
        company_id,
        currency: 'USD',
        expected_close_date: day(close),
      })
    await deal('Acme renewal', 12000, proposal, acme.id, 3)
    await deal('Acme pilot', 5000, proposal, acme.id, -4)
    await deal('Globex rollout', 30000, proposal, globex.id, 70)
    await deal('Globex start', 7000, won, globex.id, -40)
    const activity = (subject: string, more: object) =>
      account.create('/api/activities', { subject, ...more })
    const held = (days: number) => ({
      status: 'completed',
      start_at: `${day(-days)}T09:00:00Z`,
      end_at: `${day(-days)}T10:00:00Z`,
    })
    await activity('Intro call', { type: 'call', ...held(9), contact_ids: [ann.id] })
    await activity('Follow-up call', { type: 'call', ...held(2), contact_ids: [bob.id] })
    await activity('Send papers', { type: 'task', due_date: day(-3) })
    await activity('Book room', { type: 'task', due_date: day(5) })
    await indexed(account)
  })
  afterAll(() => indexer.stop())

  it.each([
    ['How many open deals over 10,000 are in Proposal?', '2 deals', ['Acme renewal', 'Globex rollout']],
    [
      'how many deals do we have',
      '4 deals',
      ['Acme renewal', 'Acme pilot', 'Globex rollout', 'Globex start'],
    ],
    ['What is the total value of open deals?', '47000 USD', ['Acme renewal', 'Acme pilot', 'Globex rollout']],
    ['total pipeline by stage', 'Proposal: 47000 USD', ['Acme renewal', 'Acme pilot', 'Globex rollout']],
    ['What is our largest open deal?', 'Globex rollout', ['Globex rollout']],
    ['Which deals are overdue?', 'Acme pilot', ['Acme pilot']],
    ['Average amount of deals with Acme Corp', '8500 USD', ['Acme renewal', 'Acme pilot']],
    ['Which deals close in the next 30 days?', 'Acme renewal', ['Acme renewal']],
    ['How many deals are in the Energy industry?', '2 deals', ['Acme renewal', 'Acme pilot']],
    ['What is overdue?', 'Send papers', ['Send papers']],
    ['Which tasks are due in the next 7 days?', 'Book room', ['Book room']],
    ['Who works at Acme Corp?', '2 contacts', ['Ann Smith', 'Bob Jones']],
    ['Who are the leads in Oslo?', 'Cy Grey', ['Cy Grey']],
    ['How many contacts have the Gold plan?', '2 contacts', ['Ann Smith', 'Bob Jones']],
    ['Which contacts have no email?', 'Bob Jones', ['Bob Jones']],
    ['What is the email address of Ann Smith?', 'ann@acme.test', ['Ann Smith']],
    ['How many employees does Globex have?', '30', ['Globex']],
    ['Which companies have more than 100 employees?', 'Acme Corp', ['Acme Corp']],
    ['Which company has the most contacts?', 'Acme Corp (2 contacts)', ['Acme Corp']],
    ['Number of contacts per city', 'Oslo: 2 contacts', ['Ann Smith', 'Bob Jones', 'Cy Grey']],
    ['Who did I last talk to at Acme?', 'Bob Jones', ['Follow-up call', 'Bob Jones']],
    ['When did we last speak with Ann Smith?', day(-9), ['Intro call', 'Ann Smith']],
    ['How many deals have we lost?', '0 deals', []],
    ['How many deals do we have with Greyfriars Capital?', '0 deals', []],
  ])('%s', async (question, text, cited) => {
    const { body } = await account.post('/api/search/ask', { question })
    expect(body).toMatchObject({ grounded: true, model: 'data' })
    expect(body.answer).toContain(text)
    expect(body.citations.map((one: { name: string }) => one.name).sort()).toEqual([...cited].sort())
  })

  it.each(['What is the capital of Portugal?', 'which capital is the oldest'])(
    'takes no common word for a company: %s',
    async question => {
      const { body } = await account.post('/api/search/ask', { question })
      expect(body.model === 'data' && body.grounded).toBe(false)
    },
  )

  it('counts in its own account only', async () => {
    const other = await newAccount()
    expect(
      (await other.post('/api/search/ask', { question: 'how many deals do we have' })).body.answer,
    ).toContain('0 deals')
  })
})

onAnyEngine('what an account calls so', newAccount => {
  it('takes dollars for the currency of the account', async () => {
    const account = await newAccount()
    const named = async (question: string) =>
      (await account.post('/api/search/ask', { question })).body.citations.map(
        ({ name }: { name: string }) => name,
      )
    await account.create('/api/deals', { name: 'Jetty', amount: 9000, currency: 'AUD' })
    expect(await named('deals over 4000 dollars')).toEqual(['Jetty'])
    await account.create('/api/deals', { name: 'Pier', amount: 8000, currency: 'USD' })
    expect(await named('deals over 4000 dollars')).toEqual(['Pier'])
    const { id } = (await account.get('/api/accounts')).body.items[0]
    await account.call('PUT', `/api/accounts/${id}`, { currency: 'AUD' })
    expect(await named('deals over 4000 dollars')).toEqual(['Jetty'])
    expect(await named('deals over 4000 US dollars')).toEqual(['Pier'])
  })

  it('takes a choice for itself, not for one whose name it is part of', async () => {
    const account = await newAccount()
    await account.create('/api/custom-fields', {
      entity_type: 'deal',
      name: 'Walls',
      key: 'walls',
      field_type: 'multi_select',
      options: ['Lead', 'Lead wall', 'Speed'].map(value => ({ value })),
    })
    const deal = (name: string, ...walls: string[]) =>
      account.create('/api/deals', { name, metadata: { walls } })
    await deal('Gym', 'Lead', 'Speed')
    await deal('Hall', 'Lead wall', 'Speed')
    const { body } = await account.post('/api/search/ask', {
      question: 'deals whose walls are both lead and speed',
    })
    expect(body.citations.map(({ name }: { name: string }) => name)).not.toContain('Hall')
    const both = await account.post('/api/search/ask', { question: 'deals with both speed and lead wall' })
    expect(both.body.citations).toMatchObject([{ name: 'Hall' }])
  })
})

onBothEngines('what is on', newAccount => {
  it('counts neither a meeting that was called off nor a task that is done', async () => {
    const account = await newAccount()
    const today = { start_at: `${day(0)}T12:00:00Z` }
    await account.create('/api/activities', { type: 'meeting', subject: 'Kick-off', ...today })
    await account.create('/api/activities', {
      type: 'meeting',
      subject: 'Site visit',
      status: 'cancelled',
      ...today,
    })
    await account.create('/api/activities', { type: 'task', subject: 'Send papers', due_date: day(0) })
    await account.create('/api/activities', {
      type: 'task',
      subject: 'Order samples',
      due_date: day(0),
      status: 'completed',
    })
    const listed = async (question: string) =>
      (await account.post('/api/search/ask', { question })).body.citations.map(
        ({ name }: { name: string }) => name,
      )
    expect(await listed('Which meetings do we have today?')).toEqual(['Kick-off'])
    expect(await listed('Which tasks do we have today?')).toEqual(['Send papers'])
  })
})
