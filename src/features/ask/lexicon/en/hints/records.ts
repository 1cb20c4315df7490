/** Kinds of records and their states by other words. */
import { is, open, undone, words } from '../../entries.ts'
import type { Hint } from '../../types.ts'

const won = is('status', 'won')
const lost = is('status', 'lost')
const past = { field: 'expected_close_date', op: 'lt', value: '$today' }

export const RECORD_HINTS: readonly Hint[] = [
  // records by other nouns
  {
    words:
      words(`deal, project, projects, order, orders, job, jobs, contract, contracts, business, opportunity, case, cases,
    bids, bid, sales, sale, pipeline, booking, bookings, engagement, engagements, tender, tenders`),
    noun: 'deal',
  },
  {
    words:
      words(`company, employer, employers, client, clients, customer, customers, buyer, buyers, supplier, suppliers, partner,
    partners, house, houses, outfit, outfits, shop, shops, account, accounts, institution, institutions, prospect,
    prospects, lead, leads, firm, vendors, enterprise, enterprises, org, orgs`),
    noun: 'company',
  },
  {
    words:
      words(`person, contact, someone, somebody, anybody, anyone, folks, guy, guys, individual, individuals, employee,
    employees, staff, human, humans, everyone, everybody, people, persons, men, women, colleague, colleagues, team, names`),
    noun: 'contact',
  },
  {
    words: words('activity, event, events, appointment, appointments, calendar, diary, agenda, entries'),
    noun: 'activity',
  },
  {
    words: words('meeting, visit, visits, session, sessions, demo, demos, workshop'),
    noun: 'activity',
    where: is('type', 'meeting'),
  },
  {
    words: words('call, calls, phone call, ring, phoned, called, call up, phone'),
    noun: 'activity',
    where: is('type', 'call'),
  },
  {
    words: words(
      'task, to-do, to do, todo, todos, chore, chores, homework, follow-up, follow-ups, reminders, reminder',
    ),
    noun: 'activity',
    where: is('type', 'task'),
  },
  {
    words: words('product, products, article, articles, item, items, sku, price list, catalogue, catalog'),
    noun: 'product',
  },

  // states by other words
  {
    words:
      words(`open, pending, ongoing, undecided, not decided, not decided yet, not yet decided, undecided yet, not signed, not signed yet, running, in progress, active, live, still going, not closed, in play, on the go,
    in the works, in the pipeline, on the table, unsigned, current, alive, outstanding, cooking, to be won, unfinished, underway`),
    state: { entity: 'deal', where: open },
  },
  {
    words:
      words(`won, win, wins, sold, signed, closed, landed, secured, successful, success, bought, buy, ordered, purchased,
    paid, closed-won, bagged, in the bag, brought in, earned, made, business done, got`),
    state: { entity: 'deal', where: won },
  },
  {
    words:
      words(`lost, lose, losing, missed, failed, rejected, fell through, gone, dead, unsuccessful, slipped away, declined,
    turned down, turned us down, did not take, didn t take, did not happen, didn t happen, did not buy, didn t buy,
    did not work out, didn t work out, not work out, not work, not become, not make it, not succeed, not get, not win, loose, loosing, not happen, not take, not buy, not go through, not come off, go to someone else, say no, says no, didn t get, said no, losses`),
    state: { entity: 'deal', where: lost },
  },
  {
    words:
      words(`slipped, late, overdue, delayed, behind schedule, past, passed, behind us, expired, should have closed, behind,
    by now, should be signed by now, should be closed by now, supposed to be signed, past due, in the past, gone by, should have been closed, should have been signed, already gone by, slip, let slip, already passed, late to close, stale, over the date, over its date, past its date, past their date`),
    state: { entity: 'deal', where: { and: [open, past] } },
  },
  {
    words:
      words(`overdue, late, behind, missed, past due, past, should have been done, past their due date, behind on, slipped,
    expired, forgotten, neglected, belated, slip, let slip, slipping`),
    state: { entity: 'activity', where: { field: 'is_overdue', op: 'eq', value: true } },
  },
  {
    words:
      words(`open, pending, planned, scheduled, upcoming, coming, outstanding, to do, unfinished, ahead, on the calendar,
    lined up, due, left, still to do, not done, coming up, booked, set, on the agenda, undone, future`),
    state: { entity: 'activity', where: undone },
  },
  {
    words:
      words(`done, completed, finished, held, took place, happened, made, had, logged, past, over, behind us, so far, met,
    did, conducted, closed, ticked off`),
    state: { entity: 'activity', where: is('status', 'completed') },
  },
  {
    words: words('cancelled, canceled, called off, dropped, scrapped'),
    state: { entity: 'activity', where: is('status', 'cancelled') },
  },
  {
    words:
      words(`not contact, do not contact, must not contact, off limits, leave alone, don t contact, not be contacted, blocked,
    no contact, never contact, not bother, leave in peace, not to be contacted, must not be contacted, may not contact,
    mustn t contact, must not call, must not approach, do not disturb, blacklisted, hands off`),
    state: { entity: 'contact', where: { field: 'do_not_contact', op: 'eq', value: true } },
  },
  {
    words:
      words(`opted out, opt out, unsubscribed, no emails, no newsletter, not email, not mail, don t email, opted-out, no mail,
    not be emailed, refuse emails, refuses emails, must not email, doesn t want emails, do not want emails,
    not want our emails, no mailings, declined emails, may not email`),
    state: { entity: 'contact', where: { field: 'email_opt_out', op: 'eq', value: true } },
  },
  {
    words: words(
      'without a company, no company, not belong to a company, no employer, without employer, freelancers, unattached, on their own',
    ),
    state: { entity: 'contact', where: { none: 'companies' } },
  },

  {
    words: words(
      'no longer sell, no longer sold, not sell any more, not sell anymore, not offer anymore, not sold anymore, stopped selling, retired, phased out, no longer offer, discontinued',
    ),
    state: { entity: 'product', where: { field: 'active', op: 'eq', value: false } },
  },
  {
    words: words('every month, each month, per month, a month, monthly'),
    state: { entity: 'product', where: is('billing_period', 'monthly') },
  },
  {
    words: words('every year, each year, per year, a year, yearly, annually'),
    state: { entity: 'product', where: is('billing_period', 'yearly') },
  },
  {
    words: words('one-off, once, one-time, one time, single payment'),
    state: { entity: 'product', where: is('billing_period', 'one_time') },
  },
  {
    words: words('recurring, again and again, subscription, subscriptions, regularly, repeatedly'),
    state: {
      entity: 'product',
      where: { field: 'billing_period', op: 'in', value: ['monthly', 'quarterly', 'yearly'] },
    },
  },
  ...(['deal', 'activity'] as const).flatMap((entity): Hint[] =>
    (['high', 'medium', 'low', 'urgent'] as const).map(value => ({
      words: words(`${value} prio, prio ${value}, ${value} on the list, ${value} importance, ${value}`),
      state: { entity, where: is('priority', value) },
    })),
  ),
]
