import { expect, it } from 'vitest'
import { activityWorld } from './activity-world.testing.ts'
import { timeIn } from './grammar/times.ts'
import { expectComputed, expectNotComputed, inWorld } from './in-world.testing.ts'

const MINE = 'mine or nobody’s'

inWorld('how sellers ask of what they do', activityWorld, account => {
  it.each([
    // I am the one who did it, or nobody is said to be
    ['how many calls did I make in the last 30 days', '2 activities', ['Milk price', 'Tent sizes']],
    ['how many calls did I log in the last 30 days', '2 activities', ['Milk price', 'Tent sizes']],
    ['calls I made in the last 10 days', '2 activities', ['Milk price', 'Tent sizes']],
    ['how many calls did we log in the last 30 days', '3 activities', undefined],
    ['how many calls did Ravi log in the last 30 days?', '1 activity', ['Ink colours']],
    ['calls logged in the last 30 days', '3 activities', undefined],
    ['how many meetings did I have in the last 60 days?', `0 activities (${MINE}`, []],
    ['what did I do in the last 10 days?', '2 activities', ['Milk price', 'Tent sizes']],
    ['what has Ravi done in the last 10 days', '1 activity', ['Ink colours']],
    ['what did everyone do in the last 10 days', '3 activities', undefined],
    ['what did we do in the last 10 days, per person', 'activities by assignee, 3 activities', undefined],
    ["What's overdue for me?", '2 activities (overdue, mine', ['Prices', 'Draft terms']],
    ['overdue items assigned to me', '2 activities (mine, overdue)', ['Prices', 'Draft terms']],
    ['what am I late with?', '2 activities', ['Prices', 'Draft terms']],
    ['what is Ravi late with', '1 activity', ['Book stand']],
    ['what have I got tomorrow?', '1 activity', ['Order stickers']],
    ['anything for me tomorrow?', '1 activity', ['Order stickers']],
    ['what do I still have to do?', '4 activities', undefined],
    ['emails I still have to send', '1 activity', ['Prices']],
    ['show me my day', '0 activities (mine, not done', []],
    ['show me my week', ' (mine, not done, from', undefined],
    ['do I have any overdue tasks', '1 activity', ['Draft terms']],
    ['what meetings did I have with Paul?', '1 activity', ['Bike fair']],
    ['who did I last talk to at Nettle', 'Ida Brandt', undefined],
    ['how many overdue things belong to Ravi', '1 activity', ['Book stand']],
    ['oldest overdue item', 'Book stand', ['Book stand']],
    ['deals I should close next month', '2 deals', ['Milk tanks', 'Tent hire']],
    ['how many deals did I win', '1 deal', ['Old tanks']],
    ['my next 2 closings', 'Milk tanks', ['Milk tanks', 'Ink wells']],
    ['who are my contacts in Germany?', '2 contacts', ['Ida Brandt', 'Otto Kern']],
    ["who's my contact at Quarry?", '1 contact', ['Paul Rey']],
    ['contacts I know in Germany', '3 contacts', ['Ida Brandt', 'Jonas Adler', 'Otto Kern']],
    ['my customers', '2 companies', ['Nettle Dairy', 'Sable Tents']],
    ['how many contacts did I add this year', '5 contacts (created by me', undefined],
    // what was done, and what was sent
    ['emails sent in the last 60 days', '1 activity (email, completed', ['Catalogue']],
    ['emails received in the last 60 days', '1 activity', ['Question from Sable']],
    ['what happened in the last 10 days', '3 activities', undefined],
    ['which things are overdue', '3 activities', ['Book stand', 'Draft terms', 'Prices']],
    ['have I got anything tomorrow', '1 activity', ['Order stickers']],
    ['did anyone call Greta?', 'Yes, 1 activity', ['Tent sizes']],
    ['how often did I call Otto', '0 activities', []],
    ['who attended the Bike fair?', '1 contact', ['Paul Rey']],
    ['visits in the last 60 days', '1 activity', ['Bike fair']],
    ['how many visits did Ravi make in the last 60 days', '1 activity', ['Bike fair']],
    ['how many calls did the team make in the last 30 days?', '3 activities', undefined],
    ['tasks planned for tomorrow, whole team', '1 activity', ['Order stickers']],
    ['did Ravi talk to Paul in the last 60 days?', 'Yes, 1 activity', ['Bike fair']],
    ['did I talk to Paul in the last 60 days?', 'No: 0 activities', []],
    ['have we ever met Ida?', 'No: 0 activities', []],
    ['which customers did I call in the last 30 days?', '2 companies', ['Nettle Dairy', 'Sable Tents']],
    ['which companies did Ravi call in the last 30 days', '1 company', ['Umber Inks']],
    ['who did we meet in the last 60 days', '1 contact', ['Paul Rey']],
    ['who am I meeting in the next 7 days?', '1 contact', ['Ida Brandt']],
    ['who is Ravi meeting in the next 7 days?', '0 contacts', []],
    // who was not contacted
    ['which customers have we not touched in 30 days?', '1 company', ['Quarry Bikes']],
    ["customers we haven't been in touch with for 30 days or more", '1 company', ['Quarry Bikes']],
    ['which customers did we not speak to in the last 30 days', '1 company', ['Quarry Bikes']],
    ['customers without contact for four weeks', '1 company', ['Quarry Bikes']],
    ['customers nobody has visited in 60 days', '2 companies', ['Nettle Dairy', 'Sable Tents']],
    ["who hasn't been called in the last two months among our customers?", '1 company', ['Quarry Bikes']],
    ['which customers has Ravi not called in 6 weeks', '3 companies', undefined],
    ['which customers have I not called in 6 weeks', '1 company', ['Quarry Bikes']],
    ['leads that nobody has contacted yet', '1 company', ['Yarrow Tea']],
    ['which leads have we never called or met', '1 company', ['Yarrow Tea']],
    ['companies we have never had an activity with', '1 company', ['Yarrow Tea']],
    ['contacts never linked to any activity', '1 contact', ['Jonas Adler']],
    ['people we have never met', '4 contacts', undefined],
    ['deals with no contact since 2020-01-01', '4 deals', undefined],
    ['companies without any contact', '1 company (without contacts)', ['Yarrow Tea']],
    ['open deals never touched', '3 deals', ['Bike sheds', 'Ink wells', 'Tent hire']],
    // what has nothing planned, and what is late
    ['open deals with no planned activity', '2 deals', ['Ink wells', 'Tent hire']],
    ['which open deals have nothing scheduled?', '2 deals', ['Ink wells', 'Tent hire']],
    ['open deals without any upcoming activity', '3 deals', ['Bike sheds', 'Ink wells', 'Tent hire']],
    ['open deals with no next activity', '3 deals', undefined],
    ['proposals with nothing scheduled', '1 deal', ['Ink wells']],
    ['which of my customers have no planned activity', '1 company', ['Sable Tents']],
    ['customers with no planned meetings', '2 companies', ['Quarry Bikes', 'Sable Tents']],
    ['customers with a meeting in the next 7 days', '1 company', ['Nettle Dairy']],
    ['companies that have neither a deal nor an open task', '1 company', ['Yarrow Tea']],
    ['deals that have an overdue activity', '2 deals', ['Bike sheds', 'Milk tanks']],
    ['total value of open deals that have an overdue task', '150000 EUR', ['Bike sheds', 'Milk tanks']],
    ['tasks on deals over 100,000', '1 activity', ['Draft terms']],
    ['which late items concern deals above 100k', '1 activity', ['Draft terms']],
    ['which deals are above 100.000', '1 deal', ['Milk tanks']],
    ['overdue tasks on deals in Proposal', '1 activity', ['Book stand']],
    ['which customers signed before 2020', '0 companies', []],
  ])('%s', (question, text, cited) => expectComputed(account(), question, text, cited))

  it.each([
    ['a time to come as one that was', 'customers not called in the next 30 days'],
    ['who of us has nothing to do', 'who has no planned activities'],
    ['what a contract includes', 'how many visits a year are in the service contract?'],
    ['whom we should see', 'deals I should see'],
  ])('does not compute %s: %s', (_, question) => expectNotComputed(account(), question))
})

it.each([
  ['before christmas', null, '2026-12-25'],
  ['by new year', null, '2027-01-01'],
  ['between now and new year', '2026-11-16', '2027-01-01'],
  ['between now and 15 december', '2026-11-16', '2026-12-16'],
  ['the week of 23 november', '2026-11-23', '2026-11-30'],
  ['between 23 and 29 november', '2026-11-23', '2026-11-30'],
  ['from november 23 to 29', '2026-11-23', '2026-11-30'],
  ['in january or later', '2027-01-01', null],
  ['past year end', '2027-01-01', null],
  ['after christmas', '2026-12-26', null],
  ['in the new year', '2027-01-01', '2028-01-01'],
  ['in the first quarter of next year', '2027-01-01', '2027-04-01'],
  ['q2 next year', '2027-04-01', '2027-07-01'],
  ['in the second half of next year', '2027-07-01', '2028-01-01'],
  ['in summer', '2027-06-01', '2027-09-01'],
  ['last summer', '2026-06-01', '2026-09-01'],
  ['this winter', '2026-12-01', '2027-03-01'],
  ['on the 18th', '2026-11-18', '2026-11-19'],
  ['on the 12th', '2026-12-12', '2026-12-13'],
  ['by the 20th', null, '2026-11-21'],
  ['in the last month', '2026-10-16', '2026-11-17'],
  ['for 30 days or more', null, '2026-10-17'],
])('understands %s', (text, from, to) => {
  expect(timeIn(` ${text} `, new Date('2026-11-16T12:00:00Z'), false)?.span).toMatchObject({ from, to })
})

it('looks back for what has been', () => {
  const found = timeIn(' in the summer june to august ', new Date('2026-11-16T12:00:00Z'), true)
  expect(found?.span).toMatchObject({ from: '2026-06-01', to: '2026-09-01' })
})
