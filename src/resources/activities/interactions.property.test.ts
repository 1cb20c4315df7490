/** After any changes of activities, contacts and deals show what a naive computation over the activities returns. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type Account, type Item, onAnyEngine } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'

const at = '/api/activities'
const DAY = 86_400_000
const started = Date.now()

/** Never within a day of now, so that nothing passes while the test runs. */
const moment = fc
  .integer({ min: -300, max: 300 })
  .map(days => new Date(started + (days < 0 ? days - 1 : days + 1) * DAY).toISOString())
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const fields = fc.record(
  {
    type: fc.constantFrom('call', 'meeting', 'email', 'task', 'other'),
    status: fc.constantFrom('planned', 'in_progress', 'completed', 'cancelled'),
    start_at: fc.option(moment),
    due_at: fc.option(moment),
    due_date: fc.option(moment.map(text => text.slice(0, 10))),
    contacts: fc.subarray([0, 1, 2]),
    deals: fc.subarray([0, 1]),
  },
  { requiredKeys: [] },
)

const pick = fc.nat({ max: 20 })
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('create' as const), fields, length: perhaps(fc.nat(3)) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), pick, fields }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('complete' as const, 'reopen' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'restore' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('statement' as const), fields }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('hide' as const, 'merge' as const), pick }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface World {
  account: Account
  contacts: string[]
  deals: string[]
  activities: string[]
}

const body = ({ contacts, deals }: World, { contacts: c, deals: d, ...rest }: Item): Item => ({
  ...rest,
  ...(c ? { contact_ids: c.map((i: number) => contacts[i % contacts.length]) } : {}),
  ...(d ? { deal_ids: d.map((i: number) => deals[i]) } : {}),
})

async function perform(world: World, next: Step): Promise<void> {
  const { account, activities, contacts } = world
  const id = 'pick' in next ? activities[next.pick % Math.max(1, activities.length)] : undefined
  if (next.do === 'create') {
    const { start_at } = next.fields
    const end_at =
      start_at && next.length !== undefined
        ? { end_at: new Date(Date.parse(start_at) + (next.length * DAY) / 8).toISOString() }
        : {}
    const made = { type: 'call', subject: 'S', ...body(world, next.fields), ...end_at }
    activities.push((await account.create(at, made)).id)
  } else if (next.do === 'statement') {
    // one statement over all of them, as an import or a bulk edit in SQL might run
    const { type = null, status = null, due_at = null } = next.fields
    await sql`update activities set type = coalesce(${type}, type), status = coalesce(${status}, status),
      due_at = ${due_at} where account_id = ${account.accountId} and deleted_at is null`.execute(
      systemDb(account.service.services),
    )
  } else if (next.do === 'hide') {
    const contact = contacts[next.pick % contacts.length]
    await account.delete(`/api/contacts/${contact}`)
    if (id) await account.post(`${at}/${id}/complete`)
    await account.post(`/api/contacts/${contact}/restore`)
  } else if (next.do === 'merge') {
    if (contacts.length < 2) return
    const [secondary] = contacts.splice(next.pick % contacts.length, 1)
    const merged = { primary_id: contacts[0], secondary_ids: [secondary] }
    expect((await account.post('/api/contacts/merge', merged)).status).toBe(200)
  } else if (id) {
    if (next.do === 'edit') {
      // moving only one end may be refused, which must change nothing either
      await account.put(`${at}/${id}`, body(world, next.fields))
    } else if (next.do === 'remove') await account.delete(`${at}/${id}`)
    else await account.post(`${at}/${id}/${next.do}`)
  }
}

/** The naive computation. */
function expected(activities: Item[], tiedBy: string, id: string, types?: string[]): Item {
  const mine = activities.filter(
    item =>
      item[tiedBy].some((tie: { id: string }) => tie.id === id) && (!types || types.includes(item.type)),
  )
  const happened = mine
    .filter(item => item.status === 'completed')
    .map(item => [item.end_at ?? item.start_at ?? item.completed_at, item.completed_at].toSorted()[0])
  const coming = mine
    .filter(item => ['planned', 'in_progress'].includes(item.status))
    .map(item => item.start_at ?? item.due_at ?? (item.due_date ? `${item.due_date}T23:59:59.999Z` : ''))
    .filter(text => text > new Date().toISOString())
  return {
    first: happened.toSorted()[0] ?? null,
    last: happened.toSorted().at(-1) ?? null,
    next: coming.toSorted()[0] ?? null,
  }
}

async function check({ account, contacts, deals }: World): Promise<void> {
  const { items } = (await account.get(`${at}?page_size=1000`)).body
  for (const id of contacts) {
    const read = (await account.get(`/api/contacts/${id}`)).body
    expect({
      first: read.first_interaction,
      last: read.last_interaction,
      next: read.next_interaction,
    }).toEqual(expected(items, 'contact_ids', id, ['call', 'meeting', 'email']))
  }
  for (const id of deals) {
    const read = (await account.get(`/api/deals/${id}`)).body
    const { last, next } = expected(items, 'deal_ids', id)
    expect({ last: read.last_activity_at, next: read.next_activity_at }).toEqual({ last, next })
  }
}

onAnyEngine('interactions after anything', account => {
  it('equal a plain recomputation from the activities', async () => {
    const sequences = fc.array(step, { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(sequences, async steps => {
        const mine = await account()
        const world: World = { account: mine, contacts: [], deals: [], activities: [] }
        for (const first_name of ['Ada', 'Bob', 'Cy']) {
          world.contacts.push((await mine.create('/api/contacts', { first_name })).id)
        }
        for (const name of ['One', 'Two']) {
          world.deals.push((await mine.create('/api/deals', { name })).id)
        }
        for (const next of steps) {
          await perform(world, next)
          await check(world)
        }
      }),
      { numRuns: 12 },
    )
  })
})
