import { it } from 'vitest'
import { smallWorld } from '../testing/small-world.testing.ts'
import { expectComputed, expectNotComputed, inMemory } from '../testing/wordings.testing.ts'

const OPEN = ['Globex rollout', 'Initech audit', 'Acme renewal', 'Acme pilot']
const ALL = [...OPEN, 'Globex start', 'Initech trial']

inMemory('how sales people ask', smallWorld, account => {
  it.each([
    // colleagues by their first name
    ["Mia's deals", '3 deals', ['Acme renewal', 'Globex start', 'Initech audit']],
    ['How much open pipeline does Mia own?', 'Total amount: 30000 USD', ['Acme renewal', 'Initech audit']],
    ['How many deals has Mia won?', '1 deal', ['Globex start']],
    ["Ann's total open pipeline", 'Total amount: 35000 USD', ['Globex rollout', 'Acme pilot']],
    ["Mia's overdue tasks", '1 activity', ['Send papers']],
    ['who did Mia last talk to?', 'Bob Jones', ['Follow-up call', 'Bob Jones']],
    ['how many deals did I lose', '0 deals', []],
    // what should close, and what should have
    ['Which deals should close today?', '1 deal', ['Acme renewal']],
    ['what is due to close today', '1 deal', ['Acme renewal']],
    ['deals we expect to close next quarter', '1 deal', ['Globex rollout']],
    ['Which open deals have slipped past their expected close date?', '1 deal', ['Acme pilot']],
    ['deals whose close date has passed', '1 deal', ['Acme pilot']],
    ['deals that should have closed already', '1 deal', ['Acme pilot']],
    ['How much could we bring in next quarter if every deal closes?', '30000 USD', ['Globex rollout']],
    // currencies
    ['Which open deals are in euros?', '0 deals', []],
    ['dollar deals', '6 deals', ALL],
    ['deals priced in pounds', '0 deals', []],
    ['deals not in USD', '0 deals', []],
    // values as they are said
    ['who is in research and development', '1 contact', ['Bob Jones']],
    ['contacts in the research-and-development department', '1 contact', ['Bob Jones']],
    ['US companies', '1 company', ['Initech']],
    ['German customers', '1 company', ['Acme Corp']],
    ['how many clients do we have', '2 companies', ['Acme Corp', 'Initech']],
    // what is not there
    ['deals without a contact person', '5 deals', ALL.filter(name => name !== 'Acme renewal')],
    ['unassigned contacts', '2 contacts', ['Bob Jones', 'Dee Park']],
    ['which contacts have nobody assigned?', '2 contacts', ['Bob Jones', 'Dee Park']],
    ['companies that are not tagged', '3 companies', ['Acme Corp', 'Globex', 'Initech']],
    ['contacts without tags', '4 contacts', ['Ann Smith', 'Bob Jones', 'Cy Grey', 'Dee Park']],
    ['customers without a lost deal', '1 company', ['Acme Corp']],
    ['customers with open deals', '2 companies', ['Acme Corp', 'Initech']],
    // yes or no
    ['Who has opted out of emails?', '1 contact', ['Cy Grey']],
    ['how many contacts have unsubscribed', '1 contact', ['Cy Grey']],
    ['Has Cy Grey opted out of email?', 'Yes, 1 contact', ['Cy Grey']],
    ['contacts we must not contact', '1 contact', ['Dee Park']],
    ['do not contact list', '1 contact', ['Dee Park']],
    ['companies with a signed NDA', '1 company', ['Acme Corp']],
    ['which companies have no signed NDA?', '2 companies', ['Globex', 'Initech']],
    // several states
    ['All deals with Initech, won lost or open', '2 deals', ['Initech audit', 'Initech trial']],
    ['won or lost deals', '2 deals', ['Globex start', 'Initech trial']],
    ['deals that are not lost', '5 deals', [...OPEN, 'Globex start']],
    ['closed deals', '2 deals', ['Globex start', 'Initech trial']],
    ['do we have more open than won deals?', 'Yes: open: 4 deals; won: 1 deal', [...OPEN, 'Globex start']],
    ['do we have more open or won deals?', 'open: 4 deals; won: 1 deal', [...OPEN, 'Globex start']],
    // names of kinds
    [
      'how many people are in our address book',
      '4 contacts',
      ['Ann Smith', 'Bob Jones', 'Cy Grey', 'Dee Park'],
    ],
    ['how many opps are in Negotiation', '1 deal', ['Initech audit']],
    ['funnel by stage', 'Proposal: 47000 USD (3 deals); Negotiation: 18000 USD (1 deal)', OPEN],
    ['which folks do we know at Globex?', '1 contact', ['Cy Grey']],
    // amounts
    ['five-figure deals', '3 deals', ['Globex rollout', 'Initech audit', 'Acme renewal']],
    ['deals from 10 to 20 thousand', '2 deals', ['Initech audit', 'Acme renewal']],
    ['deals over ten thousand', '3 deals', ['Globex rollout', 'Initech audit', 'Acme renewal']],
    ['deals exceeding one hundred thousand', '0 deals', []],
    ['deals over 10 000', '3 deals', ['Globex rollout', 'Initech audit', 'Acme renewal']],
    ['deals of more than USD 15 000', '2 deals', ['Globex rollout', 'Initech audit']],
    ['companies with twenty to fifty employees', '1 company', ['Globex']],
    ['deals between 10 and 20k', '2 deals', ['Initech audit', 'Acme renewal']],
    ['deals over twenty-five thousand', '1 deal', ['Globex rollout']],
    ['deals bigger as 20k', '1 deal', ['Globex rollout']],
    ['deals over half a million', '0 deals', []],
    ['companies with more than a hundred and twenty employees', '1 company', ['Initech']],
    ['companies with more than hundred employees', '2 companies', ['Acme Corp', 'Initech']],
    ['companies with fewer than two hundred employees', '2 companies', ['Acme Corp', 'Globex']],
    ['which deals exceed ten thousand', '3 deals', ['Globex rollout', 'Initech audit', 'Acme renewal']],
    ['deals over a thousand', '6 deals', ALL],
    ['deals 12k+', '3 deals', ['Globex rollout', 'Initech audit', 'Acme renewal']],
    // figures
    ['median deal size', 'Median amount: 9500 USD', ALL],
    ['What is the median value of open deals?', 'Median amount: 15000 USD', OPEN],
    ['win rate by owner', 'Ann Lee: 0% (0 won, 1 lost); Mia Wong: 100%', ['Globex start', 'Initech trial']],
    ["what's Mia's win rate", 'Win rate: 100%', ['Globex start']],
    ['pipeline by industry', 'Retail: 30000 USD (1 deal); Software: 18000 USD (1 deal)', OPEN],
    ['open deals per country', 'Germany: 2 deals', OPEN],
    ['who has overdue tasks?', 'Mia Wong: 1 activity', ['Send papers']],
    [
      'how many tasks does each person have',
      'Ann Lee: 1 activity; Mia Wong: 1 activity',
      ['Send papers', 'Book room'],
    ],
    // why, whose, when
    ['deals lost because of too expensive', '1 deal', ['Initech trial']],
    ['most common lost reason', 'Too expensive: 1 deal', undefined],
    ['whose deal is Acme renewal?', 'Acme renewal: owner Mia Wong', ['Acme renewal']],
    ['who handles Globex rollout', 'Globex rollout: owner Ann Lee', ['Globex rollout']],
    ['who looks after Globex?', 'Globex rollout: owner Ann Lee', ['Globex rollout', 'Globex start']],
    ['last touch with Cy Grey', 'Product tour', ['Product tour', 'Cy Grey']],
    ['who have we never spoken to?', '1 contact', ['Dee Park']],
    ['contacts that have never been contacted', '1 contact', ['Dee Park']],
    ['is Acme renewal still open?', 'Yes, 1 deal', ['Acme renewal']],
    ['who is attending the Kickoff?', '1 contact', ['Ann Smith']],
    // people by a word of their title
    ['which contacts work in development?', '1 contact', ['Bob Jones']],
    ['people in research at Acme', '1 contact', ['Bob Jones']],
    // exceptions
    ['open deals besides Acme', '2 deals', ['Globex rollout', 'Initech audit']],
    ['contacts apart from Oslo', '2 contacts', ['Ann Smith', 'Dee Park']],
    ['contacts in neither Oslo nor Berlin', '1 contact', ['Dee Park']],
    // who closes a deal wins it
    ['which deals did we close this year?', '1 deal', ['Globex start']],
    ['who closed the most deals', 'Mia Wong: 1 deal', undefined],
    ['which rep sold the most business?', 'Mia Wong: 7000 USD', undefined],
    // the deal of a company
    [
      'when does the Globex deal close?',
      'Globex rollout: expected close',
      ['Globex rollout', 'Globex start'],
    ],
    ['why did we lose the Initech deal?', 'Initech trial: lost reason Too expensive', ['Initech trial']],
    ['which company has the most open deals?', 'Acme Corp (2 deals)', ['Acme Corp']],
    ['second largest deal', 'Initech audit', ['Initech audit']],
    ['the third biggest open deal', 'Acme renewal', ['Acme renewal']],
    ['who do we know at companies in Norway', '1 contact', ['Cy Grey']],
    ['CFOs at customers', '1 contact', ['Ann Smith']],
    ['calls longer than 30 minutes', '2 activities', ['Intro call', 'Follow-up call']],
    ['calls that last more than 30 minutes', '2 activities', ['Intro call', 'Follow-up call']],
    ['when do we meet Acme next?', 'Kickoff', ['Kickoff']],
    // courtesy and slips
    ['I need to know how many open deals we have at this point', '4 deals', OPEN],
    ["I'd like to know our total pipeline at the moment", 'Total amount: 65000 USD', OPEN],
    ['quick question: what is our win rate currently', 'Win rate: 50%', ['Globex start', 'Initech trial']],
    ['how many conatcts in Oslo', '2 contacts', ['Bob Jones', 'Cy Grey']],
    ['list all dael in Negotiation', '1 deal', ['Initech audit']],
    // days
    ['meetings on Friday', '1 activity', ['Kickoff']],
    ['revenue won year to date', 'Total amount: 7000 USD', ['Globex start']],
    ['sales by owner', 'Mia Wong: 7000 USD (1 deal)', ['Globex start']],
    ['deals without Acme', '4 deals', ['Globex rollout', 'Globex start', 'Initech audit', 'Initech trial']],
    ['my last 2 meetings', '0 activities (mine', []],
    ['emails to Ann Smith', '0 activities', []],
    ['deals older than 30 days', '0 deals', []],
  ])('%s', (question, text, cited) => expectComputed(account(), question, text, cited))

  it.each([
    ['who of us was the last', 'who called Bob Jones last?'],
    ['what one should do', 'what should I do today?'],
    ['how old is stale', 'stale deals'],
    ['the first of no order', 'first 3 deals'],
    ['how long something was not so', 'deals not open for 2 weeks'],
    ['whose revenue it is', 'revenue by owner'],
  ])('does not compute %s: %s', (_, question) => expectNotComputed(account(), question))
})
