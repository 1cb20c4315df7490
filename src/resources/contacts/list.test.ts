/** The filters and the search of the list of contacts. */
import { expect, it } from 'vitest'
import { type Account, anotherMember, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const at = '/api/contacts'
const firstNames = (answer: { body: { items: { first_name: string }[] } }) =>
  answer.body.items.map(item => item.first_name)

const PEOPLE = [
  {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'Ada@Acme.com',
    emails: [{ email: 'Ada@Acme.com' }, { email: 'ada@home.example', type: 'home' }],
    phone: '+44 (0)20 7946-0000',
    phones: [{ phone: '+44 (0)20 7946-0000' }, { phone: '0664/123 45 67', type: 'mobile' }],
    status: 'lead',
    job_title: 'Analyst',
  },
  {
    first_name: 'Bj\u00f6rn',
    email: 'bjorn@mail.acme.com',
    lead_source: 'fair',
    city: 'Malm\u00f6',
    phone: '+49 (170) 555-0199',
  },
  { first_name: 'Cem', last_name: 'O\u2019Neill', status: 'customer', description: '50% off_hand \\o/' },
]

async function made(account: Account) {
  for (const person of PEOPLE) await account.create(at, person)
}

const filters: [query: string, found: string[]][] = [
  ['email=ada@acme.com', ['Ada']],
  ['email=ADA@HOME.EXAMPLE', ['Ada']],
  ['email=%20ada@acme.com%20', ['Ada']],
  ['email=ada@acme', []],
  ['email=@acme.com', []],
  ['email=', []],
  ['email=%25', []],
  ['domain=acme.com', ['Ada']],
  ['domain=ACME.com', ['Ada']],
  ['domain=@acme.com', ['Ada']],
  ['domain=https://www.acme.com/team', ['Ada']],
  ['domain=mail.acme.com', ['Bj\u00f6rn']],
  ['domain=home.example', ['Ada']],
  ['domain=cme.com', []],
  ['status=lead', ['Ada']],
  ['status=customer', ['Cem']],
  ['status=Lead', []],
  ['lead_source=fair', ['Bj\u00f6rn']],
  ['search=lovelace', ['Ada']],
  ['search=ada lovelace', ['Ada']],
  ['search=BJORN', ['Bj\u00f6rn']],
  ['search=malmo', ['Bj\u00f6rn']],
  ['search=home.example', ['Ada']],
  ['search=analyst', ['Ada']],
  ['search=50%25', ['Cem']],
  ['search=f_h', ['Cem']],
  ['search=%5Co', ['Cem']],
  // the search finds addresses and numbers, not the JSON that stores them
  ['search=is_primary', []],
  ['search=mobile', []],
  ['search=%22', []],
  ['search=02079460000', ['Ada']],
  ['search=%2B44 020 7946', ['Ada']],
  ['search=(020) 79', ['Ada']],
  ['search=06641234567', ['Ada']],
  ['search=0664-123', ['Ada']],
  ['search=0170 555', ['Bj\u00f6rn']],
  ['search=170555', ['Bj\u00f6rn']],
  ['search=0049170555', ['Bj\u00f6rn']],
  // the end of one number and the beginning of the next are not a number
  ['search=00000664', []],
  ['search=lovelace&status=lead&email=ada@acme.com&domain=acme.com', ['Ada']],
  ['search=lovelace&status=customer', []],
]

onAnyEngine('the list of contacts', account => {
  it('searches and filters', async () => {
    const client = await account()
    await made(client)
    for (const [query, found] of filters) {
      const answer = await client.get(`${at}?${query}`)
      expect.soft([firstNames(answer), answer.body.total], query).toEqual([found, found.length])
    }
  })

  it('filters by owner', async () => {
    const client = await account()
    const other = await anotherMember(client)
    await client.create(at, { first_name: 'Ada', owner_id: client.userId })
    await client.create(at, { first_name: 'Bea', owner_id: other.userId })
    await client.create(at, { first_name: 'Cem' })
    expect(firstNames(await client.get(`${at}?owner_id=${other.userId}`))).toEqual(['Bea'])
    expect(firstNames(await client.get(`${at}?owner_id=${newId()}`))).toEqual([])
  })

  it.each([
    ['company_id=x', 'company_id'],
    ['owner_id=5', 'owner_id'],
    [`email=${'x'.repeat(321)}`, 'email'],
    ['sort_by=emails', 'sort_by'],
    ['sort_by=company_ids', 'sort_by'],
  ])('refuses %s', async (query, name) => {
    const { get } = await account()
    const answer = await get(`${at}?${query}`)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc.slice(0, 2)).toEqual(['query', name])
  })

  it('sorts by name, birthday, company and flags', async () => {
    const client = await account()
    const company = await client.create('/api/companies', { name: 'Acme' })
    await client.create(at, { first_name: 'bea', birthday: '1990-05-01', company_id: company.id })
    await client.create(at, { first_name: 'Ada', birthday: '0999-01-01', do_not_contact: true })
    await client.create(at, { first_name: 'Cem' })
    const orders: [query: string, found: string[]][] = [
      ['sort_by=full_name&sort_order=asc', ['Ada', 'bea', 'Cem']],
      ['sort_by=birthday&sort_order=asc', ['Ada', 'bea', 'Cem']],
      ['sort_by=birthday&sort_order=desc', ['bea', 'Ada', 'Cem']],
      ['sort_by=company_id&sort_order=desc', ['bea', 'Cem', 'Ada']],
      ['sort_by=do_not_contact&sort_order=desc', ['Ada', 'Cem', 'bea']],
      ['sort_by=is_favorite&sort_order=asc', ['bea', 'Ada', 'Cem']],
    ]
    for (const [query, found] of orders) {
      expect(firstNames(await client.get(`${at}?${query}`)), query).toEqual(found)
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await client.get(`${at}?${query}&page_size=1&cursor=${cursor}`)
        walked.push(...firstNames(page))
        cursor = page.body.next_cursor
      }
      expect(walked, `${query} by cursor`).toEqual(found)
    }
  })
})
