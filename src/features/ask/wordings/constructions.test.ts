import { it } from 'vitest'
import { constructionWorld } from '../testing/construction-world.testing.ts'
import { expectComputed, expectNotComputed, inMemory } from '../testing/wordings.testing.ts'

inMemory('constructions', constructionWorld, account => {
  it.each<[question: string, text: string, cited?: string[]]>([
    ['Does every key account have an open deal?', 'Yes, 1 company', []],
    ['Does every customer have an open deal?', 'No: 1 of 5 companies', ['Ashdown Hotels']],
    [
      'How much money did we lose in lost deals altogether?',
      'Total amount: 10000 EUR',
      ['Roof unit', 'Attic works'],
    ],
    ['Are any open deals already past their close date? Which ones?', 'Yes, 1 deal', ['Bath house']],
    ['Open deals whose close date has already passed?', '1 deal', ['Bath house']],
    [
      'Which industry brought us the most won deal value?',
      'Hospitality: 30000 EUR',
      ['Ward heating', 'Oven flue', 'Spa upgrade'],
    ],
    [
      'Which company has brought in the most money through won deals?',
      'Northfold Hotels: 30000 EUR',
      ['Steam room', 'Ward heating', 'Oven flue', 'Spa upgrade'],
    ],
    ['Which lead source brought the most deals?', 'Referral: 5 deals.'],
    ['Which industry has the highest average deal size?', 'Hospitality: 28000 EUR'],
    ['Which companies have never had a deal with us, won, lost or open?', '1 company', ['Vale Lyon']],
    ["Which companies don't have a single deal?", '1 company', ['Vale Lyon']],
    ['Companies where we have only ever lost deals?', '1 company', ['Ashdown Hotels']],
    [
      'Which open deals have neither a call nor a meeting linked to them?',
      '4 deals',
      ['School heating', 'Pipe renewal', 'Heat audit', 'Boiler swap'],
    ],
    [
      'Give me the three companies with the lowest headcount',
      'Ashdown Hotels',
      ['Ashdown Hotels', 'Quayside Bakery', 'Bramley School'],
    ],
    [
      'What are the two largest companies by headcount?',
      'Northfold Hotels',
      ['Northfold Hotels', 'Larkhill Clinic'],
    ],
    ['What is the largest company by number of employees in France?', 'Larkhill Clinic', ['Larkhill Clinic']],
    [
      'companies in either the food or the health industry',
      '2 companies',
      ['Larkhill Clinic', 'Quayside Bakery'],
    ],
    [
      'Which of our companies have never had any activity logged?',
      '4 companies',
      ['Ashdown Hotels', 'Bramley School', 'Larkhill Clinic', 'Quayside Bakery'],
    ],
    ['Which companies sit in the key account category?', '1 company', ['Osaka Baths']],
    ['Which key accounts are in Japan?', '1 company', ['Osaka Baths']],
    [
      'Which contacts are we still missing a phone number for?',
      '5 contacts',
      ['Aya Sato', 'Yves Moreau', 'Paula Renn', 'Otto Brandt', 'Greta Holm'],
    ],
    ['Which contacts at key accounts have no phone number?', '1 contact', ['Aya Sato']],
    ['Contacts at companies outside the European countries', '2 contacts', ['Aya Sato', 'Ken Mori']],
    ['Customers outside Europe', '1 company', ['Osaka Baths']],
    ['Asian customers', '1 company', ['Osaka Baths']],
    [
      'Which CFOs work for a company that has an open deal with us?',
      '2 contacts',
      ['Aya Sato', 'Otto Brandt'],
    ],
    [
      'Sum up the deals sitting in Proposal for me.',
      'Total amount: 90000 EUR',
      ['Bath house', 'Pipe renewal'],
    ],
    ['How many won deals have a close date in October 2026?', '1 deal', ['Steam room']],
    ['Total value of won deals in October 2026', 'Total amount: 15000 EUR', ['Steam room']],
    [
      'Which countries have we won deals in?',
      'deals by country, 4 deals (with country, won): Germany: 2 deals; France: 1 deal; Japan: 1 deal',
      ['Steam room', 'Ward heating', 'Oven flue', 'Spa upgrade'],
    ],
    [
      'In how many countries do we have customers?',
      '4: companies by country, 5 companies (with country, customer): Germany: 2 companies; France: 1 company; Japan: 1 company; Spain: 1 company',
      ['Osaka Baths', 'Ashdown Hotels', 'Larkhill Clinic', 'Quayside Bakery', 'Northfold Hotels'],
    ],
    ['Which cities do our contacts live in?', 'contacts by city, 2 contacts', ['Aya Sato', 'Ken Mori']],
    [
      'Which open deals have no activity still open on them?',
      '4 deals',
      ['School heating', 'Pipe renewal', 'Heat audit', 'Boiler swap'],
    ],
    ['What calls and meetings are planned for next week?', '1 activity', ['Bath tour']],
    ['companies with calls and meetings', '1 company', ['Osaka Baths']],
    [
      'Which companies have never had a meeting with us, neither done nor planned?',
      '6 companies',
      [
        'Vale Lyon',
        'Ashdown Hotels',
        'Bramley School',
        'Larkhill Clinic',
        'Quayside Bakery',
        'Northfold Hotels',
      ],
    ],
    ['What is the next meeting with Osaka Baths?', 'Bath tour', ['Bath tour']],
    ['When was the last call with Osaka Baths?', 'Steam talk', ['Steam talk']],
    ['Which companies have we won at least two deals with?', '0 companies', []],
    [
      'Which companies have we never won a deal with?',
      '3 companies',
      ['Vale Lyon', 'Ashdown Hotels', 'Bramley School'],
    ],
    [
      'Which companies have an open deal but no planned activity?',
      '4 companies',
      ['Bramley School', 'Larkhill Clinic', 'Quayside Bakery', 'Northfold Hotels'],
    ],
    [
      "Show me every company in France that isn't a customer yet",
      '2 companies',
      ['Vale Lyon', 'Bramley School'],
    ],
    ['all deals except the lost ones', '9 deals'],
    [
      'customers in Germany, Japan and Spain',
      '4 companies',
      ['Osaka Baths', 'Ashdown Hotels', 'Quayside Bakery', 'Northfold Hotels'],
    ],
    [
      'How many deals are in each stage?',
      'deals by stage, 11 deals: Won: 4 deals; Lost: 2 deals; Proposal: 2 deals; Lead: 1 deal; Negotiation: 1 deal; Qualified: 1 deal.',
    ],
    ['Which stage holds the most money?', 'Proposal: 90000 EUR'],
    ['What was the last deal we lost?', 'Roof unit', ['Roof unit']],
    ['Which open deal has been open the longest?', 'Boiler swap', ['Boiler swap']],
    [
      'Which companies have open deals worth more than 60,000 in total?',
      'Total amount by company, 5 deals',
      ['Bath house'],
    ],
    [
      'Which companies have we won more than 20,000 from?',
      'Total amount by company, 4 deals',
      ['Ward heating', 'Spa upgrade'],
    ],
    [
      'Who are our top 2 customers by won amount?',
      'Northfold Hotels: 30000 EUR',
      ['Steam room', 'Ward heating', 'Oven flue', 'Spa upgrade'],
    ],
    ['Is there a contact called Ken Mori?', 'Yes, 1 contact', ['Ken Mori']],
    ['Which companies are both customers and key accounts?', '1 company', ['Osaka Baths']],
    ['In which city is Vale Lyon?', 'Vale Lyon: city Lyon', ['Vale Lyon']],
    [
      'Deals with a probability above 50%',
      '5 deals',
      ['Steam room', 'Ward heating', 'Oven flue', 'Spa upgrade', 'Boiler swap'],
    ],
    [
      'Did we win more deals in Germany than in France?',
      'Germany: 2 deals; France: 1 deal',
      ['Ward heating', 'Oven flue', 'Spa upgrade'],
    ],
    [
      'What percentage of companies are customers?',
      '71',
      ['Osaka Baths', 'Ashdown Hotels', 'Larkhill Clinic', 'Quayside Bakery', 'Northfold Hotels'],
    ],
    ['Who do we meet next week?', '0 contacts', []],
    ['Are there any tasks without a due date?', 'No: 0 activities', []],
    ['Which companies have both calls and meetings planned?', '0 companies', []],
    ['Contacts at companies that have lost deals but no won deals', '0 contacts', []],
    [
      'Which company do we have the most contacts at?',
      'Northfold Hotels: 2 contacts; Osaka Baths: 2 contacts.',
      ['Aya Sato', 'Ken Mori', 'Yves Moreau', 'Paula Renn', 'Otto Brandt', 'Greta Holm'],
    ],
    ['Which company has the lowest number of employees?', 'Ashdown Hotels', ['Ashdown Hotels']],
    ['What is the sum of all deals in proposal?', 'Total amount: 90000 EUR', ['Bath house', 'Pipe renewal']],
    ['Which contacts have both a city and a phone number?', '1 contact', ['Ken Mori']],
    [
      'List open deals from largest to smallest',
      '5 deals',
      ['Bath house', 'Boiler swap', 'Pipe renewal', 'School heating', 'Heat audit'],
    ],
    ['Which two deals will close next?', 'Bath house', ['Bath house', 'Boiler swap']],
    [
      'Customers with open deals over 10k in Germany or France',
      '2 companies',
      ['Larkhill Clinic', 'Northfold Hotels'],
    ],
    ['What is the next meeting?', 'Hand-over', ['Hand-over', 'Roof check']],
    ['Which deals does Osaka Baths have?', '2 deals', ['Steam room', 'Bath house']],
    [
      'Which companies have not bought anything yet?',
      '3 companies',
      ['Vale Lyon', 'Ashdown Hotels', 'Bramley School'],
    ],
    [
      'Which deals were won in October or November?',
      '4 deals',
      ['Steam room', 'Ward heating', 'Oven flue', 'Spa upgrade'],
    ],
    [
      'Which two countries have the most open deals?',
      'France: 2 deals; Germany: 2 deals',
      ['Bath house', 'School heating', 'Pipe renewal', 'Heat audit', 'Boiler swap'],
    ],
    [
      'Which cities in Japan do we have contacts in?',
      'contacts by city, 2 contacts',
      ['Aya Sato', 'Ken Mori'],
    ],
  ])('%s', (question, text, cited) => expectComputed(account(), question, text, cited))

  it.each([
    'Which companies in Asia have never had an email from us, neither done nor planned?',
    'How many pipelines do we have?',
    'How many deals changed stage this month?',
    'Which contacts are based in a different city than their company?',
    'Which competitor won the attic works deal?',
    'Which deals are we about to close?',
  ])('does not compute %s', question => expectNotComputed(account(), question))
})
