/**
 * English words with a role of their own in the rules, and lists of words; `read.ts` tells how
 * an entry is written. Words that change what is asked (or, all, could, if) are never filler: they have a role in a rule
 * or no entry, and then the question is not read. Words are folded: lower case, apostrophes are spaces and a final 's is
 * gone ("don t", "what" for "what's").
 */
export const ENGLISH = `
Article: the, a, an, our, their, its, those, these, any, some, his, her, a single, even a single, even one
Ask: which, what, list, show, show me, give me, gimme, find, find me, what are, which are, which of, list of,
  get, get me, name, break down, break, split, what is, what about, display, rank, rank the
AskWho: who, whom, who are
AskField: what, which
WhatIs: what is, what, what are, what was, how is
What: what, anything, everything, what else, something
Who: who, whom
WhoIs: who is, who
Everything: everything, all that is, anything, all we have
Everyone: everyone, everybody, anyone, anybody, all people, somebody, someone
WhoWorks: who works, who do we know, who is, who do i know
PeopleAt: who works at, who work at, who works for, who do we know at, whom do we know at, who do we know in,
  who do we know from, who is at, do we know at, who do i know at, which people do we know at
WhoOfUs: who, who of us, which of us, which rep, which reps, which sales rep, which owner, which salesperson,
  which seller, which colleague, which person
EachOfUs: each of us, everyone, everybody, each person, each owner, each rep, every owner, every rep,
  each seller
Person: person, head, rep, colleague
Exists: are there, is there, do we have, have we got, have we, has anyone, do we know, we know, i know,
  we have, there are, do i know, exist, we work with, we do business with, we deal with, do we work with,
  do we do business with, do we deal with, are we working with, do we serve, we serve, are in the system,
  are in our system, are in our address book, are in the address book, are in the crm, are in our crm,
  are in our database
HowManyOf: how many, how many different, how many distinct, in how many, in how many different,
  the number of different, the number of distinct, number of different, from how many,
  from how many different, across how many
Count: how many, how many of, number of, the number of, count, count of, what is the number of,
  what number of
HowMuch: how much, how much of
HowMuchIsIt: how much, how much is it, how much was it, what amount
HowBig: how big, how large
HowLikely: how likely
Why: why, what for, for what reason, for which reason
ThereAre: are there, is there, there are, there is, exist
ForMe: for me
WhichOnes: which ones, which ones are they, which are they, which, and which ones, if so which ones,
  if so which, which one, which one is it, and which one, who, who are they, who is it, name them, list them,
  what are they, name it, give me their names, give me the names, give me the company names,
  give me the names of the companies, and which
Any: any, are there any, is there any, do we have any
DoAny: do any, are any, is any, does any, are any of, have any, do any of, does any of, is any of,
  have any of
WhenIs: when is, when do we expect, when should, when does, when will, when are, when was, when were,
  when did, when, when do we expect to, when are we expecting
OfWhen: when is, when was, what is, what was, when, what, which is, which was
HowOften: how often, how many times
HowLong: how long
WhereIs: where is, where are, where does, where do, where was, where did, where will, where were
Where: where
When: when, when do, when does, when will
WhoseAre: whose are, who owns
HowDoes: how does, how do
Nobody: nobody, no one, none of us, no-one
Never: never, not, never ever, not once
NotDone: haven t, hasn t, hadn t, didn t, have not, has not, had not, did not, weren t, wasn t, were not,
  was not, aren t, isn t
LackVerb: have no, has no, had no, lack, don t have, do not have, doesn t have, does not have, have not got,
  are missing, is missing, don t have any, doesn t have any, have never had, has never had, have had no,
  has had no, lacks
Lack: where nobody has filled in, nobody has filled in, where nobody has entered, nobody has entered,
  has nobody entered, has nobody filled in, nobody has recorded, we don t know, we do not know,
  do we not know, don t we know, do we not yet know, have we not recorded, we have not recorded,
  we haven t recorded, without, with no, have no, has no, lack, lacking, missing, don t have, do not have,
  doesn t have, does not have, with neither, having no, have not got, had no, without any, are missing,
  not have, no, are not linked to any, not linked to any, not linked to a, never linked to any,
  not assigned to any, are not assigned to any, not assigned to a, don t belong to any, do not belong to any,
  doesn t belong to any, not belonging to any, are not part of any, aren t linked to any,
  aren t assigned to any, are not attached to any, not attached to any, we have never had, we never had,
  have never had, has never had, never had, have never had any, has never had any, never had any, have had no,
  has had no, still missing, still lack, do we not have, don t we have, do we have no, we don t have,
  we do not have, we have no, do we lack, are we missing, there is no, there are no, where there is no,
  where there are no
Nothing: with nothing, have nothing, has nothing, that have nothing, without anything, nothing
Anything: anything, something, any deals, any deal, a deal
Not: not, aren t, isn t, weren t, wasn t, excluding, outside, outside of, based outside, located outside,
  based outside of, sits outside, sit outside, lies outside, lie outside, not based in, not located in,
  from outside, from outside of, other than, non, haven t, have not, haven t been, have not been, don t,
  do not
Except: except, except for, excluding, other than, apart from, but not, besides, bar, aside from
Or: or
Nor: nor
And: and, and also, as well as, plus, and are, and that are, and who are
But: but, yet, but also, though
Either: either
Neither: neither
Both: both
Only: only, just, nothing but, exclusively, only ever
All: all, every, each, all of, each of, every single, every one of, all the, all our
AllOfWhose: all of whose, all whose
OneByOne: each, apiece
DoAll: do all of, did all, did all of, have all of, has every, was every, were all of, do all, are all,
  is every, have all, does every, is each, are all of, were all, does each
Will: will, is going to, are going to, is supposed to, are supposed to, should
Missing: missing, empty, blank, unknown, not known, not filled in, not set, not entered, not recorded,
  still missing, not specified, not given
Recorded: entered, recorded, filled in, set, given, specified, stored, noted, listed, maintained, on record
OneOf: one, another, any, another one, a single one, one of them
CouldBringIn: could we bring in, could come in, would we bring in, could we make, could we earn
IfAllClose: if every deal closes, if all deals close, if every deal due then closes, if everything closes,
  if all of them close, if we win them all
Including: including, including the, also the
Sum: total, sum, combined, overall, sum up, summed up, add up, added up, the total, the sum, the combined,
  total number of
Average: average, mean, avg, typical, on average
Median: median
InTotal: in total, altogether, combined, overall, in sum, in all, all together, together
Per: per, by, of each, for each, in each, at each, from each, with each, for every one of, for every,
  in every, grouped by, broken down by, split by, each, every, broken down per, down by, down per, by each
More: more than, over, beyond, above, greater than, bigger than, larger than, longer than, exceeding, >,
  exceeds, exceed, higher than, taller than, heavier than, in excess of, upwards of, north of, bigger as, larger as,
  higher as, more as
AtLeast: at least, no less than, no fewer than, a minimum of, >=,
  not less than, not fewer than
Less: less than, fewer than, under, below, smaller than, shorter than, lower than, south of, smaller as, less as,
  sub, <
AtMost: at most, no more than, up to, a maximum of, <=,
  not more than, no longer than
Exactly: exactly, precisely, =
OrMore: or more, or above, or over, and above, and up, +
OrLess: or less, or fewer, or under, or below
Between: between, from
To: to
MostMany: the most, most, the largest number of, the highest number of, the greatest number of,
  the biggest number of
LeastMany: the fewest, fewest, the least, least, the smallest number of, the lowest number of,
  the fewest number of
MostOf: most, most of
MostOften: most often, the most often, most frequently, most, the most
Larger: bigger, larger, worth more
Second: second, second-, 2nd
Third: third, 3rd
Fourth: fourth, 4th
Fifth: fifth, 5th
Top: top, the top
Bottom: bottom, the bottom
First: first, the first, our first, our very first, the very first
Sort: sort, order, rank, rank the, sort the
Alphabetically: alphabetically, in alphabetical order, from a to z
Most: the highest, highest, the most, most, the biggest, biggest, the largest, largest, the largest number of,
  the highest number of, the greatest number of, the biggest number of
Least: the lowest, lowest, the fewest, fewest, the least, least, the smallest, the smallest number of,
  the lowest number of
SortedBy: sorted by, ordered by, sort by, order by, in order of, ranked by
Worth: worth, valued at, priced at, add up to, worth altogether, worth in total, come to, amount to
TheyWorth: what are they worth, what were they worth, what do they add up to, how much are they worth,
  how much were they worth, what is their total value, their total value, what do they come to,
  what is it worth, what are they worth altogether, their total
Pipeline: pipeline, funnel, pipe, sales pipeline, potential
Weighted: weighted, the weighted
MoneyNoun: money, revenue, business, sales, volume
WinRate: win rate, hit rate, close rate, success rate, winning rate
Hours: hours, hour, hours long, h
InValue: by value, in value, by amount, in terms of value, in terms of amount, measured by value, in money,
  in euros, by deal value, by total value, in terms of money
Longest: the longest, longest, for the longest time, for the longest
Recently: most recently, last, most recent
MostCommon: most common, most frequent, the most common, the most frequent, main, the main, typical
ReasonsForLosing: reasons for losing, reasons for lost, reason for losing, reasons we lose, reasons we lost
Forecast: forecast, the forecast, our forecast, sales forecast, projected revenue, forecast revenue,
  expected revenue, projected sales, weighted forecast
Sales: sales, our sales, total sales, bookings, our revenue, our total revenue
Brings: brings in, brings, brought us, brought in, brings us, brought, bring, bring in, generates, generated,
  makes, made, has brought in, has brought us, has brought, has generated, have brought in, have brought us,
  produced, gave us, has given us, yielded, contributed, accounts for, spent, has spent, have spent, did,
  delivered, earned us, earned
Contains: holds, contains, carries, hold
Best: the best, best, the highest, highest
Worst: the worst, worst, the lowest, lowest
Versus: vs, versus, compared to, compared with, against
Compare: compare, compare the, comparison of
Difference: difference between, the difference between, what is the difference between
CompareTo: compare to, compare with, do against
ShareOf: what percentage of, percentage of, what percent of, percent of, % of, what share of, share of,
  what is the share of, what proportion of, which share of, what % of, what fraction of, how much of
MyShare: share of, percentage of
MoreOf: more
Than: than
LargerThan: larger than, bigger than, higher than, greater than, more than
Staff: people, persons
Employ: employ, employs, employing
WorkAt: work at, work for, works at, working at
Of: of, for, of the, of our, for the, for our, across, across the, across our
Be: is, are, was, were, be, been, have been, has been, am
Are: are, were
That: that, which, who, whom
Do: do, does, did, has, have, had, is, are, am
We: we, us, we ve, anyone, anybody, somebody, someone, the team, our team
Own: own, owns, have, has, got, look after, looks after, looking after, handle, handles, manage, manages, run,
  runs, responsible for, work on, works on, working on
WhoOwns: who owns, who own, who is responsible for, who looks after, who is looking after, who handles,
  who manages, who runs, who is handling, who is in charge of, who is the owner of, who is assigned to,
  who is working on, owner of, the owner of
Holds: have, has, had, got, ship, ships, take, takes, took, use, uses, used, need, needs, needed, buy, buys,
  run, runs, order, orders, produce, produces, make, makes, operate, operates, shipping, get, require,
  requires, required, involve, involves, involved
Have: with, have, has, had, having, got, has got, have got, have had, has had
HaveVerb: have, has, had, have got, has got, got, have had, has had
Preposition: in, at, from, for, of, by, to, on, with, based in, located in, belonging to, working at, work at,
  works at, work for, works for, tagged, tagged as, marked as, marked, stage, industry, in stage, came from,
  come from, comes from, came by, thanks to, because of, due to, to a, belong to, belongs to, sit in, in the,
  at the, from the, on the, through a, belong to the category, belongs to the category,
  fall into the category, have the status, with the status, with status, live in, lives in, living in,
  reside in, headquartered in, headquartered at, in category, in the category, with the category, labelled,
  labeled, labelled as, who live in, within, inside, work as, works as, working as, linked to, attached to,
  related to, associated with, connected to, come out of, currently in, with the title, with the job title,
  have the tag, carry the tag, carry, with the tag, work in, works in, who came to us through a,
  came to us through a, came through a, via, via a, over at, through, among, about, sitting in, is sitting in,
  stuck in, being, priced in, quoted in, concern, concerning, concerns
TimePreposition: in, on, for, at, by, from, of, within, during, over, as of
OwnedBy: owned by, assigned to, looked after by, managed by, handled by, run by, belonging to, of, for
Suffix: service tier, stage, industry, sector, industries, sectors, stages, category, label, segment, phase,
  plan, tier, status, tag, ones, department, region, care plan
LostTo: to, to a, to an, to the, to our, on, over, because of, due to, for, owing to, because of the
AnyoneAt: anyone at, somebody at, someone at, anybody at, anyone from, people at
Pronoun: those, ones, the ones, these, any
WhoseIs: whose
Whose: whose, where the, where
Linked: linked to them, linked to it, linked, attached, attached to them, attached to it, on them, on it,
  for them, for it, with them, with it, associated with them, recorded for them, recorded, on record, at all,
  against them, to their name
Called: called, named, whose name is, with the name, by the name of, that is called, who is called,
  whose last name is, whose first name is, with the last name, with the first name, whose surname is
Did: did
Born: born, was born, were born
LastContact: when did we last talk to, when did we last speak to, when did we last speak with,
  when did we last talk with, when was our last contact with, what was our last contact with,
  when did somebody last talk to, when did anyone last talk to, when did we last contact, last touch with,
  last contact with, when did i last talk to, when did i last speak to
LastMet: when did we last meet, when did we last meet with, when did we last visit, when did we last see
WhoLast: who did i last talk to at, who did we last talk to at, who did i last speak to at,
  who did we last speak to at, who was the last person we spoke to at, who did we last speak with at,
  who was our last contact at
Next: next, our next, the next, next planned, next scheduled, upcoming, the upcoming
Last: last, our last, the last, latest, most recent, the latest, the most recent, our latest
With: with, at, for, about, on
MayEmail: can i email, can we email, may i email, may we email, am i allowed to email,
  are we allowed to email
MayContact: can i contact, can we contact, may i contact, may we contact, can i call, can we call,
  may we call, are we allowed to contact, are we allowed to call
Attend: attended, attends, attend, attending, is attending, took part in, sat in on, takes part in,
  taken part in, take part in, was at, were at, joined, came to, came on, come to, came along to,
  participated in, participate in, be at, be attending, been at, been in, been to, involved in,
  been involved in, invited to, is invited to, was invited to, part of, been part of, present at
Lasts: last, lasts, lasted, take, took, go on, run
Cause: because, since, as
CauseWord: the, a, an, they, it, he, she, was, were, is, are, had, has, have, been, too, so, very, customer,
  client, company, of, their, our, us, we, them, on, for, to, high, low, long
Speak: speak, speaks
Located: located, based, live, lives, sit, sits, take place, happening, be held, held, be, happen
WorksFor: work for, work at, works for, works at, belong to, work with
Work: work
Meeting: meeting, seeing, visiting, meeting with
Ring: ring, ring up, rang
See: see, saw
HaveTo: have to, need to, has to, supposed to, meant to, going to
Must: must, should, shall, will
Calling: calling, phoning, ringing, talking to, speaking to, speaking with
ContactWith: contact, any contact, contact from us, touch
LastTalked: last talk to, last speak to, last speak with, last talk with, last meet, last call, last contact
NextTime: next, next time
LateWith: late with, behind with, behind on, late on
Bought: bought, buy, ever bought, bought from us, ever bought from us, purchased, purchase, signed, ordered,
  order
Entered: entered, moved to, moved into, reached, that entered, came into, went into
They: they, those, these, them
filler: please, currently, right now, at the moment, now, so far, in total, altogether, all together, in all,
  already, yet, still, with us, for us, from us, actually, really, roughly, at this point, these days,
  as of now, as of today, together, to date, in the system, in our system, in the crm, in our crm,
  in our database, on file, whole team, the whole team, in our address book, in the address book, on record,
  over, whole, entire, thanks, thank you, hi, hello, hey, ok, okay, so, quick question, could you, can you,
  could you please, can you please, could you tell me, can you tell me, could you show me, can you show me,
  can you list, tell me, i need to know, i want to know, i d like to know, i would like to know, do you know,
  let me know, i want to see, i d like to see, i need, ever, on file, if any, would you, i wonder, whatsoever,
  in our contact list, in the contact list, in our contacts, among our contacts, in our books, and only those
unread: about to, in danger of, supposed to have, should have been
operators: or, nor, neither, no, not, non, none, never, without, nobody, nothing, except, excluding, excluded,
  exclude, apart, aside, besides, outside, other, others, minus, unlike, ignoring, unless, instead, all,
  every, everyone, everybody, everything, each, both, either, only, else, if, could, would, might, t,
  regardless, irrespective, including, elsewhere, alike, <, >
mine: my, mine, owned by me, that i own, i own, assigned to me, of mine
me: me, i
correct: contract, contracts, costumer, costumers, counter, counters, county, monthly, complete, completes
pronoun any: it, its, they, them, their, theirs, those, these, this, that, he, him, his, she, her, hers,
  there, ones, this one, that one
pronoun deal: the deal, this deal, that deal, those deals, these deals
pronoun company: the company, this company, that company, those companies, these companies
pronoun contact: the contact, this contact, that contact, this person, that person, these people,
  those people
pronoun activity: the meeting, this meeting, the call, this call, the task, this task
pronoun note: the note, this note
pronoun product: the product, this product
title ceo: chief executive, chief executive officer, managing director
title cfo: chief financial officer, chief finance officer, finance director, financial director
title cto: chief technology officer, chief technical officer, technical director
title coo: chief operating officer, chief operations officer, operations director
title cmo: chief marketing officer, marketing director
title cio: chief information officer, it director
reason: competit, rival
reason: pric, expens, cost, cheap
reason: budget, fund
misspelt: employes = employees, curent = current, currrent = current, previuos = previous, comming = coming, fortnigth = fortnight,
  calender = calendar, chrismas = christmas, sept = september, ppl = people, mtg = meeting, mtgs = meetings, qtr = quarter, wk = week, wks = weeks, mth = month,
  mths = months, yr = year, yrs = years, tmrw = tomorrow, tmr = tomorrow, tomorow = tomorrow,
  tommorow = tomorrow, tommorrow = tomorrow, yday = yesterday, wich = which, whcih = which, hwo = how,
  evry = every, hte = the, teh = the, deels = deals, deel = deal, companys = companies, overdew = overdue,
  avg = average, incl = including
numbers: zero = 0, one = 1, two = 2, three = 3, four = 4, five = 5, six = 6, seven = 7, eight = 8, nine = 9,
  ten = 10, eleven = 11, twelve = 12, fifteen = 15, twenty = 20, thirty = 30, forty = 40, fifty = 50,
  sixty = 60, seventy = 70, fifty-fifty = 50, dozen = 12, thirteen = 13, fourteen = 14, sixteen = 16, eighty = 80, ninety = 90
`
