import { it } from 'vitest'
import { serviceWorld } from '../testing/service-world.testing.ts'
import { expectComputed, expectNotComputed, inMemory } from '../testing/wordings.testing.ts'
import type { Writer } from '../testing/writer.testing.ts'

/** The same account with tags, a deal of nobody and a contact without a company. */
async function tiedWorld(to: Writer): Promise<void> {
  const ids = await serviceWorld(to)
  for (const [kind, name, tags] of [
    ['company', 'Northfold Hotels', ['vip', 'reference']],
    ['company', 'Larkhill Clinic', ['vip']],
    ['company', 'Quayside Bakery', ['reference']],
    ['contact', 'Greta Holm', ['champion']],
    ['contact', 'Yves Moreau', ['champion']],
  ] as const)
    await to.tag(kind, ids.get(name) ?? '', tags)
  const loose = { name: 'Loose end (Kiel–Århus), part 2', amount: 100, currency: 'EUR', owner_id: null }
  await to.create('/api/deals', loose)
  await to.create('/api/contacts', { first_name: 'Ida', last_name: 'Stern' })
}

inMemory('what records have by their ties', tiedWorld, account => {
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
    'customers with an open renewal',
    'Which migrations did the vip companies complain about?',
  ])('not computed: %s', question => expectNotComputed(account(), question))
})
