/** Words with a role of their own: how many, most, not, or more. */
import { words } from '../../entries.ts'
import type { Hint } from '../../types.ts'

export const WORD_HINTS: readonly Hint[] = [
  {
    words: words(
      'colleague, colleagues, coworkers, co-workers, workmates, teammates, else works, works with, alongside',
    ),
    category: 'Colleagues',
  },
  {
    words:
      words(`difference, differ, differs, gap, exceed, exceeds, more than, ahead of, by how much, how much more,
    compared, compare, versus, vs, separates, higher than, larger than, bigger than`),
    category: 'Difference',
  },
  {
    words: words('bigger, larger, more, higher, greater, worth more, older, longer, cheaper, smaller, less'),
    category: 'Larger',
  },
  {
    words: words(
      'most, highest, top, biggest, largest, greatest, best, max, maximum, leading, majority, richest, strongest, latest, newest, longest, leads, dearest, fattest, heftiest',
    ),
    category: 'Most',
  },
  {
    words: words(
      'tiniest, littlest, least, lowest, fewest, smallest, min, minimum, bottom, weakest, earliest, oldest, cheapest, shortest, soonest',
    ),
    category: 'Least',
  },
  {
    words: words(
      'how many, number, count, how often, many, quantity, amount of, headcount of, tally, size of',
    ),
    category: 'Count',
  },
  {
    words:
      words(`total, sum, add up, adds up, altogether, combined, together, in all, overall, how much, much, worth, value, money,
    tot up, sum up, summed, summed up, spent, spend, time spent, revenue, volume, euros, dollars, all in all, in total, adding up, aggregate, added up, come to, brought`),
    category: 'Sum',
  },
  {
    words: words(
      'or more, or above, or higher, or over, or larger, or bigger, and more, and up, or greater, upwards, plus, minimum',
    ),
    category: 'OrMore',
  },
  {
    words: words('or less, or fewer, or below, or lower, or under, or smaller, maximum, tops, max'),
    category: 'OrLess',
  },
  {
    words: words('or not, or otherwise, or so'),
    category: 'OrNot',
  },
  {
    words: words(
      `could you, would you, might you, could you please, i would like, we would like, would like, would be great,
      would be nice, would help, could i, could we get, i would need, marked no, box says no, says no, set to no, nothing else, none other, nobody else, no one else, no more, no matter, doesn t matter, regardless, whatever, either way, open or closed, won or lost, no matter what,
      any stage, all stages, whatever stage, any status, all statuses, whatever status, any owner, any currency, all currencies`,
    ),
    category: 'Whatever',
  },
  {
    words: words(
      'share, percentage, percentage of, what percentage, percent of, proportion, fraction, ratio, what part, how much of',
    ),
    category: 'ShareOf',
  },
  {
    words: words('average, mean, avg, on average, in average, typical, typically, averages, usual'),
    category: 'Average',
  },
  {
    words: words('per, by, each, every, broken down, split, grouped, for each, respective'),
    category: 'Per',
  },
  {
    words:
      words(`empty, missing, blank, not filled in, not filled, unknown, not recorded, left out, not entered, not known, no entry,
    isn t filled, lacking, absent, not set, not noted, undefined, unset, open`),
    category: 'Missing',
  },
  {
    words: words(`no, not, without, none, never, lack, lacks, lacking, n t, don t, isn t, aren t, haven t,
    leaving out, leave out, leaving aside, not counting, ignoring, disregarding, excl, zero, except, excluding, apart from, other than, besides, outside, neither of, non, not any, yet to,
    have yet to, has yet to, aside from, minus, but not, not a single, not one, wasn t, weren t`),
    category: 'Not',
  },
  { words: words('doesn t, hasn t, didn t, won t, can t, cannot'), category: 'NotDone' },
  { words: words('nothing, nobody, no one'), category: 'Nobody' },
]
