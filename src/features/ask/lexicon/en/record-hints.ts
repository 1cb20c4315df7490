/** English hints of records, their states, dates and fields. */
export const ENGLISH_RECORD_HINTS = `
~ noun deal: project, projects, order, orders, job, jobs, contract, contracts, business, case, cases, bids,
  bid, sales, sale, pipeline, booking, bookings, engagement, engagements, tender, tenders,
  everything
~ noun company: employer, employers, client, clients, customer, customers, buyer, buyers, supplier, suppliers,
  cos, partner, partners, house, houses, outfit, outfits, shop, shops, institution, institutions, prospect,
  prospects, lead, leads, vendors, enterprise, enterprises, org, orgs,
  company wise
~ noun product: article, articles, item, items, sku, price list, catalogue, catalog
~ noun contact: someone, somebody, anybody, anyone, guy, guys, individual, individuals, employee, employees,
  staff, human, humans, member, members, everyone, everybody, men, women, team, names
~ nouns contact: other contacts, other people
~ noun activity: event, events, appointment, appointments, calendar, diary, agenda, entries,
  everything
~ noun activity type=call: ring, phoned, called, call up, phone
~ noun activity type=meeting: session, sessions, demo, demos, workshop
~ noun activity status=planned|in_progress: something planned, anything planned, something scheduled,
  anything scheduled, something lined up, anything lined up, something coming up, anything coming up
~ noun activity type=email: mailed, mail, mailing
~ noun activity type=task: to do, chore, chores, homework, follow-up, follow-ups, reminders, reminder
~ state product active=false: no longer sell, no longer sold, not sell,
  not offer, not sold, stopped selling, retired, phased out, no longer offer,
  no longer on offer, not on offer, no longer on sale, not on sale, taken out of the range, out of the range, taken out of our range, out of our product range, dropped from our price list, dropped,
  no longer available, discontinued by us, don t sell, no longer in the range
~ state product billing_period=monthly: every month, each month, per month, a month, by the month,
  billed per month, billed monthly, monthly billing
~ state product billing_period=yearly: every year, each year, per year, a year, annually,
  by the year, billed per year, billed annually, billed yearly, annual billing, yearly billing
~ state product billing_period=one_time: one-off, once, one-time, one time, single payment
~ state product billing_period=monthly|quarterly|yearly: recurring, again and again, subscription,
  subscriptions, regularly, repeatedly
~ state deal status=open: pending, undecided, not decided, not decided yet, not yet decided, undecided yet,
  not signed, not signed yet, running, in progress, still going, on the go, in the works, unsigned, current,
  alive, outstanding, cooking, to be won, unfinished, underway,
  winnable, still winnable, could still get, still get, can still get, can still win, still on, not decided so far,
  to be decided, not yet signed, still undecided, aren t decided,
  haven t been decided, hasn t been decided, not been decided, haven t been decided yet
~ state deal status=won: win, wins, sold, signed, closed, landed, secured, successful, success, bought, buy,
  ordered, purchased, paid, closed-won, bagged, in the bag, brought in, earned, made, business done, got,
  landed with us, won over
~ state deal status=lost: lose, losing, missed, failed, rejected, fell through, gone, dead, unsuccessful,
  slipped away, declined, turned down, turned us down, did not take, didn t take, did not happen,
  didn t happen, did not buy, didn t buy, did not work out, didn t work out, not work out, not work,
  not become, not make it, not succeed, not get, not win, loose, loosing, not happen, not take, not buy,
  not go through, not come off, go to someone else, say no, says no, didn t get, said no, losses,
  fall through, falling through, fell flat, going against us, went against us, ended up lost, no deal came of,
  cost us the deal, lost to
~ state deal status=open expected_close_date<$today: delayed, behind schedule, past, passed, behind us,
  expired, behind, by now, should be signed by now, should be closed by now, supposed to be signed,
  in the past, gone by, should have been closed, should have been signed, already gone by, slip, let slip,
  already passed, late to close, stale, over the date, over its date, past its date, past their date,
  should have closed by now, should be closed already, ought to be closed already,
  ought to be closed, ought to have closed, ought to have been closed, meant to have closed by now,
  meant to have closed, meant to close by now, supposed to have closed, supposed to be closed by now,
  supposed to close before today, come and go, came and went, date is over, closing date is over,
  closing day come and go, closing day came and went, should have landed by now, due date is behind us,
  close date is behind us, closing date is behind us, should have closed by yesterday
~ state deal owner_id=null, contact owner_id=null: not assigned, not assigned to anyone,
  not assigned to anybody, aren t assigned, aren t assigned to anyone, aren t assigned to anybody,
  hasn t been assigned, hasn t been assigned to anyone, hasn t been assigned to anybody, belongs to nobody,
  belong to nobody, belongs to no one, belong to no one, nobody is in charge of, nobody in charge,
  has no owner, nobody looks after, nobody handles
~ state contact do_not_contact=true: not contact, must not contact, off limits, leave alone, don t contact,
  not be contacted, blocked, no contact, never contact, not bother, leave in peace, not to be contacted,
  may not contact, mustn t contact, mustn t be contacted, must not call, must not approach, do not disturb, blacklisted, hands off,
  not supposed to contact, not allowed to contact, aren t allowed to contact, forbidden to contact,
  mustn t get in touch with, mustn t we get in touch with, not allowed to get in touch with,
  aren t allowed to get in touch with, not get in touch with, flagged as off limits, mustn t we contact,
  not supposed to call, forbidden to write or call, forbidden to call or write, forbidden to call,
  must not write or call, must not call or write, not be called, not to be called, mustn t call
~ state contact email_opt_out=true: opt out, no emails, no newsletter, not email, not mail, don t email,
  opted-out, opt-outs, email opt-outs, newsletter opt-outs, not want to get emails, don t want to get emails,
  no longer want to get our mailings, no longer want to get emails, no mail, not be emailed, refuse emails, refuses emails, must not email, doesn t want emails,
  do not want emails, not want our emails, no mailings, declined emails, may not email,
  email opt-out, mail opt-out, mailing opt-out, newsletter opt-out, opt-out, mustn t get our newsletter,
  not get our newsletter, doesn t want our emails, don t want our emails, not want our newsletter,
  mustn t get our emails, does not want our emails, not receive our emails, email opt-out set,
  turned off our newsletter, turned off our newsletters, turned off our emails, turned off our mails,
  turned off newsletters, turned off emails, switched off our newsletter, switched off our newsletters,
  cancelled our newsletter, stopped our newsletter, left our mailing list, unsubscribed from our newsletter,
  unsubscribed from the newsletter, unsubscribed from our mails, opted out of our newsletter,
  doesn t want our mails, don t want our mails, don t want our emails any more, no longer want our emails,
  no longer wants our emails, no longer want our newsletter, no longer wants our newsletter
~ state contact !companies: without a company, no company, not belong to a company, no employer,
  without employer, freelancers, unattached, on their own
~ state activity status=planned|in_progress: upcoming, coming, ahead, on the calendar, lined up, due, left,
  coming up, booked, set, on the agenda, undone, future
~ state activity status=completed: held, took place, happened, made, had, logged, past, over, behind us,
  so far, met, did, conducted, closed, ticked off
~ state activity status=cancelled: dropped, scrapped, called off, not happen, didn t happen, did not happen,
  because it was cancelled, because it got cancelled, because they were cancelled
~ touch meeting: sat down with, sit down with
~ state activity is_overdue=true: behind, past, should have been done, past their due date, behind on,
  slipped, expired, forgotten, neglected, belated, slip, let slip, slipping,
  should have done, should have been finished, should have finished, should have been finished by now,
  should have finished by now, should have been done by now, should be finished by now, should be done by now,
  ought to be done, ought to have been done, ought to be finished, not done in time, not finished in time,
  miss the deadline, missed the deadline, miss the deadline of, due date is behind us, due date is over,
  gone past their date, past their date, past its date, past their deadline, past its due date, running late,
  late with, should have got done, miss, did i miss, did we miss, have i missed, have we missed,
  not make in time, not made in time, not do in time, not manage in time, not make on time, not done on time,
  not finished on time, not do on time, not meet the deadline
~ state deal priority=high, activity priority=high: high prio, prio high, high on the list, high importance,
  high
~ state deal priority=medium, activity priority=medium: medium prio, prio medium, medium on the list,
  medium importance, medium
~ state deal priority=low, activity priority=low: low prio, prio low, low on the list, low importance, low
~ state deal priority=urgent, activity priority=urgent: urgent prio, prio urgent, urgent on the list,
  urgent importance, urgent
~ field product.unit_price: cost, costs, charge, list price, how much
~ field deal.amount: cost, costs, sum, figure, money, bring in, brings, ticket, budget, bigger, pricey,
  expensive, euros, dollars, valued
~ field deal.probability: prob, chances, odds, likely, confidence, percent, percentage, how likely, how sure,
  chances of winning, probability of winning, sure, chance of success, certain
~ field deal.stage.name: step, stand, stands, status, where,
  how far, how far along
~ field deal.primary_contact.full_name: behind, client side, customer side, their side, contact person,
  counterpart, point of contact, contact, who do we talk to,
  main person, mainly deal with, mainly speak with, mainly speak, mainly talk to, deal with mainly,
  main point of contact, speak to mainly, the main person
~ field deal.company.name: buyer, behind, for whom
~ field deal.owner.name: responsible, in charge, looks after, handles,
  each person, each person on our team, every one of us, each of us, each owner, who owns them,
  one of us, of us, person on our team
~ field deal.lead_source: lead channel, lead channels, came from, come from, origin, found us, through, via,
  came in, hear about us
~ field deal.lost_reason: killed, what killed, sank, broke, blew, spoiled, went wrong, what happened,
  made them drop, cause, why, lose, lost, how come, grounds, because, due to, explanation,
  causes, causes for, different causes, going against us, fall through, fell through, reason behind
~ field deal.status: outcome, result
~ field deal.deal_type: kind, sort, category
~ field deal.next_step: next, to do next, step, planned next
~ field deal.expected_close_date: expected date, expected closing day, expected closing date, date they should have closed, expected to close, close, closes, due, decision, deadline, sign,
  target date, end date, expected, planned close, signature date, close by,
  land, supposed to land, expected to land, expect to land, due to land, should be closed, set to land,
  by what date, supposed to be closed, should be closing, be able to close, be closed
~ field deal.closed_at: closed, won on, lost on, signed, was closed, came in, closed on
~ field company.industry: line of business, trade, business, field, branch, what do they do
~ field company.employee_count: employ, employs, employing, employed, people strong, heads, head count,
  team size, workforce, personnel, big, bigger, how big, staffed, people working there,
  on the payroll, payroll, employs, number of people working, people working, people work, people strong,
  employees on the books, people employed, many people work
~ field company.annual_revenue: turn over, turning over, turns over, revenues, annual sales, yearly revenue,
  makes, making, earns, earn, earning, top line, richest, yearly turnover,
  make per year, revenue per year, annual turnover, annual revenues, turnover per year
~ field company.website: site, url, web address, web page, webpage, online, domain
~ field company.country, contact.country: nation, land, nations,
  countrywise, country wise
~ field company.city, contact.city: where, located, based, sits, sit, seated, headquarters, headquartered,
  place, live, lives
~ field company.phone, contact.phone: tel, cell, switchboard, switchboard number, switchboard nr, nr, ring, dial, reach, call, phone no, digits, reachable
~ field company.email, contact.email: mail, address, write to, mails
~ field company.status, contact.status: state
~ field company.state, contact.state: state, states, province, provinces, region
~ field contact.job_title: designation, function, post, do for a living, does, occupation, job description,
  responsible
~ field contact.department: team, unit, division
~ field contact.company.name: where do they work, where does he work, where does she work, where do these work,
  where are they employed, works for, work for, working for, employed by, firm, works at, belongs to
~ field contact.language: speak, speaks, tongue, mother tongue
~ field contact.birthday: dob, birthdate, birthdates, birth date, birth dates, birth, born, bday, turns, turn a year older, turns a year older, age,
  old, oldest, youngest, celebrate, celebrates
~ field deal.weighted_amount: weighted, weight, weighted value, weighted amount, weighted by probability, when weighted by its probability,
  weighted pipeline, probability-weighted, expected value, risk-adjusted,
  times probability, times their probability, times its probability, amount times probability, x probability,
  amount x probability, multiply by probability, multiplied by its probability, multiplied by their probability,
  by its probability, by their probability, probability weighted,
  weighting by probability, weight by probability, weighted total, by probability, probability into account,
  taking probability into account, weight it, after weighting, if you weight it, weighting, weighted sum
~ field deal.priority: prio, urgency, important, importance
~ field activity.when: when, scheduled, take place, took place, happen
~ field activity.duration_minutes: min, mins, long, time, hours, lasted, took, take, last, longest, shortest
~ field activity.location: where
~ field activity.falls_due_at: due, due by
~ most activity.duration_minutes: lengthiest, record for length
~ least activity.duration_minutes: briefest, quickest
~ most contact.birthday: born last, latest born
~ least contact.birthday: born first
~ least deal.expected_close_date: nearest upcoming close date, nearest close date, next one due to close,
  next one to close, next due to close, soonest to close, next in line to close
~ least activity.falls_due_at: longest overdue, waiting the longest, waiting longest, overdue the longest
`
