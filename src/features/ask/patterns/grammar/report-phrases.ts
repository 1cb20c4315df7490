/** How people ask for reports: what brings in the most, what is broken down, what several figures come to. */
import type { Rewrite } from './colloquial.ts'

const MOST = '(?:the )?(?:most|highest|largest|biggest|fewest|least|lowest|smallest|best)'
const UNIT = '(?:day|week|month|quarter|year)'
const SUMS =
  '(?:add up to|total(?: up)?(?: to)?|amount to|come to|sum up to|sum to|bring(?: in)?|make(?: up)?)'

export const REPORTS: Rewrite[] = [
  ['sales ?(?:people|persons?|folks|guys|team members)', 'salespeople'],
  [
    `(?:has |have |is |are )?(?:brings?|brought|bringing|generat(?:es?|ed|ing)|yield(?:s|ed)?|deliver(?:s|ed)?|contribut(?:es?|ed|ing)|account(?:s|ed)? for|produc(?:es?|ed)|earn(?:s|ed)?)(?: us)?(?: in)?(?: us)?(?= ${MOST} )`,
    'has',
  ],
  [
    '(?:break|split|cut|slice)((?: (?!(?:by|per|down|up) )\\S+){1,8})(?: down| up)?(?= (?:by|per|for each|into) )',
    what => `show${what}`,
  ],
  [
    `(?:(?:what|which)(?: is| was)? )?(?:the )?busiest (${UNIT})`,
    unit => `which ${unit} has the most activities`,
  ],
  [
    `(?:(?:what|which)(?: is| was)? )?(?:the |my |our )?(?:best|strongest) (${UNIT})(?= (?:for|in terms of|by|in) )`,
    unit => `which ${unit} has the highest`,
  ],
  ['in terms of', 'by'],
  [
    '(?<= has the most activities (?:\\S+ )*)(?:by|for|with)(?= (?:(?:number|amount) of )?(?:appointments?|meetings?|calls?|tasks?) )',
    '',
  ],
  ['(overdue|late|past due|open|outstanding) (?:stuff|things|items)', state => `${state} activities`],
  // "which industries are we selling to, with the number of customers each"
  [
    '(?:which|what) (\\S+) (?:are we|do we) (?:(?:sell(?:ing)?|serv(?:e|ing)|work(?:ing)?|deal(?:ing)?|active|do business)(?: (?:to|in|with|for))?|in|have)(?: and)?(?: with)?(?: the| how)? (?:number of|count of|many) ((?:\\S+ ){1,3})(?:(?:do|are|is|we|have|there|in|for|per|of) )*each',
    (what, whom) => `how many ${whom}by ${what}`,
  ],
  [
    `and (?:what|how much) (?:(?:do|are|is|does|would|will|they|it|these|those|that|all|them) )+(?:together |all together |altogether )?(?:${SUMS}|worth)(?: in total| together| altogether)?`,
    'and how much worth',
  ],
  ['and (?:their|the|its) (?:total|combined|overall) (?:value|worth|amount|volume)', 'and how much worth'],
  [
    '(?<= (?:lost|lose|losses|losing|loss) (?:\\S+ )*)(?<= (?:how much|how many|amounts?|value|revenue|total|volume|money) (?:\\S+ )*)and (?:why|for what reasons?|(?:the|their) reasons?)',
    'by lost reason',
  ],
  ['(?<= by lost reason (?:\\S+ )*)(?:and |with |list |show |give )+(?:the |all )?(?:reasons?|why)', ''],
  ['(?<= why (?:\\S+ )*)(?:and |with |list |show |give )+(?:the |all )?reasons?', ''],
  ['(?:whole|entire|complete|full)(?= (?:open |sales |current )*(?:pipeline|funnel|forecast) )', ''],
  ['roughly|approximately|about(?= how )', ''],
  [
    '(?<= how many deals (?:\\S+ )*)(?:incl|including|inclusive(?: of)?|counting|with) (?:the |all )?(?:closed|won and lost|finished)(?: ones| deals)?(?: too| as well)?(?= $)',
    '',
  ],
  ['(?:only|just) (have|has) (one|two|three|four|five|\\d+)', (has, many) => `${has} exactly ${many}`],
  [
    '(with|have|has|having|got) (?:(?:only|just|exactly|precisely) (one|two|three|four|five|\\d+)|(?:only |just )?a single)(?= \\S)',
    (has, many) => `${has} exactly ${many ?? 'one'}`,
  ],
]
