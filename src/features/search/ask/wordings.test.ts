import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Account, onBothEngines } from '../../../../test/support/service.ts'
import type { Indexer } from '../indexer.ts'
import { ask, beginHere, indexed } from '../testing.ts'
import { smallWorld } from './wordings.testing.ts'

onBothEngines('the many ways to ask for the same', (newAccount, kind) => {
  let account: Account
  let indexer: Indexer
  beforeAll(async () => {
    indexer = await beginHere(kind)
    account = await newAccount()
    await smallWorld(account)
    await indexed(account)
  }, 60_000)
  afterAll(() => indexer.stop())

  it.each([
    ['how many open deals over 10,000 in Proposal', '2 deals', ['Globex rollout', 'Acme renewal']],
    [
      'How many open deals over 10k are in the Proposal stage?',
      '2 deals',
      ['Globex rollout', 'Acme renewal'],
    ],
    ['who did I last talk to at Acme', 'Bob Jones', ['Follow-up call', 'Bob Jones']],
    ['Who was the last person we spoke to at Globex?', 'Cy Grey', ['Product tour', 'Cy Grey']],
    ['who from Acme did we call last?', 'Bob Jones', ['Follow-up call', 'Bob Jones']],
    ['when did we last talk to Cy Grey?', 'meeting "Product tour" with Cy Grey', ['Product tour', 'Cy Grey']],
    [
      'when did we last meet with Globex?',
      'meeting "Product tour" with Cy Grey',
      ['Product tour', 'Cy Grey'],
    ],
    ['which deals close this month', '1 deal', ['Acme renewal']],
    ['which deals will close this month?', '1 deal', ['Acme renewal']],
    ['deals closing today', '1 deal', ['Acme renewal']],
    ['deals closing tomorrow', '0 deals', []],
    ['deals closing this week', '1 deal', ['Acme renewal']],
    ['which deals are closing in the next 14 days?', '1 deal', ['Acme renewal']],
    ['deals expected to close next quarter', '1 deal', ['Globex rollout']],
    ['deals expected to close by the end of the quarter', '2 deals', ['Acme renewal', 'Acme pilot']],
    ['deals closing after 2030', '0 deals', []],
    ['which deals closed last year?', '0 deals', []],
    ['what is overdue', '1 activity', ['Send papers']],
    ['my overdue tasks', '1 activity', ['Send papers']],
    ['Are there overdue tasks?', 'Yes, 1 activity', ['Send papers']],
    ['which of my deals are overdue?', '0 deals', []],
    ['deals past their close date', '1 deal', ['Acme pilot']],
    ['Which deals slipped?', '1 deal', ['Acme pilot']],
    [
      'total pipeline by stage',
      'Proposal: 47000 USD (3 deals); Negotiation: 18000 USD (1 deal)',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    [
      'pipeline by month',
      'Total amount by month, 4 deals',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    [
      'weighted pipeline',
      'Total weighted amount: 37000 USD',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    ['forecast for next quarter', 'Total weighted amount: 15000 USD', ['Globex rollout']],
    ['what is my pipeline worth?', 'Total amount: 30000 USD', ['Initech audit', 'Acme renewal']],
    ['how much pipeline does Ann Lee have?', 'Total amount: 35000 USD', ['Globex rollout', 'Acme pilot']],
    ["what's in the pipeline for Initech?", 'Total amount: 18000 USD', ['Initech audit']],
    [
      'how many deals are in the pipeline?',
      '4 deals',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    [
      'which owner has the highest pipeline?',
      'Ann Lee: 35000 USD (2 deals).',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    [
      'sum of open deals per owner',
      'Ann Lee: 35000 USD (2 deals); Mia Wong: 30000 USD (2 deals)',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    [
      "what's the average size of open deals by owner",
      'Ann Lee: 17500 USD (2 deals); Mia Wong: 15000 USD (2 deals)',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    [
      'how many deals does each owner have?',
      'Ann Lee: 3 deals; Mia Wong: 3 deals',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Globex start', 'Acme pilot', 'Initech trial'],
    ],
    ['how much has each owner won?', 'Mia Wong: 7000 USD (1 deal)', ['Globex start']],
    ['list contacts without email', '1 contact', ['Bob Jones']],
    ['which contacts have no phone number?', '2 contacts', ['Bob Jones', 'Dee Park']],
    ['contacts without owner', '2 contacts', ['Bob Jones', 'Dee Park']],
    ['leads without phone', '0 contacts', []],
    [
      'deals without a next step',
      '5 deals',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Globex start', 'Initech trial'],
    ],
    ['how many deals have no close date?', '2 deals', ['Globex start', 'Initech trial']],
    [
      'deals with no activity',
      '5 deals',
      ['Globex rollout', 'Initech audit', 'Globex start', 'Acme pilot', 'Initech trial'],
    ],
    [
      'which deals had no activity in the last 30 days',
      '6 deals',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Globex start', 'Acme pilot', 'Initech trial'],
    ],
    ['which companies have no deals?', '0 companies', []],
    ['biggest deal of Globex', 'Globex rollout', ['Globex rollout']],
    ['the three largest open deals', 'Globex rollout', ['Globex rollout', 'Initech audit', 'Acme renewal']],
    ['top 2 deals', 'Globex rollout', ['Globex rollout', 'Initech audit']],
    ['smallest deal', 'Initech trial', ['Initech trial']],
    ['largest deal won', 'Globex start', ['Globex start']],
    ['what was our biggest win?', 'Globex start', ['Globex start']],
    ['which company has the fewest employees', 'Globex', ['Globex']],
    ['how many companies did we add last week', '0 companies', []],
    ['how many companies did we add this week', '3 companies', ['Acme Corp', 'Globex', 'Initech']],
    ['how many contacts were added yesterday?', '0 contacts', []],
    ['show contacts added this month', '4 contacts', ['Ann Smith', 'Bob Jones', 'Cy Grey', 'Dee Park']],
    ['average deal size won this quarter', 'Average amount: 7000 USD', ['Globex start']],
    [
      'average deal amount',
      'Average amount: 12333.33 USD',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Globex start', 'Acme pilot', 'Initech trial'],
    ],
    ['how much did we win this quarter?', 'Total amount: 7000 USD', ['Globex start']],
    ['how many deals were won this year', '1 deal', ['Globex start']],
    ['what have we won so far in dollars', 'Total amount: 7000 USD', ['Globex start']],
    ['sales this year', '1 deal', ['Globex start']],
    ['total value of lost deals', 'Total amount: 2000 USD', ['Initech trial']],
    [
      "what's the value of deals in Proposal and Negotiation?",
      'Total amount: 65000 USD',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    [
      'how many deals are open and how much are they worth?',
      'Total amount: 65000 USD',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot'],
    ],
    ['which deals did we lose and why?', 'lost reason Too expensive', ['Initech trial']],
    ['why did we lose Initech trial?', 'Initech trial: lost reason Too expensive', ['Initech trial']],
    ['what is the win rate?', 'Win rate: 50% (1 won, 1 lost).', ['Globex start', 'Initech trial']],
    ["which contacts haven't been contacted in 30 days", '2 contacts', ['Cy Grey', 'Dee Park']],
    ["who haven't we spoken to in 30 days", '2 contacts', ['Cy Grey', 'Dee Park']],
    ['contacts not contacted in the last 30 days', '2 contacts', ['Cy Grey', 'Dee Park']],
    ['who have we not talked to for more than a month?', '2 contacts', ['Cy Grey', 'Dee Park']],
    ['deals owned by Ann closing next quarter', '1 deal', ['Globex rollout']],
    ['which deals does Ann Lee own?', '3 deals', ['Globex rollout', 'Acme pilot', 'Initech trial']],
    ['deals not owned by Ann Lee', '3 deals', ['Initech audit', 'Acme renewal', 'Globex start']],
    ['How many deals did Ann Lee win?', '0 deals', []],
    ['what is the total value of deals won by Mia Wong?', 'Total amount: 7000 USD', ['Globex start']],
    ['contacts owned by Mia Wong', '1 contact', ['Ann Smith']],
    ['tasks assigned to Ann', '1 activity', ['Book room']],
    ['how many open tasks does Ann Lee have', '1 activity', ['Book room']],
    ["what's the phone number of Ann Smith", 'Ann Smith: phone +49 30 1234567', ['Ann Smith']],
    ["what is Acme's phone number?", 'Acme Corp: phone +49 30 555010', ['Acme Corp']],
    ["ann smith's email", 'Ann Smith: email ann@acme.test', ['Ann Smith']],
    ['what is the email of Cy?', 'Cy Grey: email cy@globex.test', ['Cy Grey']],
    [
      'emails of all leads',
      'Ann Smith (email ann@acme.test) [1]; Cy Grey (email cy@globex.test) [2]',
      ['Ann Smith', 'Cy Grey'],
    ],
    ['phone numbers of people at Acme Corp', 'Ann Smith (phone +49 30 1234567)', ['Ann Smith', 'Bob Jones']],
    ["what's Ann Smith's job title?", 'Ann Smith: job title CFO', ['Ann Smith']],
    ['where does Dee live?', 'Dee Park: city Austin', ['Dee Park']],
    ['where is Globex located?', 'Globex: city Oslo, country Norway', ['Globex']],
    ['what industry is Initech in?', 'Initech: industry Software', ['Initech']],
    ['what is the website of Acme?', 'Acme Corp: website https://acme.test', ['Acme Corp']],
    ['how many employees does Acme have', 'Acme Corp: employees 120', ['Acme Corp']],
    ['how big is Initech', 'Initech: employees 450', ['Initech']],
    ['How big is the Initech audit deal?', 'Initech audit: amount 18000 USD', ['Initech audit']],
    ['how much is the Globex rollout worth?', 'Total amount: 30000 USD', ['Globex rollout']],
    ['what stage is Globex rollout in?', 'Globex rollout: stage Proposal', ['Globex rollout']],
    ['who owns Acme renewal?', 'Acme renewal: owner Mia Wong', ['Acme renewal']],
    ['who is responsible for Globex rollout?', 'Globex rollout: owner Ann Lee', ['Globex rollout']],
    ["what's the next step for Acme pilot?", 'Acme pilot: next step Send the contract', ['Acme pilot']],
    ['what is the probability of Initech audit?', 'Initech audit: probability 75', ['Initech audit']],
    ['where is the Kickoff?', 'Kickoff: location Room 5', ['Kickoff']],
    ['who is assigned to Book room?', 'Book room: assignee Ann Lee', ['Book room']],
    ['who works at Initech', '1 contact', ['Dee Park']],
    ['who is the CFO of Acme?', '1 contact', ['Ann Smith']],
    ['people at Globex', '1 contact', ['Cy Grey']],
    ['how many people work at Acme Corp?', '2 contacts', ['Ann Smith', 'Bob Jones']],
    ['which company does Cy Grey work for?', '1 company', ['Globex']],
    ['when is my next meeting with Ann Smith', 'Kickoff', ['Kickoff']],
    ['when is the next meeting with Acme?', 'Kickoff', ['Kickoff']],
    ['last call with Ann Smith', 'Intro call', ['Intro call']],
    ['latest activity with Bob Jones', 'Follow-up call', ['Follow-up call']],
    ['what meetings are coming up?', '1 activity', ['Kickoff']],
    ['how many meetings did we have in the last 60 days', '1 activity', ['Product tour']],
    ['what meetings did I have with Globex?', '1 activity', ['Product tour']],
    ["what's due in the next 7 days?", '1 activity', ['Book room']],
    ['how many activities are planned?', '3 activities', ['Send papers', 'Kickoff', 'Book room']],
    ['high priority tasks', '1 activity', ['Send papers']],
    ['how many leads do we have?', '2 contacts', ['Ann Smith', 'Cy Grey']],
    ['how many webinar leads are there', '2 contacts', ['Ann Smith', 'Cy Grey']],
    [
      'contacts by lead source',
      'webinar: 2 contacts; referral: 1 contact; no lead source: 1 contact',
      ['Ann Smith', 'Bob Jones', 'Cy Grey', 'Dee Park'],
    ],
    ['count of leads by city', 'Berlin: 1 contact; Oslo: 1 contact', ['Ann Smith', 'Cy Grey']],
    [
      'how many contacts per company',
      'Acme Corp: 2 contacts; Globex: 1 contact; Initech: 1 contact',
      ['Ann Smith', 'Bob Jones', 'Cy Grey', 'Dee Park'],
    ],
    ['contacts in Berlin', '1 contact', ['Ann Smith']],
    ['contacts not in Oslo', '2 contacts', ['Ann Smith', 'Dee Park']],
    ['Which leads are in Oslo or Berlin?', '2 contacts', ['Ann Smith', 'Cy Grey']],
    ['list all engineers', '1 contact', ['Bob Jones']],
    ['which contact has the Gold plan', '2 contacts', ['Ann Smith', 'Bob Jones']],
    ['who are our customers?', '2 companies', ['Acme Corp', 'Initech']],
    ['list our prospects', '1 company', ['Globex']],
    ['is Acme a customer?', 'Yes, 1 company', ['Acme Corp']],
    ['is Globex a customer?', 'No', []],
    ['is Globex start won?', 'Yes, 1 deal', ['Globex start']],
    ['is Acme renewal won?', 'No', []],
    ['did we win Globex start?', 'Yes, 1 deal', ['Globex start']],
    ['which customers have more than 100 employees', '2 companies', ['Acme Corp', 'Initech']],
    ['companies outside Germany', '2 companies', ['Globex', 'Initech']],
    [
      'companies by industry',
      'Energy: 1 company; Retail: 1 company; Software: 1 company',
      ['Acme Corp', 'Globex', 'Initech'],
    ],
    ['contacts at companies in Norway', '1 contact', ['Cy Grey']],
    ['deals in the software industry', '2 deals', ['Initech audit', 'Initech trial']],
    ['deals with companies in Germany', '2 deals', ['Acme renewal', 'Acme pilot']],
    ['deals between 5000 and 15000', '3 deals', ['Acme renewal', 'Globex start', 'Acme pilot']],
    ['deals worth more than 15000 dollars', '2 deals', ['Globex rollout', 'Initech audit']],
    ['how many open deals are not in Proposal', '1 deal', ['Initech audit']],
    ['open deals excluding Acme Corp', '2 deals', ['Globex rollout', 'Initech audit']],
    ['which deals have priority high?', '1 deal', ['Initech audit']],
    ['what deals is Ann Smith involved in?', '1 deal', ['Acme renewal']],
    ['do we have any deals with Initech?', 'Yes, 2 deals', ['Initech audit', 'Initech trial']],
    ['notes about Acme Corp', '1 note', ['Wish']],
    ['how many notes do we have', '2 notes', ['Idea', 'Wish']],
    [
      'how many deals do we have in each stage?',
      'Proposal: 3 deals; Lost: 1 deal; Negotiation: 1 deal; Won: 1 deal',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Globex start', 'Acme pilot', 'Initech trial'],
    ],
    [
      'which stage has the most money',
      'Proposal: 47000 USD (3 deals).',
      ['Globex rollout', 'Initech audit', 'Acme renewal', 'Globex start', 'Acme pilot', 'Initech trial'],
    ],
  ])('%s', async (question, text, cited) => {
    const { body } = await ask(account, question)
    expect(body).toMatchObject({ grounded: true, model: 'data' })
    expect(body.answer).toContain(text)
    expect(body.citations.map((one: { name: string }) => one.name).sort()).toEqual([...cited].sort())
  })

  it.each([
    ['tell me about Globex', 'Globex'],
    ['What do we know about Ann Smith?', 'Ann Smith'],
  ])('tells all of it: %s', async (question, name) => {
    const { body } = await ask(account, question)
    expect(body).toMatchObject({ grounded: true, model: 'extractive' })
    expect(body.citations[0]).toMatchObject({ index: 1, name })
  })

  it.each([
    ['an owner who is a customer', 'deals owned by Bob'],
    ['a date that companies do not have', 'companies with no activity in the last 30 days'],
    ['a figure that is not offered', 'standard deviation of deal sizes'],
    ['an order of another thing', 'top owner by won amount'],
    ['a kind that is not searched', 'how many users do we have'],
    ['a value that nobody has', 'how many companies in Paris'],
    ['a word that is not understood', 'how many purple deals do we have'],
    ['a condition that is not understood', 'open deals for customers with more than 100 employees'],
    ['a person who is not there', 'what is the phone number of Zoe Quill?'],
    ['a field that is empty', 'what is the email of Bob Jones?'],
    ['a title that nobody has there', 'who is the CFO of Initech?'],
    ['a title that nobody has there', "who's the Engineer at Globex"],
    ['who a colleague is', 'who is Mia?'],
    ['who a colleague is', 'what is Mia Wong like?'],
    ['an office of a country', 'who is the CFO of Germany?'],
    ['what was not, without saying what', "which customers haven't we called this month?"],
    ['what was not, without saying what', 'no activity in 2 weeks'],
    ['contracts, which are no contacts', 'how many contracts do we have'],
    ['who our colleagues are', 'who is on our team?'],
    ['what is no record', 'how many pipelines do we have'],
    ['companies by a colleague', 'which companies does Mia own?'],
  ])('does not compute %s', async (_, question) => {
    const { body } = await ask(account, question)
    expect(body.model === 'data' && body.grounded).toBe(false)
  })
})
