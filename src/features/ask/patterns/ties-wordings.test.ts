import { it } from 'vitest'
import type { Account } from '../../../../test/support/service.ts'
import { expectComputed, expectNotComputed, inWorld } from './in-world.testing.ts'
import { serviceWorld } from './service-world.testing.ts'

/** The same account with tags, titles, strengths and a number for each offer. */
async function tiedWorld(account: Account): Promise<void> {
  await account.create('/api/custom-fields', {
    entity_type: 'deal',
    name: 'Offer number',
    field_type: 'text',
  })
  await serviceWorld(account)
  const idsOf = async (path: string): Promise<Record<string, string>> => {
    const { items } = (await account.get(`${path}?page_size=100`)).body
    return Object.fromEntries(
      items.map((one: { id: string; name?: string; full_name?: string }) => [
        one.full_name ?? one.name,
        one.id,
      ]),
    )
  }
  const [companies, contacts, deals] = [
    await idsOf('/api/companies'),
    await idsOf('/api/contacts'),
    await idsOf('/api/deals'),
  ]
  const tag: Record<string, string> = {}
  for (const name of ['vip', 'reference', 'champion'])
    tag[name] = (await account.create('/api/tags', { name })).id
  for (const [type, id, names] of [
    ['company', companies['Northfold Hotels'], ['vip', 'reference']],
    ['company', companies['Larkhill Clinic'], ['vip']],
    ['company', companies['Quayside Bakery'], ['reference']],
    ['contact', contacts['Greta Holm'], ['champion']],
    ['contact', contacts['Yves Moreau'], ['champion']],
  ] as const)
    await account.put(`/api/tags/records/${type}/${id}`, { tag_ids: names.map(name => tag[name]) })
  await account.put(`/api/contacts/${contacts['Otto Brandt']}`, { job_title: 'Chief Financial Officer' })
  await account.put(`/api/contacts/${contacts['Paula Renn']}`, { job_title: 'Finance Manager' })
  await account.put(`/api/companies/${companies['Quayside Bakery']}`, { connection_strength: 'weak' })
  await account.put(`/api/deals/${deals['Pipe renewal']}`, { metadata: { offer_number: 'HS-2041' } })
  await account.create('/api/deals', {
    name: 'Loose end (Kiel–Århus), part 2',
    amount: 100,
    currency: 'EUR',
    owner_id: null,
  })
  await account.create('/api/contacts', { first_name: 'Ida', last_name: 'Stern' })
}

inWorld('what records have by their ties', tiedWorld, account => {
  it.each([
    // one or the other, the one and the other
    [
      'open deals in Germany or France',
      '4 deals',
      ['Boiler swap', 'Heat audit', 'Pipe renewal', 'School heating'],
    ],
    ['high-priority deals in Germany or Spain', '1 deal', ['Boiler swap']],
    ['companies tagged vip and reference', '1 company', ['Northfold Hotels']],
    ['companies tagged vip or reference', '3 companies', undefined],
    ['customers without the reference tag', '2 companies', ['Ashdown Hotels', 'Larkhill Clinic']],
    ['customers with both won and open deals', '3 companies', undefined],
    ['companies that have won and lost deals', '0 companies', []],
    ['companies with open and lost deals', '1 company', ['Bramley School']],
    // of those they hang on
    ['open deals at vip companies', '2 deals', ['Boiler swap', 'Pipe renewal']],
    ['which of our champions work at German companies?', '1 contact', ['Greta Holm']],
    ['who are the champions at our French companies?', '1 contact', ['Yves Moreau']],
    ['how much have we won with French companies so far?', '25000 EUR', ['Ward heating']],
    ['hospitality deals that are neither won nor lost', '1 deal', ['Boiler swap']],
    ['customers in the DACH region', '2 companies', ['Northfold Hotels', 'Quayside Bakery']],
    ['companies in Iberia', '1 company', ['Ashdown Hotels']],
    ['which weak connections are customers?', '1 company', ['Quayside Bakery']],
    ['companies that are not yet customers', '1 company', ['Bramley School']],
    ['contacts not linked to any company', '1 contact', ['Ida Stern']],
    // what is open
    ['What is the biggest deal we could still win?', 'Boiler swap', ['Boiler swap']],
    ['how much could we still win in Germany', '58000 EUR', ['Boiler swap', 'Heat audit']],
    ['pipeline excluding deals in Lead stage', '78000 EUR', ['Boiler swap', 'Heat audit', 'Pipe renewal']],
    ['which of my deals are stuck in Proposal', '1 deal', ['Pipe renewal']],
    ['Which renewals are still open?', '1 deal', ['Pipe renewal']],
    ['customers with an open renewal', '1 company', ['Larkhill Clinic']],
    ['upgrades we won', '1 deal', ['Spa upgrade']],
    ['how many meetings took place in the last 10 days', '1 activity', ['Cellar visit']],
    // whose, and who
    [
      'open deals that are not mine',
      '3 deals',
      ['Heat audit', 'Loose end (Kiel–Århus), part 2', 'School heating'],
    ],
    ['total value of Ravis open deals', '20000 EUR', ['Heat audit', 'School heating']],
    ['who owns HS-2041?', 'Mia Wong', ['Pipe renewal']],
    ['who owns the deal Loose end (Kiel–Århus), part 2?', 'nobody', ['Loose end (Kiel–Århus), part 2']],
    ['who looks after the Larkhill account', 'Mia Wong', undefined],
    ['CFOs we know', 'Otto Brandt', ['Otto Brandt']],
    ['any CFO or finance people?', 'Otto Brandt', ['Otto Brandt', 'Paula Renn']],
    ['For my report: open deals by stage', 'Negotiation: 1', undefined],
    ['For Northfold: open deals by stage', 'Negotiation: 1', ['Boiler swap']],
  ])('%s', (question, text, cited) => expectComputed(account(), question, text, cited))

  it.each([
    'open deals at vip companies in Proposal or later',
    'Which migrations did the vip companies complain about?',
  ])('not computed: %s', question => expectNotComputed(account(), question))
})
