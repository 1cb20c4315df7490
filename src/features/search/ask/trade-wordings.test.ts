import { it } from 'vitest'
import { expectComputed, expectNotComputed, inWorld } from './in-world.testing.ts'
import { tradeWorld } from './trade-world.testing.ts'
import { day } from './wordings.testing.ts'

const OPEN = ['Loading dock', 'Cold chain', 'Sprouts to Switzerland', 'Softeners', 'Label printers']
const DATED = OPEN.filter(name => name !== 'Softeners')
const LOST = ['Scanners', 'Starter kit', 'Safety audit']
const COMPANIES = ['Alpen Sprouts', 'Brightwater Spa', 'Kestrel Freight', 'Woldgate Poultry']

inWorld('how a haulier asks', tradeWorld, account => {
  it.each([
    // stages as prose
    [
      'Which companies are we in negotiation with at the moment?',
      '2 companies',
      ['Kestrel Freight', 'Woldgate Poultry'],
    ],
    ['How many companies are we negotiating with?', '2 companies', ['Kestrel Freight', 'Woldgate Poultry']],
    ['who are we negotiating with', 'company Kestrel Freight', ['Loading dock', 'Cold chain']],
    ['whom have we qualified?', 'company Woldgate Poultry', ['Label printers']],
    ['who are we in the proposal phase with?', 'company Alpen Sprouts', ['Sprouts to Switzerland']],
    ['which companies are in the proposal phase', '1 company', ['Alpen Sprouts']],
    ['which customers are at the negotiation stage', '1 company', ['Woldgate Poultry']],
    ['which contacts are in negotiation', '1 contact', ['Hugh Marsh']],
    ['deals being negotiated', '2 deals', ['Loading dock', 'Cold chain']],
    ['companies with deals in Negotiation', '2 companies', ['Kestrel Freight', 'Woldgate Poultry']],
    ['customers with a deal in proposal', '0 companies', []],
    // deals by other names
    [
      'How much open business do we have with Woldgate Poultry?',
      '49000 EUR',
      ['Cold chain', 'Label printers'],
    ],
    ['how much business is open with Woldgate', '49000 EUR', ['Cold chain', 'Label printers']],
    ["what's the open volume with Woldgate?", '49000 EUR', ['Cold chain', 'Label printers']],
    ['how much money is on the table with Kestrel?', '60000 EUR', ['Loading dock']],
    ['how much is on the table?', '149000 EUR', OPEN],
    ['how much is in the pipe', '149000 EUR', OPEN],
    ['how much potential do we have with Alpen Sprouts', '25000 EUR', ['Sprouts to Switzerland']],
    ['how much business did we do with Brightwater?', 'Total amount: 8000 EUR', ['Filters']],
    // whom a company employs
    ['Which company employs the most people?', 'Kestrel Freight (employees 1200)', ['Kestrel Freight']],
    ['how many people work at Woldgate Poultry', 'employees 640', ['Woldgate Poultry']],
    ['how many people does Kestrel Freight employ?', 'employees 1200', ['Kestrel Freight']],
    ['companies employing over 100 people', '2 companies', ['Kestrel Freight', 'Woldgate Poultry']],
    ['biggest company by headcount', 'Kestrel Freight', ['Kestrel Freight']],
    ['smallest customer by staff', 'Brightwater Spa', ['Brightwater Spa']],
    [
      'how many employees do our customers have',
      'Total employees: 725',
      ['Brightwater Spa', 'Woldgate Poultry'],
    ],
    // declared figures
    ['Who ships the most pallets per week?', 'Woldgate Poultry (Pallets per week 220)', ['Woldgate Poultry']],
    ['which company ships the fewest pallets', 'Brightwater Spa', ['Brightwater Spa']],
    ['companies with over 100 pallets a week', '2 companies', ['Alpen Sprouts', 'Woldgate Poultry']],
    [
      'companies shipping fewer than 100 pallets per week',
      '2 companies',
      ['Brightwater Spa', 'Kestrel Freight'],
    ],
    [
      'average pallets per week of our customers',
      'Average Pallets per week: 116',
      ['Brightwater Spa', 'Woldgate Poultry'],
    ],
    ['total pallets per week', 'Total Pallets per week: 452', COMPANIES],
    ['how many pallets does Woldgate ship per week?', 'Pallets per week 220', ['Woldgate Poultry']],
    ['top 2 companies by pallets', 'Woldgate Poultry', ['Alpen Sprouts', 'Woldgate Poultry']],
    ['which customer has the highest water hardness', 'Brightwater Spa', ['Brightwater Spa']],
    ['who has the highest NPS score', 'Hugh Marsh', ['Hugh Marsh']],
    ['which contact has the lowest NPS', 'Tess Vale', ['Tess Vale']],
    ['deals with at least 20 licences', '1 deal', ['Cold chain']],
    // countries that nobody is in
    ['Do we have any companies in Portugal?', 'No: 0 companies', []],
    ['any contacts from Japan?', 'No: 0 contacts', []],
    ['are there deals in Norway', 'No: 0 deals', []],
    ['how many customers do we have in Spain', '0 companies', []],
    ['Portuguese companies', '0 companies', []],
    ['contacts in France or Switzerland', '1 contact', ['Lena Frei']],
    // whom to leave alone
    ['Which contacts are flagged do not contact?', '1 contact', ['Hugh Marsh']],
    ['whom are we not allowed to contact', '1 contact', ['Hugh Marsh']],
    ["people who don't want to be contacted", '1 contact', ['Hugh Marsh']],
    ["who can't we email?", '1 contact', ['Tess Vale']],
    ['which contacts may we not email', '1 contact', ['Tess Vale']],
    ['who opted out', '1 contact', ['Tess Vale']],
    // what closes each month
    ['How much is expected to close each month?', '49000 EUR (2 deals)', DATED],
    ['deals closing per month', 'deals by month, 4 deals', DATED],
    ['how many deals close per quarter', 'deals by quarter, 4 deals', DATED],
    ['expected closings by month', 'deals by month, 4 deals', DATED],
    // why deals were lost
    ['How many deals did we lose to a competitor?', '2 deals', ['Scanners', 'Starter kit']],
    ['how much have we lost to the competition?', '35000 EUR', ['Scanners', 'Starter kit']],
    ['deals lost because of budget', '1 deal', ['Safety audit']],
    ['how many deals did we lose on price', '1 deal', ['Starter kit']],
    ['why was Scanners lost?', 'lost reason Went with a competitor', ['Scanners']],
    // companies and contacts by their deals
    ['companies with more than one open deal', '1 company', ['Woldgate Poultry']],
    ['which customers have deals over 30k', '1 company', ['Woldgate Poultry']],
    [
      'companies with deals closing next month',
      '1 company (with deals: open and expected close',
      ['Woldgate Poultry'],
    ],
    ['companies with lost deals over 20k', '1 company', ['Kestrel Freight']],
    [
      'companies with over 100 employees and an open deal',
      '2 companies',
      ['Kestrel Freight', 'Woldgate Poultry'],
    ],
    [
      'companies with deals owned by Ravi',
      '3 companies',
      ['Alpen Sprouts', 'Brightwater Spa', 'Woldgate Poultry'],
    ],
    ['contacts with deals owned by Ravi', '0 contacts', []],
    ['which companies did we win deals from this year', '1 company', ['Brightwater Spa']],
    [
      'companies where we lost a deal',
      '3 companies',
      ['Alpen Sprouts', 'Kestrel Freight', 'Woldgate Poultry'],
    ],
    ['which companies did Mia win this year', '1 company', ['Brightwater Spa']],
    ['which companies have bought from us', '1 company', ['Brightwater Spa']],
    ['who bought from us this year', 'company Brightwater Spa', ['Filters']],
    ['companies not in negotiation', '2 companies', ['Alpen Sprouts', 'Brightwater Spa']],
    ['list all directors at customers', '1 contact', ['Hugh Marsh']],
    // who has most of it
    ["who's got the biggest pipeline", 'Mia Wong: 100000 EUR', undefined],
    ["who is Mia's biggest deal with?", 'company Kestrel Freight', ['Loading dock']],
    ['contacts with the most calls', 'Hugh Marsh', ['Hugh Marsh']],
    ['contacts with at least 1 call', '1 contact', ['Hugh Marsh']],
    ['companies with more than 2 meetings', '0 companies', []],
    ['deals without meetings', '8 deals (without meetings)', undefined],
    ['average employees per industry', 'Logistics: 1200 (1 company)', COMPANIES],
    ['average NPS', '7.5, from 2 contacts', ['Hugh Marsh', 'Tess Vale']],
    ['combined pallets of our customers', '232', ['Brightwater Spa', 'Woldgate Poultry']],
    // how long
    ['deals stuck in Negotiation for over two weeks', '0 deals', []],
    ['deals in Proposal for more than 30 days', '0 deals (stage Proposal, in its stage since before', []],
    ['deals that have been in Negotiation for 3 weeks', `in its stage since before ${day(-21)}`, []],
    ['deals open for more than 90 days', '0 deals (open, created before', []],
    // what was done, and how often
    ['what did Ravi do this year', 'assignee Ravi Lee, completed', undefined],
    ['deals nobody has touched in a month', '8 deals', undefined],
    ['how many times did we call Hugh', '1 activity', ['Price talk']],
    ['how often did we meet Jan', '1 activity', ['Site visit']],
    // won and lost
    ['how much did we lose this quarter', '38000 EUR', LOST],
    ['did we lose Scanners', 'Yes, 1 deal', ['Scanners']],
    ["what's our hit rate", 'Win rate: 25%', ['Filters', ...LOST]],
    ['win rate this year', 'Win rate: 25%', ['Filters', ...LOST]],
    ['why do we lose deals', 'No budget this year: 1 deal', LOST],
    ['reasons for losing deals', 'No budget this year: 1 deal', LOST],
    ['how likely is Loading dock to close', 'probability 75', ['Loading dock']],
    ['total licences across open deals', 'Total Licences: 60', OPEN],
    // in haste
    ['whats Ravi got in proposal', '1 deal', ['Sprouts to Switzerland']],
    ['how many ppl do we know at Woldgate', '1 contact', ['Hugh Marsh']],
    ['lsit open deals', '5 deals', OPEN],
    ['companys in Hull', '1 company', ['Woldgate Poultry']],
  ])('%s', (question, text, cited) => expectComputed(account(), question, text, cited))

  it.each([
    ['why something is as it is', 'Why is Sprouts to Switzerland stuck?'],
    ['why something is as it is', 'why is Cold chain late?'],
    ['a figure of another time', 'who ships the most pallets per month?'],
    ['a city that nobody is in', 'companies in Paris'],
    ['a part of the world', 'companies in the EU'],
    ['a reason that no deal was lost for', 'how many deals did we lose to bad weather'],
    ['what is counted by more than its number', 'which company has the most open deals over 10k'],
    ['what is counted by more than its number', 'customers with the most deals this year'],
    ['by what customers are the best', 'who are our top customers'],
    ['by what customers are the best', 'biggest customer by won deals'],
    ['when deals came to a stage', 'deals qualified last month'],
    ['what is said of deals by that of tasks', 'customers with high priority deals'],
    ['a reason turned round', 'deals not lost because of budget'],
  ])('does not compute %s: %s', (_, question) => expectNotComputed(account(), question))
})
