import { it } from 'vitest'
import { serviceWorld } from '../testing/service-world.testing.ts'
import { expectComputed, expectNotComputed, inMemory } from '../testing/wordings.testing.ts'

const OPEN = ['Boiler swap', 'Pipe renewal', 'School heating', 'Heat audit']
const WON = ['Spa upgrade', 'Ward heating', 'Oven flue']
const LOST = ['Attic works', 'Roof unit']
const CUSTOMERS = ['Ashdown Hotels', 'Larkhill Clinic', 'Northfold Hotels', 'Quayside Bakery']
const TOTAL = ['Larkhill Clinic', 'Northfold Hotels']

inMemory('how figures are asked for', serviceWorld, account => {
  it.each([
    // so many of an order
    ['two smallest open deals', 'Heat audit (amount 8000 EUR', ['Heat audit', 'School heating']],
    ['the three lowest open deals', 'Heat audit', ['Heat audit', 'School heating', 'Pipe renewal']],
    ['dearest open deal', 'Boiler swap (amount 50000 EUR', ['Boiler swap']],
    ['2 cheapest open deals', 'Heat audit', ['Heat audit', 'School heating']],
    ['the two oldest open deals', 'Boiler swap (created', ['Boiler swap', 'Heat audit']],
    [
      'bottom 2 customers by headcount',
      'Ashdown Hotels (employees 30)',
      ['Ashdown Hotels', 'Quayside Bakery'],
    ],
    ['top 2 open deals', 'Boiler swap (amount 50000 EUR', ['Boiler swap', 'Pipe renewal']],
    ['next 2 meetings', 'Hand-over', ['Hand-over', 'Roof check']],
    ['last 2 calls', 'Cold rooms', ['Cold rooms', 'Spare parts']],
    // all in an order
    [
      'my open deals sorted by close date',
      '2 deals (mine, open): Boiler swap (expected close',
      ['Boiler swap', 'Pipe renewal'],
    ],
    ['open deals by close date', '4 deals (open): Boiler swap (expected close', OPEN],
    ['open deals, biggest first', '4 deals (open): Boiler swap', OPEN],
    ['open deals, smallest first', '4 deals (open): Heat audit', OPEN],
    ['open deals ordered by amount ascending', '4 deals (open): Heat audit', OPEN],
    ['open deals in order of close date', '4 deals (open): Boiler swap', OPEN],
    ['List customers by number of boilers, highest first', 'customer): Northfold Hotels (Boilers', CUSTOMERS],
    ['rank our customers by headcount', 'customer): Northfold Hotels (employees 300)', CUSTOMERS],
    ['customers by headcount', 'customer): Northfold Hotels (employees 300)', CUSTOMERS],
    ['customers sorted by name', '4 companies (customer): Ashdown Hotels [1]; Larkhill', CUSTOMERS],
    ['open deals alphabetically', '4 deals (open): Boiler swap', OPEN],
    ['sort contacts by last name', '4 contacts: Otto Brandt [1]; Greta Holm [2]', undefined],
    ['deals closing latest', 'Pipe renewal (expected close', ['Pipe renewal']],
    ['Which deals close on the latest date?', 'Pipe renewal', ['Pipe renewal']],
    ['which deal is closest to closing', 'Boiler swap', ['Boiler swap']],
    // for each of something
    ['total won per customer', 'Northfold Hotels: 30000 EUR (1 deal); Larkhill Clinic: 25000 EUR', WON],
    ['won amount by company', 'Northfold Hotels: 30000 EUR (1 deal); Larkhill Clinic: 25000 EUR', WON],
    ['won revenue per account', 'In all: 65000 EUR', WON],
    ['open deals per customer', 'deals by company, 4 deals (open)', OPEN],
    ['contacts per customer', 'Northfold Hotels: 2 contacts', undefined],
    [
      'top 2 customers by won amount',
      'Northfold Hotels: 30000 EUR (1 deal); Larkhill Clinic: 25000 EUR (1 deal).',
      undefined,
    ],
    ['customer with the highest won amount', 'Northfold Hotels: 30000 EUR (1 deal).', undefined],
    ['which customer has the biggest pipeline', 'Northfold Hotels: 50000 EUR (1 deal).', undefined],
    [
      'break the open pipeline down per lead source',
      'Referral: 70000 EUR (2 deals); Website: 20000 EUR',
      OPEN,
    ],
    ['split won revenue by industry', 'Hospitality: 30000 EUR', WON],
    ['Which industry brings in the most won revenue?', 'Hospitality: 30000 EUR (1 deal).', undefined],
    ['which lead source brought us the most won revenue?', 'Referral: 55000 EUR (2 deals).', undefined],
    ['stage with the highest total value?', 'Won: 65000 EUR (3 deals).', undefined],
    ['rank the sales people by amount won', 'Ravi Lee: 35000 EUR (2 deals); Mia Wong: 30000 EUR', WON],
    ['rank countries by open pipeline, top 1', 'Germany: 58000 EUR (2 deals).', undefined],
    [
      'top 2 countries by open pipeline',
      'Germany: 58000 EUR (2 deals); France: 32000 EUR (2 deals).',
      undefined,
    ],
    ['bottom 2 stages by amount', 'Qualified: 8000 EUR (1 deal); Lost: 10000 EUR (2 deals).', undefined],
    ['pipeline by stage, biggest first', 'Negotiation: 50000 EUR (1 deal); Proposal', OPEN],
    ['Which month this year had the highest won amount?', '2026-11: 65000 EUR (3 deals).', undefined],
    ['Number of won deals per industry and average size', 'Average amount by industry, 3 deals (won)', WON],
    ['number of open deals per owner and their total value', 'Mia Wong: 70000 EUR (2 deals)', OPEN],
    [
      'Industries where we have more than one customer',
      'Hospitality: 2 companies.',
      ['Ashdown Hotels', 'Northfold Hotels'],
    ],
    [
      'countries with fewer than 2 customers',
      'France: 1 company; Spain: 1 company.',
      ['Ashdown Hotels', 'Larkhill Clinic'],
    ],
    ['stages with more than 2 deals', 'Won: 3 deals.', WON],
    ['who has more than 3 deals', 'Ravi Lee: 5 deals; Mia Wong: 4 deals.', undefined],
    ['which customers only have one contact', '2 companies', ['Larkhill Clinic', 'Quayside Bakery']],
    ['companies with only one contact', '2 companies', ['Larkhill Clinic', 'Quayside Bakery']],
    ['Who has the most overdue stuff?', 'Ravi Lee: 2 activities.', undefined],
    ['Which lead source has the best win rate?', 'Referral: 66.67% (2 won, 1 lost).', undefined],
    ['who has the worst win rate', 'Mia Wong: 50% (1 won, 1 lost)', undefined],
    // two figures at once
    [
      'How many open deals has Ravi got and what do they add up to?',
      'Total amount: 20000 EUR, from 2 deals',
      ['Heat audit', 'School heating'],
    ],
    [
      'how many open deals above 10k and in which stages are they',
      'Negotiation: 1 deal',
      ['Boiler swap', 'Pipe renewal', 'School heating'],
    ],
    ['how many open deals are there and whose are they', 'Mia Wong: 2 deals; Ravi Lee: 2 deals', OPEN],
    [
      'Lost amount this year and why',
      'Too slow: 6000 EUR (1 deal); Asked for credit: 4000 EUR (1 deal). In all: 10000 EUR',
      LOST,
    ],
    ['why did we lose deals this year', 'Too slow: 1 deal', LOST],
    // declared figures and choices
    [
      'How many boilers are serviced at our German customers all together?',
      'Boilers serviced: 15',
      ['Northfold Hotels', 'Quayside Bakery'],
    ],
    [
      'how many boilers do we have serviced in Germany',
      'Boilers serviced: 15',
      ['Northfold Hotels', 'Quayside Bakery'],
    ],
    ['total number of Light boilers', 'Total Boilers serviced: 6', ['Ashdown Hotels', 'Quayside Bakery']],
    ['average number of boilers per Total plan customer', 'Average Boilers serviced: 8.5', TOTAL],
    ['average number of boilers per customer', 'Average Boilers serviced: 5.75', CUSTOMERS],
    ['Which customer has the fewest boilers?', 'Boilers serviced 3', ['Ashdown Hotels', 'Quayside Bakery']],
    ['customers with more than 4 boilers', '2 companies', TOTAL],
    ['boilers by plan', 'Total: 17 (2 companies); Light: 6 (2 companies)', undefined],
    ['customers per care plan', 'Light: 2 companies; Total: 2 companies', CUSTOMERS],
    ['who has the Total care plan', '2 companies', TOTAL],
    ['customers on the Total plan', '2 companies', TOTAL],
    ['Companies with care plan Total', '2 companies', TOTAL],
    ['customers whose care plan is Total', '2 companies', TOTAL],
    ['customers with a Total or Light plan in France', '1 company', ['Larkhill Clinic']],
    // averages, sizes, all of it
    ['average employee count of our customers', 'Average employees: 122.5', CUSTOMERS],
    [
      'how many employees do our hospitality accounts have on average',
      'Average employees: 165',
      ['Ashdown Hotels', 'Northfold Hotels'],
    ],
    ['weighted value of the whole open pipeline', 'Total weighted amount', OPEN],
    ['weighted pipeline per owner', 'Total weighted amount by owner', OPEN],
    ['Roughly how big is a deal we win, on average?', 'Average amount: 21666.67 EUR', WON],
    ['how many deals are there altogether, incl closed ones', '9 deals', undefined],
  ] as [string, string, string[] | undefined][])('%s', async (question, text, cited) => {
    await expectComputed(account(), question, text, cited)
  })

  it.each([
    [
      'compare my pipeline with Ravi’s',
      'mine: 70000 EUR (2 deals); Ravi Lee: 20000 EUR (2 deals). Larger: mine, by 50000 EUR.',
    ],
    [
      'Germany vs France: open amount',
      'Total amount: Germany: 58000 EUR (2 deals); France: 32000 EUR (2 deals). Larger: Germany, by 26000 EUR.',
    ],
    ['is our pipeline in Germany larger than in France?', 'Germany: 58000 EUR (2 deals); France: 32000 EUR'],
    [
      'Do we have more open deals in Germany or in France?',
      'Germany: 2 deals; France: 2 deals. Both are level.',
    ],
    [
      'how many more customers do we have in Germany than in France',
      'Germany: 2 companies; France: 1 company. Larger: Germany, by 1.',
    ],
    [
      'Is the Hospitality pipeline bigger than Health?',
      'Hospitality: 50000 EUR (1 deal); Health: 20000 EUR (1 deal)',
    ],
    ['calls vs meetings we completed in the last 30 days', 'call: 3 activities; meeting: 1 activity.'],
    ['avg deal size lost vs won', 'Average amount: lost: 5000 EUR (2 deals); won: 21666.67 EUR (3 deals).'],
    [
      'Who won more this year, me or Ravi?',
      'mine: 30000 EUR (1 deal); Ravi Lee: 35000 EUR (2 deals). Larger: Ravi Lee',
    ],
    ['who won more deals, me or Ravi', 'mine: 1 deal; Ravi Lee: 2 deals'],
    ['did Mia or Ravi win more deals?', 'Mia Wong: 1 deal; Ravi Lee: 2 deals'],
    ['do I have more open deals than Ravi', 'mine: 2 deals; Ravi Lee: 2 deals'],
    ['win rate of Mia compared to Ravi’s', 'Mia Wong: 50% (1 won, 1 lost); Ravi Lee: 66.67% (2 won, 1 lost)'],
    ['how does Germany compare to France in won deals', 'Germany: 2 deals; France: 1 deal'],
    ['Compare Mia and Ravi on won revenue', 'Mia Wong: 30000 EUR (1 deal); Ravi Lee: 35000 EUR (2 deals)'],
    ['difference between Mia and Ravi in won amount', 'Larger: Ravi Lee, by 5000 EUR.'],
    ['deals won this month vs last month', 'closed before 2026-12-01: 3 deals; won, closed from 2026-10-01'],
    ['customers with a Total vs Light plan', 'Total: 2 companies; Light: 2 companies'],
    [
      'does Northfold have more employees than Larkhill',
      'Northfold Hotels: 300 (1 company); Larkhill Clinic: 120',
    ],
    ['what percentage of our open pipeline is mine', '77.78%: 70000 EUR of 90000 EUR, 2 of 4 deals'],
    ['what is my share of the open pipeline', '77.78%: 70000 EUR of 90000 EUR'],
    ['what share of our open deals is high priority', '50%: 2 of 4 deals'],
    ['what percentage of our customers are on the Total plan', '50%: 2 of 4 companies'],
    ['% of won deals that came by referral', '66.67%: 2 of 3 deals'],
    ['share of customers in Germany', '50%: 2 of 4 companies'],
    ['share of our revenue from Germany', 'EUR of '],
    ['which month had the most revenue', 'EUR ('],
    ['which company brought in the most revenue', 'EUR ('],
    ['what percentage of the deals in Germany are won', 'Win rate: 100% (2 won, 0 lost)'],
    ['what percentage of our deals did we win', 'Win rate: 60% (3 won, 2 lost)'],
    ['what percent of our closed deals did we win', 'Win rate: 60% (3 won, 2 lost)'],
  ])('%s', async (question, text) => {
    await expectComputed(account(), question, text, undefined)
  })

  it.each([
    ['what is not said of what is compared', 'difference between Germany and France'],
    ['what is not said of what is compared', 'compare Mia and Ravi'],
    ['what is not said of what is compared', 'is Total better than Light?'],
    ['what is not said of what is compared', 'difference between the Total and Light plan'],
    ['how many of one record there are', 'compare Northfold and Larkhill'],
    ['the time with the least, when nothing may be less', 'which month had the fewest won deals'],
    ['so many of something as their length', 'more than 3 calls with Northfold'],
    ['so many of something as nothing', 'do we have only one contact at Northfold?'],
    ['so many of no order', 'five purple deals'],
    ['a number of deals as their amount', 'do we have more than 20 open deals?'],
    ['when something was sold that is only counted', 'how many boilers have we sold this year'],
    ['a share of what is not known', 'what share of the market do we have'],
    ['the value of a plan for a sum', 'total plan value'],
    ['what a company makes as what it brought us', 'which company made the most revenue'],
    ['what is sold of what is only counted', 'how many boilers have we sold in total'],
    ['how small is small', 'Small companies under 50 staff'],
    ['by what deals differ', 'difference between the Northfold and Larkhill open deals'],
    ['two questions at once', 'Which industries are we selling to, with number of customers each'],
    ['how busy a day is', 'busiest day in the next 10 days in terms of appointments'],
    ['two orders at once', 'activities per customer this month'],
  ])('does not compute %s: %s', async (_, question) => {
    await expectNotComputed(account(), question)
  })
})
