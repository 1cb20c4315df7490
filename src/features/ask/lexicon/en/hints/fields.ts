/** Fields by what people call them, or by what one does with them. */
import { words } from '../../entries.ts'
import type { Hint } from '../../types.ts'

export const FIELD_HINTS: readonly Hint[] = [
  {
    words: words(
      `employ, employs, employing, employed, people strong, heads, head count, headcount, team size, workforce, personnel, big, bigger, how big, size, staffed, people working there`,
    ),
    field: ['company', 'employee_count', 'number'],
  },
  {
    words:
      words(`turnover, turn over, turning over, turns over, revenue, revenues, annual sales, yearly revenue, makes, earns,
    earning, top line, richest, yearly turnover`),
    field: ['company', 'annual_revenue', 'money'],
  },
  {
    words: words(`website, site, url, web address, homepage, web page, webpage, online, domain`),
    field: ['company', 'website', 'text'],
  },
  {
    words: words('industry, sector, line of business, trade, business, field, branch, what do they do'),
    field: ['company', 'industry', 'text'],
  },
  ...(['company', 'contact'] as const).flatMap((entity): Hint[] => [
    {
      words: words(
        `phone, tel, telephone, mobile, cell, number, ring, dial, reach, call, phone no, digits, reachable`,
      ),
      field: [entity, 'phone', 'text'],
    },
    { words: words('mail, e-mail, email, address, write to, mails'), field: [entity, 'email', 'text'] },
    {
      words: words(
        'city, town, where, located, based, sits, sit, seated, headquarters, headquartered, place, live, lives',
      ),
      field: [entity, 'city', 'text'],
    },
    { words: words('country, nation, land, nations'), field: [entity, 'country', 'text'] },
    { words: words('status, state'), field: [entity, 'status', 'text'] },
    { words: words('state, states, province, provinces, region'), field: [entity, 'state', 'text'] },
  ]),
  {
    words: words(
      `designation, title, role, position, job, function, post, do for a living, does, occupation, job description, responsible`,
    ),
    field: ['contact', 'job_title', 'text'],
  },
  { words: words('department, team, unit, division'), field: ['contact', 'department', 'text'] },
  { words: words('speak, speaks, language, tongue, mother tongue'), field: ['contact', 'language', 'text'] },
  {
    words: words(
      'dob, birthdate, birthdates, birth date, birth dates, birth, birthday, birthdays, born, bday, date of birth, turns, age, old, oldest, youngest, celebrate, celebrates',
    ),
    field: ['contact', 'birthday', 'date'],
  },
  {
    words: words(
      'employer, works for, work for, working for, employed by, company, firm, works at, belongs to',
    ),
    field: ['contact', 'company.name', 'text'],
  },
  {
    words:
      words(`amount, value, worth, price, cost, costs, sum, figure, money, volume, bring in, brings, ticket, size, budget,
    bigger, pricey, expensive, euros, dollars, valued`),
    field: ['deal', 'amount', 'money'],
  },
  {
    words: words(
      'weighted, weight, weighted value, weighted amount, weighted by probability, weighted pipeline, probability-weighted, expected value, risk-adjusted',
    ),
    field: ['deal', 'weighted_amount', 'money'],
  },
  {
    words: words(
      `prob, probability, chance, chances, odds, likelihood, likely, confidence, percent, percentage, how likely, how sure`,
    ),
    field: ['deal', 'probability', 'number'],
  },
  {
    words:
      words(`expected close, close date, closing date, expected to close, close, closes, due, decision, deadline, sign,
    target date, end date, expected, planned close, signature date, close by`),
    field: ['deal', 'expected_close_date', 'date'],
  },
  {
    words: words('closed, won on, lost on, signed, was closed, came in, close date, closed on'),
    field: ['deal', 'closed_at', 'date'],
  },
  {
    words: words(
      `killed, what killed, sank, broke, blew, spoiled, went wrong, what happened, made them drop, lost reason, reason, cause, why, reasons, lose, lost, how come, grounds, because, due to, explanation`,
    ),
    field: ['deal', 'lost_reason', 'text'],
  },
  {
    words: words(
      `source, lead source, lead channel, lead channels, channel, came from, come from, origin, found us, through, via, came in, hear about us`,
    ),
    field: ['deal', 'lead_source', 'text'],
  },
  {
    words: words('next step, next, to do next, next action, step, planned next'),
    field: ['deal', 'next_step', 'text'],
  },
  { words: words('stage, phase, step, stand, stands, status, where'), field: ['deal', 'stage.name', 'text'] },
  { words: words('kind, type, sort, category, deal type'), field: ['deal', 'deal_type', 'text'] },
  { words: words('prio, priority, urgency, important, importance'), field: ['deal', 'priority', 'text'] },
  {
    words: words(
      'behind, client side, customer side, their side, primary contact, main contact, contact person, counterpart, point of contact, contact, who do we talk to',
    ),
    field: ['deal', 'primary_contact.full_name', 'text'],
  },
  {
    words: words('customer, client, company, account, buyer, behind, for whom'),
    field: ['deal', 'company.name', 'text'],
  },
  {
    words: words('owner, responsible, in charge, looks after, rep, handles'),
    field: ['deal', 'owner.name', 'text'],
  },
  { words: words('currency'), field: ['deal', 'currency', 'text'] },
  {
    words: words(
      'min, minutes, mins, duration, long, length, time, hours, lasted, took, take, last, longest, shortest',
    ),
    field: ['activity', 'duration_minutes', 'number'],
  },
  {
    words: words('date, day, when, time, scheduled, take place, took place, happen'),
    field: ['activity', 'when', 'date'],
  },
  { words: words('due, deadline, due date, due by'), field: ['activity', 'falls_due_at', 'date'] },
  { words: words('location, place, venue, where'), field: ['activity', 'location', 'text'] },
  {
    words: words('price, cost, costs, charge, list price, how much'),
    field: ['product', 'unit_price', 'money'],
  },
]
