/** English words for records, their states, dates and fields. */
export const ENGLISH_RECORDS = `
noun deal: deal, opportunity, opp
nouns deal: deals, opportunities, opps
noun deal status=won: win
nouns deal status=won: wins
noun deal status=lost: loss
nouns deal status=lost: losses
noun deal status=open: closing
nouns deal status=open: closings, expected closings
noun company: company, account, organization, organisation, firm, business
nouns company: companies, accounts, organizations, organisations, firms, businesses
noun product: product
nouns product: products
noun contact: contact, contact person, person, my contact, my contact person, participant, attendee
nouns contact: contacts, contact persons, people, persons, folks, participants, attendees
noun contact do_not_contact=true: do not contact list
noun activity: activity, item, thing
nouns activity: activities, items, things, stuff
noun activity type=call: call, phone call
nouns activity type=call: calls, phone calls
noun activity type=meeting: meeting, appointment, visit
nouns activity type=meeting: meetings, appointments, visits
noun activity type=task: task, to-do, todo
nouns activity type=task: tasks, to-dos, todos
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
state product billing_period=monthly: monthly, billed monthly, are billed monthly, paid monthly
state product billing_period=quarterly: quarterly, billed quarterly, are billed quarterly, paid quarterly
state product billing_period=yearly: yearly, billed yearly, are billed yearly, paid yearly
state deal status=open: open, still open, in the pipeline, in play, unclosed, ongoing, active, live,
  not closed, we could still win, could we still win, can we still win, we can still win, on the table
state deal status=won @closed_at: won, closed won
verb deal status=won @closed_at: win, won, ever won, close, closed, sell, sold, sign, signed
state deal status=lost @closed_at: lost, closed lost
verb deal status=lost @closed_at: lose, lost, losing
state deal status=open expected_close_date<$today: slipped, overdue, late, have slipped, past due,
  past their close date, past their expected close date, have slipped past their close date,
  have slipped past their expected close date, past its close date, whose close date has passed,
  that should have closed already, that should have closed, have passed their close date,
  has passed its close date, whose expected close date has passed, whose close date is past,
  whose close date is in the past, should have closed, close date has passed, with a close date in the past,
  past their closing date
state deal owner_id=null, contact owner_id=null: nobody owns, without an owner, unassigned, unowned,
  does nobody own, that nobody owns, no one owns, nobody assigned, with nobody assigned
state contact do_not_contact=true: do not contact, we must not contact, must we not contact,
  marked as do not contact, flagged do not contact, flagged as do not contact, marked do not contact,
  are we not allowed to contact, we are not allowed to contact, don t want to be contacted,
  who don t want to be contacted, doesn t want to be contacted, does not want to be contacted,
  do not want to be contacted, must not be contacted, can we not contact, we should not contact
state contact email_opt_out=true: opted out, opted out of emails, opted out of email, unsubscribed,
  opted out of mails, can t we email, we can t email, may we not email, we may not email, have opted out,
  has opted out, opted out of our emails, has opted out of emails, have opted out of emails, can we not email,
  we must not email, must we not email
state activity status=planned|in_progress @planned_at: still open, open, not done yet, not done, outstanding,
  pending, to do, unfinished, planned, scheduled, still to do, left to do, to be done, to be made,
  still to be made, still to be held, still to come, to be held
state activity status=planned|in_progress planned_at>=$today @planned_at: coming up, upcoming, ahead,
  lined up
state activity status=completed @happened_at: completed, done, finished, logged as completed,
  marked as completed, marked completed, marked as done, marked done, carried out
verb activity status=completed @happened_at: make, made, log, logged, hold, held, do, did, done, complete,
  completed, had
state activity priority=urgent: urgent
state activity status=in_progress: in progress, under way
state activity direction=inbound: inbound, incoming
state activity direction=outbound: outbound, outgoing
state note is_pinned=true: pinned
state deal status=won|lost @closed_at: closed
state activity status=cancelled: cancelled, canceled, called off
state activity is_overdue=true: overdue, late, past due, missed, overdue today, overdue now, late today,
  overdue as of today
state deal priority=high, activity priority=high: high priority, high-priority
state deal priority=medium, activity priority=medium: medium priority, medium-priority
state deal priority=low, activity priority=low: low priority, low-priority
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
field product.billing_period: billing period, billing periods
field product.sku: sku, skus
field deal.amount: amount, amounts, value, values, worth, size, sizes, price, volume, deal amount, deal value,
  deal size
most deal.amount: biggest, largest, highest, most valuable, most expensive, priciest, dearest
least deal.amount: smallest, lowest, cheapest
field deal.probability: probability, likelihood, chance, win probability, chance of winning
most deal.probability: most likely to close, most likely, likeliest, most probable, most promising,
  most likely to be won
least deal.probability: least likely to close, least likely, least probable, least likely to be won
field deal.stage.name: stage, stages, phase, phases
field deal.pipeline.name: pipeline, pipelines
field deal.primary_contact.full_name: primary contact, main contact, key contact, lead contact,
  primary contact person
field deal.company.name: company, companies, account, accounts, customer, customers, client, clients
field deal.owner.name: owner, owners, rep, reps, sales rep, salesperson, salespeople, sales people, seller,
  account manager
field deal.lead_source: lead source, lead sources, source, sources, channel
field deal.lost_reason: lost reason, reason, loss reason, lost reasons, reasons
field deal.deal_type: deal type, type, types
field deal.priority, activity.priority: priority, priorities
field deal.currency: currency, currencies
field deal.status: status, state, statuses
field deal.next_step: next step, next steps, next action
field deal.expected_close_date: expected close date, close date, closing date, expected close, due date,
  expected closing date
most deal.expected_close_date: closing latest, closing last, close on the latest date, close last,
  close latest, closes last, closes latest
least deal.expected_close_date: closest to closing, closing soonest, closing first, closing next,
  close on the earliest date, close first, close next, next to close, closes first, closes next,
  closes soonest, close soonest, will close next, will close first
field deal.closed_at: close date, closing date, closed date, date of closing
field company.industry: industry, industries, sector, sectors
field company.employee_count: employees, employee, staff, headcount, workers, employee count, people on staff,
  size
most company.employee_count: biggest, largest
least company.employee_count: smallest
field company.annual_revenue: annual revenue, revenue, turnover
field company.website: website, websites, homepage, web site
field company.country, contact.country: country, countries
field company.city, contact.city: city, cities, town, towns
field company.status, contact.status, activity.status: status, statuses
field company.connection_strength, contact.connection_strength: connection, connection strength, relationship,
  connection to, relationship with
field company.phone, contact.phone: phone, phone number, phone numbers, phones, telephone, telephone number,
  number, numbers, mobile, mobile number, cell phone
field company.email, contact.email: email, emails, email address, email addresses, e-mail, e-mail address,
  mail address
field contact.job_title: job title, job titles, title, titles, role, position, job
field contact.department: department, departments
field contact.owner.name: owner, owners
field contact.company.name: company, employer, customer
field contact.lead_source: lead source, source, sources
field contact.language: language, languages, native language
field contact.birthday: birthday, birthdays, date of birth
most contact.birthday: youngest
least contact.birthday: eldest
field contact.last_name: last name, surname, family name
field contact.first_name: first name, given name
field deal.categories, company.categories, contact.categories: category, categories
field deal.name, company.name, contact.full_name: name, names
field deal.created_at, company.created_at, contact.created_at: creation date, created date
most deal.created_at, company.created_at, contact.created_at, activity.when: newest, latest, most recent
least deal.created_at, company.created_at, contact.created_at: oldest
field activity.when: date, day, time
least activity.when: oldest, earliest
field activity.duration_minutes: minutes, minutes long, duration, length
most activity.duration_minutes: longest
least activity.duration_minutes: shortest
field activity.type: type, kind, types, kinds
field activity.location: location, place, venue
field activity.direction: direction
field activity.falls_due_at: due date, deadline
field activity.assignee.name: assignee, owner, person, rep
`
