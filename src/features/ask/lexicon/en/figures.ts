/** Words of figures: sums, comparisons, orders, shares. */
import { words } from '../entries.ts'

export const FIGURE_WORDS: Readonly<Record<string, readonly string[]>> = {
  Sum: words(
    'total, sum, combined, overall, sum up, summed up, add up, added up, the total, the sum, the combined, total number of',
  ),
  Average: words('average, mean, avg, typical, on average'),
  Median: words('median'),
  InTotal: words('in total, altogether, combined, overall, in sum, in all, all together, together'),
  Per: words(`per, by, of each, for each, in each, at each, from each, with each, for every one of, for every, in every, grouped by, broken down by, split by, each, every,
    broken down per, down by, down per, by each`),
  More: words('more than, over, above, greater than, bigger than, larger than, longer than, exceeding, >'),
  AtLeast: words('at least, no less than, no fewer than, a minimum of, >='),
  Less: words('less than, fewer than, under, below, smaller than, shorter than, sub, <'),
  AtMost: words('at most, no more than, up to, a maximum of, <='),
  Exactly: words('exactly, precisely, ='),
  OrMore: words('or more, or above, or over, and above, and up, +'),
  OrLess: words('or less, or fewer, or under, or below'),
  Between: words('between, from'),
  To: words('to'),
  MostMany: words(
    'the most, most, the largest number of, the highest number of, the greatest number of, the biggest number of',
  ),
  LeastMany: words(
    'the fewest, fewest, the least, least, the smallest number of, the lowest number of, the fewest number of',
  ),
  MostOf: words('most, most of'),
  MostOften: words('most often, the most often, most frequently, most, the most'),
  Larger: words('bigger, larger, worth more'),
  Second: words('second, second-, 2nd'),
  Third: words('third, 3rd'),
  Fourth: words('fourth, 4th'),
  Fifth: words('fifth, 5th'),
  Top: words('top, the top'),
  Bottom: words('bottom, the bottom'),
  First: words('first, the first, our first, our very first, the very first'),
  Sort: words('sort, order, rank, rank the, sort the'),
  Alphabetically: words('alphabetically, in alphabetical order, from a to z'),
  Most: words(
    `the highest, highest, the most, most, the biggest, biggest, the largest, largest, the largest number of,
    the highest number of, the greatest number of, the biggest number of`,
  ),
  Least: words(
    'the lowest, lowest, the fewest, fewest, the least, least, the smallest, the smallest number of, the lowest number of',
  ),
  SortedBy: words('sorted by, ordered by, sort by, order by, in order of, ranked by'),
  Worth: words(
    'worth, valued at, priced at, add up to, worth altogether, worth in total, come to, amount to',
  ),
  TheyWorth:
    words(`what are they worth, what were they worth, what do they add up to, how much are they worth,
    how much were they worth, what is their total value, their total value, what do they come to, what is it worth,
    what are they worth altogether, their total`),
  Pipeline: words('pipeline, funnel, pipe, sales pipeline, potential'),
  Weighted: words('weighted, the weighted'),
  MoneyNoun: words('money, revenue, business, sales, volume'),
  WinRate: words('win rate, hit rate, close rate, success rate, winning rate'),
  Hours: words('hours, hour, hours long, h'),
  InValue:
    words(`by value, in value, by amount, in terms of value, in terms of amount, measured by value, in money, in euros,
    by deal value, by total value, in terms of money`),
  Longest: words('the longest, longest, for the longest time, for the longest'),
  Recently: words('most recently, last, most recent'),
  MostCommon: words(
    'most common, most frequent, the most common, the most frequent, main, the main, typical',
  ),
  ReasonsForLosing: words(
    'reasons for losing, reasons for lost, reason for losing, reasons we lose, reasons we lost',
  ),
  Forecast:
    words(`forecast, the forecast, our forecast, sales forecast, projected revenue, forecast revenue, expected revenue,
    projected sales, weighted forecast`),
  Sales: words('sales, our sales, total sales, bookings, our revenue, our total revenue'),
  Brings:
    words(`brings in, brings, brought us, brought in, brings us, brought, bring, bring in, generates, generated, makes,
    made, has brought in, has brought us, has brought, has generated, have brought in, have brought us, produced,
    gave us, has given us, yielded, contributed, accounts for, spent, has spent, have spent, did, delivered, earned us, earned`),
  Contains: words('holds, contains, carries, hold'),
  Best: words('the best, best, the highest, highest'),
  Worst: words('the worst, worst, the lowest, lowest'),
  Versus: words('vs, versus, compared to, compared with, against'),
  Compare: words('compare, compare the, comparison of'),
  Difference: words('difference between, the difference between, what is the difference between'),
  CompareTo: words('compare to, compare with, do against'),
  ShareOf:
    words(`what percentage of, percentage of, what percent of, percent of, % of, what share of, share of, what is the share of,
    what proportion of, which share of, what % of, what fraction of, how much of`),
  MyShare: words('share of, percentage of'),
  MoreOf: words('more'),
  Than: words('than'),
  LargerThan: words('larger than, bigger than, higher than, greater than, more than'),
}
