/**
 * English. A value `$today` stands for the day on which the question is asked. Words that change what is asked (or,
 * all, could, if) are never filler: they have a role in a rule or no entry, and then the question is not read.
 * Words are folded: lower case, apostrophes are spaces and a final 's is gone ("don t", "what" for "what's").
 */

import { numbered, words } from '../entries.ts'
import type { Lexicon } from '../types.ts'
import { ASKING } from './asking.ts'
import { DATES, HAVING, TOUCHES } from './dates.ts'
import { FIELDS } from './fields.ts'
import { FIGURE_WORDS } from './figures.ts'
import { ENGLISH_HINTS } from './hints/index.ts'
import { LINKS } from './links.ts'
import { NOUNS } from './nouns.ts'
import { OPERATOR_WORDS, OPERATORS } from './operators.ts'
import { STATES } from './states.ts'

export const english: Lexicon = {
  language: 'en',
  answers: {},
  numbers: {
    ...numbered('zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve'),
    ...{
      fifteen: 15,
      twenty: 20,
      thirty: 30,
      forty: 40,
      fifty: 50,
      sixty: 60,
      seventy: 70,
      eighty: 80,
      ninety: 90,
    },
  },
  timeWords: {},
  valueWords: {},
  nouns: NOUNS,
  fields: FIELDS,
  states: STATES,
  dates: DATES,
  having: HAVING,
  touches: TOUCHES,
  buckets: {
    day: words('day, daily'),
    week: words('week, weekly'),
    month: words('month, monthly'),
    quarter: words('quarter, quarterly'),
    year: words('year, yearly'),
  },
  directions: {
    asc: words(
      'ascending, from smallest to largest, from lowest to highest, lowest first, smallest first, oldest first, earliest first',
    ),
    desc: words(
      'descending, from largest to smallest, from highest to lowest, from biggest to smallest, highest first, biggest first, largest first, newest first, latest first',
    ),
  },
  hints: ENGLISH_HINTS,
  mine: words('my, mine, owned by me, that i own, i own, assigned to me, of mine'),
  me: words('me, i'),
  pronouns: {
    any: words(
      'it, its, they, them, their, theirs, those, these, this, that, he, him, his, she, her, hers, there, ones, this one, that one',
    ),
    deal: words('the deal, this deal, that deal, those deals, these deals'),
    company: words('the company, this company, that company, those companies, these companies'),
    contact: words(
      'the contact, this contact, that contact, this person, that person, these people, those people',
    ),
    activity: words('the meeting, this meeting, the call, this call, the task, this task'),
    note: words('the note, this note'),
    product: words('the product, this product'),
  },
  filler:
    words(`please, currently, right now, at the moment, now, so far, in total, altogether, all together, in all,
    already, yet, still, with us, for us, from us, actually, really, roughly, at this point, these days, as of now, as of today, together, to date,
    in the system, in our system, in the crm, in our crm, in our database, on file, whole team, the whole team, in our address book,
    in the address book, on record, over, whole, entire, thanks, thank you, hi, hello, hey, ok, okay, so, quick question,
    could you, can you, could you please, can you please, could you tell me, can you tell me, could you show me,
    can you show me, can you list, tell me, i need to know, i want to know, i d like to know, i would like to know,
    do you know, let me know, i want to see, i d like to see, i need, ever, on file, if any, would you, i wonder, whatsoever, in our contact list, in the contact list, in our contacts,
    among our contacts, in our books, and only those`),
  unread: words('about to, in danger of, supposed to have, should have been'),
  titles: {
    ceo: words('chief executive, chief executive officer, managing director'),
    cfo: words('chief financial officer, chief finance officer, finance director, financial director'),
    cto: words('chief technology officer, chief technical officer, technical director'),
    coo: words('chief operating officer, chief operations officer, operations director'),
    cmo: words('chief marketing officer, marketing director'),
    cio: words('chief information officer, it director'),
  },
  reasons: [words('competit, rival'), words('pric, expens, cost, cheap'), words('budget, fund')],
  misspelt: {
    ppl: 'people',
    mtg: 'meeting',
    mtgs: 'meetings',
    qtr: 'quarter',
    wk: 'week',
    wks: 'weeks',
    mth: 'month',
    mths: 'months',
    yr: 'year',
    yrs: 'years',
    tmrw: 'tomorrow',
    tmr: 'tomorrow',
    tomorow: 'tomorrow',
    tommorow: 'tomorrow',
    tommorrow: 'tomorrow',
    yday: 'yesterday',
    wich: 'which',
    whcih: 'which',
    hwo: 'how',
    evry: 'every',
    hte: 'the',
    teh: 'the',
    deels: 'deals',
    deel: 'deal',
    companys: 'companies',
    overdew: 'overdue',
    avg: 'average',
    incl: 'including',
  },
  otherWords: words(
    'contract, contracts, costumer, costumers, counter, counters, county, monthly, complete, completes',
  ),
  operators: OPERATORS,
  words: { ...ASKING, ...OPERATOR_WORDS, ...FIGURE_WORDS, ...LINKS },
}
