/** English words for records, their states, dates and fields. */
export const ENGLISH_RECORDS = `
noun deal: deal, opportunity, opp
nouns deal: deals, opportunities, opps
~ noun deal: project, projects, order, orders, job, jobs, contract, contracts, business, case, cases, bids,
  bid, sales, sale, pipeline, booking, bookings, engagement, engagements, tender, tenders,
  everything
noun deal status=won: win
nouns deal status=won: wins
noun deal status=lost: loss
nouns deal status=lost: losses
noun deal status=open: closing
nouns deal status=open: closings, expected closings
noun company: company, account, organization, organisation, firm, business
nouns company: companies, accounts, organizations, organisations, firms, businesses
~ noun company: employer, employers, client, clients, customer, customers, buyer, buyers, supplier, suppliers,
  partner, partners, house, houses, outfit, outfits, shop, shops, institution, institutions, prospect,
  prospects, lead, leads, vendors, enterprise, enterprises, org, orgs,
  company wise
noun product: product
nouns product: products
~ noun product: article, articles, item, items, sku, price list, catalogue, catalog
noun contact: contact, contact person, person, my contact, my contact person, participant, attendee
nouns contact: contacts, contact persons, people, persons, folks, participants, attendees
~ noun contact: someone, somebody, anybody, anyone, guy, guys, individual, individuals, employee, employees,
  staff, human, humans, everyone, everybody, men, women, colleague, colleagues, team, names
noun contact do_not_contact=true: do not contact list
noun activity: activity, item, thing
nouns activity: activities, items, things, stuff
~ nouns contact: other contacts, other people
~ noun activity: event, events, appointment, appointments, calendar, diary, agenda, entries,
  everything
noun activity type=call: call, phone call
nouns activity type=call: calls, phone calls
~ noun activity type=call: ring, phoned, called, call up, phone
noun activity type=meeting: meeting, appointment, visit
nouns activity type=meeting: meetings, appointments, visits
~ noun activity type=meeting: session, sessions, demo, demos, workshop
noun activity type=task: task, to-do, todo
nouns activity type=task: tasks, to-dos, todos
~ noun activity type=task: to do, chore, chores, homework, follow-up, follow-ups, reminders, reminder
nouns activity type=email: emails, mails
noun note: note
nouns note: notes
state deal !tags, company !tags, contact !tags: untagged, not tagged, without tags, without a tag,
  with no tags, without any tags, have no tags
state deal amount>=1000 amount<10000: four-figure, four figure
state deal amount>=10000 amount<100000: five-figure, five figure
state deal amount>=100000 amount<1000000: six-figure, six figure
state deal amount>=1000000 amount<10000000: seven-figure, seven figure
state contact do_not_contact=false email_opt_out=false: we can email, we may email, we are allowed to email,
  may be emailed, can be emailed
state contact do_not_contact=false: we can contact, we may contact, we are allowed to contact,
  may be contacted, can be contacted
state product active=true: active, still active, on sale, for sale
state product active=false: inactive, discontinued, not active, no longer active, not on sale
~ state product active=false: no longer sell, no longer sold, not sell any more, not sell anymore,
  not offer anymore, not sold anymore, stopped selling, retired, phased out, no longer offer,
  no longer on offer, not on offer, taken out of the range, out of the range, dropped from our price list, dropped,
  no longer available, discontinued by us, don t sell any more, don t sell anymore, no longer in the range
state product billing_period=monthly: monthly, billed monthly, are billed monthly, paid monthly
~ state product billing_period=monthly: every month, each month, per month, a month
state product billing_period=quarterly: quarterly, billed quarterly, are billed quarterly, paid quarterly
state product billing_period=yearly: yearly, billed yearly, are billed yearly, paid yearly
~ state product billing_period=yearly: every year, each year, per year, a year, annually
~ state product billing_period=one_time: one-off, once, one-time, one time, single payment
~ state product billing_period=monthly|quarterly|yearly: recurring, again and again, subscription,
  subscriptions, regularly, repeatedly
state deal status=open: open, still open, in the pipeline, in play, unclosed, ongoing, active, live,
  not closed, we could still win, could we still win, can we still win, we can still win, on the table
~ state deal status=open: pending, undecided, not decided, not decided yet, not yet decided, undecided yet,
  not signed, not signed yet, running, in progress, still going, on the go, in the works, unsigned, current,
  alive, outstanding, cooking, to be won, unfinished, underway,
  winnable, still winnable, could still get, still get, can still get, can still win, still on, not decided so far,
  to be decided, not yet signed, still undecided, aren t decided,
  haven t been decided, hasn t been decided, not been decided, haven t been decided yet
state deal status=won @closed_at: won, closed won
verb deal status=won @closed_at: win, won, ever won, close, closed, sell, sold, sign, signed
~ state deal status=won: win, wins, sold, signed, closed, landed, secured, successful, success, bought, buy,
  ordered, purchased, paid, closed-won, bagged, in the bag, brought in, earned, made, business done, got,
  landed with us, won over
state deal status=lost @closed_at: lost, closed lost
verb deal status=lost @closed_at: lose, lost, losing
~ state deal status=lost: lose, losing, missed, failed, rejected, fell through, gone, dead, unsuccessful,
  slipped away, declined, turned down, turned us down, did not take, didn t take, did not happen,
  didn t happen, did not buy, didn t buy, did not work out, didn t work out, not work out, not work,
  not become, not make it, not succeed, not get, not win, loose, loosing, not happen, not take, not buy,
  not go through, not come off, go to someone else, say no, says no, didn t get, said no, losses,
  fall through, falling through, fell flat, going against us, went against us, ended up lost, no deal came of,
  cost us the deal, lost to
state deal status=open expected_close_date<$today: slipped, overdue, late, have slipped, past due,
  past their close date, past their expected close date, have slipped past their close date,
  have slipped past their expected close date, past its close date, whose close date has passed,
  that should have closed already, that should have closed, have passed their close date,
  has passed its close date, whose expected close date has passed, whose close date is past,
  whose close date is in the past, should have closed, close date has passed, with a close date in the past,
  past their closing date
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
state deal owner_id=null, contact owner_id=null: nobody owns, without an owner, unassigned, unowned,
  does nobody own, that nobody owns, no one owns, nobody assigned, with nobody assigned
~ state deal owner_id=null, contact owner_id=null: not assigned, not assigned to anyone,
  not assigned to anybody, aren t assigned, aren t assigned to anyone, aren t assigned to anybody,
  hasn t been assigned, hasn t been assigned to anyone, hasn t been assigned to anybody, belongs to nobody,
  belong to nobody, belongs to no one, belong to no one, nobody is in charge of, nobody in charge,
  has no owner, nobody looks after, nobody handles
state contact do_not_contact=true: do not contact, we must not contact, must we not contact,
  marked as do not contact, flagged do not contact, flagged as do not contact, marked do not contact,
  are we not allowed to contact, we are not allowed to contact, don t want to be contacted,
  who don t want to be contacted, doesn t want to be contacted, does not want to be contacted,
  do not want to be contacted, must not be contacted, can we not contact, we should not contact
~ state contact do_not_contact=true: not contact, must not contact, off limits, leave alone, don t contact,
  not be contacted, blocked, no contact, never contact, not bother, leave in peace, not to be contacted,
  may not contact, mustn t contact, must not call, must not approach, do not disturb, blacklisted, hands off,
  not supposed to contact, not allowed to contact, aren t allowed to contact, forbidden to contact,
  mustn t get in touch with, mustn t we get in touch with, not allowed to get in touch with,
  aren t allowed to get in touch with, not get in touch with, flagged as off limits, mustn t we contact,
  not supposed to call
state contact email_opt_out=true: opted out, opted out of emails, opted out of email, unsubscribed,
  opted out of mails, can t we email, we can t email, may we not email, we may not email, have opted out,
  has opted out, opted out of our emails, has opted out of emails, have opted out of emails, can we not email,
  we must not email, must we not email
~ state contact email_opt_out=true: opt out, no emails, no newsletter, not email, not mail, don t email,
  opted-out, no mail, not be emailed, refuse emails, refuses emails, must not email, doesn t want emails,
  do not want emails, not want our emails, no mailings, declined emails, may not email,
  email opt-out, mail opt-out, mailing opt-out, newsletter opt-out, opt-out, mustn t get our newsletter,
  not get our newsletter, doesn t want our emails, don t want our emails, not want our newsletter,
  mustn t get our emails, does not want our emails, not receive our emails, email opt-out set
~ state contact !companies: without a company, no company, not belong to a company, no employer,
  without employer, freelancers, unattached, on their own
state activity status=planned|in_progress @planned_at: still open, open, not done yet, not done, outstanding,
  pending, to do, unfinished, planned, scheduled, still to do, left to do, to be done, to be made,
  still to be made, still to be held, still to come, to be held
~ state activity status=planned|in_progress: upcoming, coming, ahead, on the calendar, lined up, due, left,
  coming up, booked, set, on the agenda, undone, future
state activity status=planned|in_progress planned_at>=$today @planned_at: coming up, upcoming, ahead,
  lined up
state activity status=completed @happened_at: completed, done, finished, logged as completed,
  marked as completed, marked completed, marked as done, marked done, carried out
verb activity status=completed @happened_at: make, made, log, logged, hold, held, do, did, done, complete,
  completed, had
~ state activity status=completed: held, took place, happened, made, had, logged, past, over, behind us,
  so far, met, did, conducted, closed, ticked off
state activity priority=urgent: urgent
state activity status=in_progress: in progress, under way
state activity direction=inbound: inbound, incoming
state activity direction=outbound: outbound, outgoing
state note is_pinned=true: pinned
state deal status=won|lost @closed_at: closed
state activity status=cancelled: cancelled, canceled, called off
~ state activity status=cancelled: dropped, scrapped
state activity is_overdue=true: overdue, late, past due, missed, overdue today, overdue now, late today,
  overdue as of today
~ state activity is_overdue=true: behind, past, should have been done, past their due date, behind on,
  slipped, expired, forgotten, neglected, belated, slip, let slip, slipping,
  should have done, should have been finished, should have finished, should have been finished by now,
  should have finished by now, should have been done by now, should be finished by now, should be done by now,
  ought to be done, ought to have been done, ought to be finished, not done in time, not finished in time,
  miss the deadline, missed the deadline, miss the deadline of, due date is behind us, due date is over,
  gone past their date, past their date, past its date, past their deadline, past its due date, running late,
  late with, should have got done
state deal priority=high, activity priority=high: high priority, high-priority
~ state deal priority=high, activity priority=high: high prio, prio high, high on the list, high importance,
  high
state deal priority=medium, activity priority=medium: medium priority, medium-priority
~ state deal priority=medium, activity priority=medium: medium prio, prio medium, medium on the list,
  medium importance, medium
state deal priority=low, activity priority=low: low priority, low-priority
~ state deal priority=low, activity priority=low: low prio, prio low, low on the list, low importance, low
dated activity.falls_due_at status=planned|in_progress: due, are due, is due
dated activity.falls_due_at: was due, were due, had been due, fell due
dated activity.planned_at status=planned|in_progress: planned for, planned, scheduled, scheduled for, on,
  on for, happening
dated activity.happened_at status=completed: held, made, done, took place, logged, happened, completed
dated *.created_at: created, added, entered
verb *.created_at: create, created, add, added, enter, entered, get
dated *.created_at: older
dated *.updated_at: updated, changed, modified
dated activity.happened_at type=email status=completed direction!=inbound: sent, we sent
verb activity.happened_at type=email status=completed direction!=inbound: send, sent, write, wrote
dated activity.happened_at status=completed direction=inbound: received, we received
verb activity.happened_at status=completed direction=inbound: receive, received
dated deal.expected_close_date status=open: closing, close, closes, expected to close, due to close,
  set to close, supposed to close, should close, will close, going to close, likely to close, expected, due,
  should we be closing, should we close, slated, slated for, landing, are we closing, expected to come in,
  coming in, to close
verb deal.expected_close_date status=open: expect to close, expect, be closing
~ state deal priority=urgent, activity priority=urgent: urgent prio, prio urgent, urgent on the list,
  urgent importance, urgent
verb activity.when status!=cancelled type!=task/status=planned|in_progress: have, has, got, have on
verb activity.planned_at status=planned|in_progress: have to do, has to do, still have to do, need to do,
  have due, has due, have planned, have scheduled, have coming up, have to finish, have to send,
  still have to send, have to make, still have to make
touch call|meeting|email: spoken to, spoken with, speak to, speak with, spoke to, spoke with, talked to,
  talked with, talk to, talk with, contacted, contact, been in touch with, in touch with,
  been in contact with, in contact with, heard from, reached, reached out to, touched, interacted with,
  been contacted, been spoken to, been touched, been reached, spoken, talked
touch call: called, call, phoned, phone, rung, been called
touch meeting: met, meet, met with, meet with, visited, visit, seen, been visited
touch email: emailed, email, written to, been emailed
bucket day: day, daily
bucket week: week, weekly
bucket month: month, monthly
bucket quarter: quarter, quarterly
bucket year: year, yearly
direction asc: ascending, from smallest to largest, from lowest to highest, lowest first, smallest first,
  oldest first, earliest first
direction desc: descending, from largest to smallest, from highest to lowest, from biggest to smallest,
  highest first, biggest first, largest first, newest first, latest first
field product.unit_price: price, prices, unit price, unit prices
most product.unit_price: most expensive, highest, priciest, dearest
least product.unit_price: cheapest, lowest, least expensive
~ field product.unit_price: cost, costs, charge, list price, how much
field product.billing_period: billing period, billing periods
field product.sku: sku, skus
field deal.amount: amount, amounts, value, values, worth, size, sizes, price, volume, deal amount, deal value,
  deal size
most deal.amount: biggest, largest, highest, most valuable, most expensive, priciest, dearest
least deal.amount: smallest, lowest, cheapest
~ field deal.amount: cost, costs, sum, figure, money, bring in, brings, ticket, budget, bigger, pricey,
  expensive, euros, dollars, valued
field deal.probability: probability, likelihood, chance, win probability, chance of winning
most deal.probability: most likely to close, most likely, likeliest, most probable, most promising,
  most likely to be won
least deal.probability: least likely to close, least likely, least probable, least likely to be won
~ field deal.probability: prob, chances, odds, likely, confidence, percent, percentage, how likely, how sure,
  chances of winning, probability of winning, sure, chance of success, certain
field deal.stage.name: stage, stages, phase, phases
~ field deal.stage.name: step, stand, stands, status, where
field deal.pipeline.name: pipeline, pipelines
field deal.primary_contact.full_name: primary contact, main contact, key contact, lead contact,
  primary contact person
~ field deal.primary_contact.full_name: behind, client side, customer side, their side, contact person,
  counterpart, point of contact, contact, who do we talk to,
  main person, mainly deal with, mainly speak with, mainly speak, mainly talk to, deal with mainly,
  main point of contact, speak to mainly, the main person
field deal.company.name: company, companies, account, accounts, customer, customers, client, clients
~ field deal.company.name: buyer, behind, for whom
field deal.owner.name: owner, owners, rep, reps, sales rep, salesperson, salespeople, sales people, seller,
  account manager
~ field deal.owner.name: responsible, in charge, looks after, handles,
  each person, each person on our team, every one of us, each of us, each owner, who owns them,
  one of us, of us, person on our team
field deal.lead_source: lead source, lead sources, source, sources, channel
~ field deal.lead_source: lead channel, lead channels, came from, come from, origin, found us, through, via,
  came in, hear about us
field deal.lost_reason: lost reason, reason, loss reason, lost reasons, reasons
~ field deal.lost_reason: killed, what killed, sank, broke, blew, spoiled, went wrong, what happened,
  made them drop, cause, why, lose, lost, how come, grounds, because, due to, explanation,
  causes, causes for, different causes, going against us, fall through, fell through, reason behind
field deal.deal_type: deal type, type, types
~ field deal.deal_type: kind, sort, category
field deal.priority, activity.priority: priority, priorities
field deal.currency: currency, currencies
field deal.status: status, state, statuses
field deal.next_step: next step, next steps, next action
~ field deal.next_step: next, to do next, step, planned next
field deal.expected_close_date: expected close date, close date, closing date, expected close, due date,
  expected closing date
most deal.expected_close_date: closing latest, closing last, close on the latest date, close last,
  close latest, closes last, closes latest
least deal.expected_close_date: closest to closing, closing soonest, closing first, closing next,
  close on the earliest date, close first, close next, next to close, closes first, closes next,
  closes soonest, close soonest, will close next, will close first
~ field deal.expected_close_date: expected to close, close, closes, due, decision, deadline, sign,
  target date, end date, expected, planned close, signature date, close by,
  land, supposed to land, expected to land, expect to land, due to land, should be closed, set to land,
  by what date, supposed to be closed, should be closing, be able to close, be closed
field deal.closed_at: close date, closing date, closed date, date of closing
~ field deal.closed_at: closed, won on, lost on, signed, was closed, came in, closed on
field company.industry: industry, industries, sector, sectors
~ field company.industry: line of business, trade, business, field, branch, what do they do
field company.employee_count: employees, employee, staff, headcount, workers, employee count, people on staff,
  size
most company.employee_count: biggest, largest
least company.employee_count: smallest
~ field company.employee_count: employ, employs, employing, employed, people strong, heads, head count,
  team size, workforce, personnel, big, bigger, how big, staffed, people working there,
  on the payroll, payroll, employs, number of people working, people working, people work, people strong,
  employees on the books, people employed, many people work
field company.annual_revenue: annual revenue, revenue, turnover
~ field company.annual_revenue: turn over, turning over, turns over, revenues, annual sales, yearly revenue,
  makes, earns, earning, top line, richest, yearly turnover
field company.website: website, websites, homepage, web site
~ field company.website: site, url, web address, web page, webpage, online, domain
field company.country, contact.country: country, countries
~ field company.country, contact.country: nation, land, nations
field company.city, contact.city: city, cities, town, towns
~ field company.city, contact.city: where, located, based, sits, sit, seated, headquarters, headquartered,
  place, live, lives
field company.status, contact.status, activity.status: status, statuses
field company.connection_strength, contact.connection_strength: connection, connection strength, relationship,
  connection to, relationship with
field company.phone, contact.phone: phone, phone number, phone numbers, phones, telephone, telephone number,
  number, numbers, mobile, mobile number, cell phone
~ field company.phone, contact.phone: tel, cell, ring, dial, reach, call, phone no, digits, reachable
field company.email, contact.email: email, emails, email address, email addresses, e-mail, e-mail address,
  mail address
~ field company.email, contact.email: mail, address, write to, mails
~ field company.status, contact.status: state
~ field company.state, contact.state: state, states, province, provinces, region
field contact.job_title: job title, job titles, title, titles, role, position, job
~ field contact.job_title: designation, function, post, do for a living, does, occupation, job description,
  responsible
field contact.department: department, departments
~ field contact.department: team, unit, division
field contact.owner.name: owner, owners
field contact.company.name: company, employer, customer
~ field contact.company.name: works for, work for, working for, employed by, firm, works at, belongs to
field contact.lead_source: lead source, source, sources
field contact.language: language, languages, native language
~ field contact.language: speak, speaks, tongue, mother tongue
field contact.birthday: birthday, birthdays, date of birth
most contact.birthday: youngest
least contact.birthday: eldest
~ field contact.birthday: dob, birthdate, birthdates, birth date, birth dates, birth, born, bday, turns, age,
  old, oldest, youngest, celebrate, celebrates
field contact.last_name: last name, surname, family name
field contact.first_name: first name, given name
field deal.categories, company.categories, contact.categories: category, categories
field deal.name, company.name, contact.full_name: name, names
field deal.created_at, company.created_at, contact.created_at: creation date, created date
most deal.created_at, company.created_at, contact.created_at, activity.when: newest, latest, most recent
least deal.created_at, company.created_at, contact.created_at: oldest
~ field deal.weighted_amount: weighted, weight, weighted value, weighted amount, weighted by probability,
  weighted pipeline, probability-weighted, expected value, risk-adjusted,
  weighting by probability, weight by probability, weighted total, by probability, probability into account,
  taking probability into account, weight it, after weighting, if you weight it, weighting, weighted sum
~ field deal.priority: prio, urgency, important, importance
field activity.when: date, day, time
least activity.when: oldest, earliest
~ field activity.when: when, scheduled, take place, took place, happen
field activity.duration_minutes: minutes, minutes long, duration, length
most activity.duration_minutes: longest
least activity.duration_minutes: shortest
~ field activity.duration_minutes: min, mins, long, time, hours, lasted, took, take, last, longest, shortest
field activity.type: type, kind, types, kinds
field activity.location: location, place, venue
~ field activity.location: where
field activity.direction: direction
field activity.falls_due_at: due date, deadline
~ field activity.falls_due_at: due, due by
field activity.assignee.name: assignee, owner, person, rep
~ most activity.duration_minutes: lengthiest, record for length
~ least activity.duration_minutes: briefest, quickest
~ most contact.birthday: born last, latest born
~ least contact.birthday: born first
~ least deal.expected_close_date: nearest upcoming close date, nearest close date, next one due to close,
  next one to close, next due to close, soonest to close, next in line to close
~ least activity.falls_due_at: longest overdue, waiting the longest, waiting longest, overdue the longest
`
