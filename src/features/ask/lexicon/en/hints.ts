/** English words that are only hints for composing a reading: too loose for the rules. */
export const ENGLISH_HINTS = `
~ Count: number, how often, many, quantity, amount of, headcount of, tally, size of
~ Nobody: nothing,
  none of us, not anybody,
  nobody on file
~ NotDone: doesn t, won t, can t, cannot
~ Not: never logged, not logged, haven t logged, hasn t logged, no, without, none, never, lack, lacks, lacking, n t, leaving out, leave out, leaving aside,
  not counting, ignoring, disregarding, excl, zero, except, apart from, besides, neither of, not any, yet to,
  have yet to, has yet to, aside from, minus, but not, not a single, not one,
  leaving, skip, skipping, other than, not including, anything but, anywhere but, anyone but, everyone but,
  everybody but, any country but, everything but, everything except, everyone except, in another country than,
  in any other country than, in other countries than, another country than, other countries than,
  any other country than, abroad rather than in, rather than, hasn t got, haven t got, hasn t yet,
  not yet, not become, has not got, still have to become, still has to become, still to become,
  elsewhere than, elsewhere than in, anywhere other than, somewhere other than
~ Both: alike
~ All: without exception, each and every, all of them, each one, every one, at every one
~ Missing: not filled, left out, no entry, isn t filled, lacking, absent, not noted, undefined, unset, open,
  not been filled in, never noted, never entered, never recorded, still need to fill in, need to fill in,
  not filled out, not been entered, not been recorded, no value, no entry about,
  do we not know whether, do we not know if, don t we know whether, don t we know if, we don t know whether,
  we don t know if, not know whether, not know if, don t we know, do we not know, don t we have, still need,
  do we still need, did we forget, forgot, hasn t been filled in, hasn t been entered, hasn t been recorded,
  haven t been filled in, haven t been entered, isn t filled in, do we still need to ask for, never been noted,
  were never noted, was never noted, never ticked or unticked, neither ticked nor unticked, not ticked or unticked,
  never answered, unanswered, not answered, without any entry about, without any entry for, without an entry about,
  without an entry for,
  left blank, left empty, forgotten, never filled in, is blank, no entry at all
~ Sum: adds up, totals, altogether, together, in all, how much, much, worth, value, money, tot up, summed, spent,
  spend, time spent, revenue, volume, euros, dollars, all in all, in total, adding up, aggregate, come to,
  brought,
  if you add up, add together, add all, adding together, what is the figure, come to in all
~ Sum: if you add, if you add together, if you add all, if i add up, if we add up, if i sum up, if i total, if we total, what do i get, what do we get,
  what does that make, what does it make, how many euros, how many dollars, how many pounds, how many francs,
  how many kroner, how many rupees, how many yen, how many rand, cash, summing up, all told
~ All: over all, over all of, over every, over all our
~ Supposed: if all, if all the, if all our, if all of, if every, if every single, if every one of, if each,
  if everything, if everything now, should all, should every, should everything, supposing all, supposing every,
  supposing everything, assuming all, assuming every, assuming everything, suppose all, suppose every
~ SupposedWon: if we win all, if we win every, if we win everything, if we won all, if we won every,
  if we won everything, if we get all, if we get every, if we close all, if we close every, if we land all,
  if we land every, if we landed all, if we landed every, if we closed all, if we closed every
~ ComesIn: come in, comes in, came in, come through, comes through, came through, come off, comes off, came off,
  go through, goes through, went through, hit, hits, land, lands, landed, close, closes, closed, succeed,
  succeeds, succeeded, work out, works out, worked out, is won, are won, was won, were won, gets won, get won,
  pan out, pans out, panned out, goes our way, go our way, went our way, gets signed, get signed, signs, is signed
~ Would: would, could, would we, could we, would we have to, could we land, could we earn, would that be,
  would that make, would it be, would that come to, would it come to, would come in, could come in
~ Passed: expired, has expired, have expired, ran out, has run out, have run out, lapsed, has lapsed, no longer valid,
  not valid, not valid any more, out of date, is over, are over, has ended, have ended, overdue, past, passed,
  has passed, have passed, in the past, behind us, is behind us, has gone by
~ Ahead: valid, still valid, in force, still in force, not expired, hasn t expired, haven t expired, not run out,
  hasn t run out, haven t run out, not yet expired, in the future, still in the future, lies in the future, ahead,
  still ahead, ahead of us, still ahead of us, still to come, yet to come, haven t happened yet,
  hasn t happened yet, not happened yet, not yet happened, lies ahead, lie ahead, not over, not over yet
~ Ends: runs out, run out, running out, expires, expire, expiring, ends, end, ending, lapses, lapse, is up,
  comes to an end, come to an end
~ Next: runs out first, runs out next, runs out soonest, run out first, run out next, run out soonest,
  expires first, expires next, expires soonest, expire first, expire next, ends first, ends next, ends soonest,
  starts first, starts next, starts soonest, begins first, begins next, is due first, is due next, is due soonest,
  comes up first, comes up next, next to expire, next to run out, next to end, next to start, first to expire,
  first to run out, first to end, first to start
~ Filled: filled in, filled out, planned, scheduled, agreed
~ AYear: a year, per year, yearly, annually, every year, each year
~ WrittenNo: written no, explicitly no, explicit no, an explicit no, expressly no, marked no, ticked no,
  says no, set to no, is no, answered no, clearly no, definite no, a definite no, unticked, marked as no
~ Average: in average, typically, averages, usual
~ Per: broken down, split, grouped, respective,
  stage by stage, month by month, in each, each person, every one of us, each of us, distributed over, distributed,
  for every one of us, split up by,
  for every, what does every, has each, does each
~ OrMore: at least, or higher, or larger, or bigger, and more, or greater, upwards, plus, minimum,
  or better, or longer, or heavier, and higher, and better
~ OrLess: at most, or lower, or smaller, maximum, tops, max
~ Larger: employs more people, employ more people, employs more, employ more, has more people, have more people,
  more, higher, greater, older, longer, heavier, pricier, dearer, outweighs, costs more
~ Smaller: less, fewer, lower, smaller, cheaper, shorter, lighter, less than, smaller than, lower than,
  cheaper than, worth less
~ Most: top, greatest, best, max, maximum, leading, majority, richest, strongest, latest, newest, longest,
  leads, dearest, fattest, heftiest,
  tallest, number one, priciest, hardest, heaviest, lengthiest, deepest, widest, on top, out on top, most of all,
  biggest share of, largest share of, biggest share, largest share, largest part of, largest part, biggest part of
~ Least: tiniest, littlest, smallest, min, minimum, bottom, weakest, earliest, oldest, cheapest, shortest,
  soonest,
  briefest, worst, poorest, slimmest, lightest, quickest, nearest
~ Difference: difference, minus, differ, differs, gap, exceed, exceeds, more than, ahead of, by how much,
  how much more, compared, compare, versus, vs, separates, higher than, larger than, bigger than,
  apart, how far apart, differ by, gap between, the gap, top, tops, larger value, bigger value, higher value,
  heavier than, how much bigger, how much larger, how much higher,
  between, what is between
~ ShareOf: share, percentage, what percentage, proportion, fraction, ratio, what part
~ Self: herself, himself, themselves, themself, her, him, them, the person, that person
~ Colleagues: works where, work where, working where, same company as, same firm as, same employer as,
  same place as, works together with, work together with, working together with, together with, work with,
  working with, shares an employer with, colleague, colleagues, coworkers, co-workers, workmates, teammates, else works, works with,
  alongside,
  who else, who else is at, else is at, other contacts, other people, which other people, which other contacts,
  besides, who else besides, else do we know at, who else do we know at, are there others at
~ NoOther: nothing else, none other, nobody else, no one else, no other, no others, nothing more, nothing further,
  not any other, no further, alone, exclusively, and only that, none besides
~ Only: sole, solely, purely, merely, strictly, nothing other than, nothing except, nothing besides, nothing apart from, none but, no other than
~ OrNot: or not, or otherwise, or so
~ Aside: aside, excluded, left out, not included, being excluded, = no, set to no, box set to no, box says no,
  says no, marked no, is no
~ WinRate: rate at which we win, rate at which we win deals, winning percentage, win ratio
~ Regardless: regardless, regardless of, whatever, whichever, no matter, no matter what, irrespective of,
  irrespective, independent of, independently of, never mind, no matter if, no matter whether, regardless if,
  irrespective of whether
~ Together: in total, all told, together, all together, taken together, put together, combined, altogether, added together,
  lumped together, added up, taken as one
~ Whatever: correct, is that correct, is that true, is that so, counting every outcome, counting all outcomes, any outcome, all outcomes, of every outcome,
  with every outcome, whatever the outcome, whatever came of them,
  whatever became of them, whatever happened to them, whatever came of it, however they ended, however it ended,
  however they went, whatever their fate, whatever state they are in, dead or alive, came of them, became of them,
  could you, would you, might you, could you please, i would like, we would like, would like,
  would be great, would be nice, would help, could i, could we get, i would need, no more, doesn t matter,
  either way, open or closed, any stage, all stages,
  whatever stage, any status, all statuses, whatever status, any owner, any currency, all currencies,
  pull up, i need to see, need to see, i need, i mean, do i mean, at the latest, in money terms, moneywise,
  no matter how the deal ended, for sure, would i be right that, am i right that, as far as we know, at present,
  at the same time, what have we got, have we got, in the books, up to now, until now, for the moment,
  = yes, set to yes, box set to yes, says yes, marked yes, denominated in, denominated, somewhere from,
  how high, how high is, how high are, how high is ours, how high is it, according to the planned calls,
  according to the planned meetings, according to our calendar, according to the calendar, according to our plan,
  according to the plan, according to our records, the tag, i mean the tag, what is it called, what are they called, what is its name, what are their names, and yet, take place, in place,
  atm, on our books, on the books, over there, over in, names only, name only, country only, just the name, which one would that be, which would that be,
  linked, linked to them, linked to it, linked with them, attached to them, attached to it,
  who would that be, which one would it be, would be which one, would be which, would be who, would rather,
  if you take, if we take, if you count, if we count, in that month,
  in that week, in that quarter, in that year, in that period
`
