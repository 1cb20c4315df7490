/** How sales people speak of deals, of whom a company employs, and of what they want to know of both. */

export type Rewrite = [pattern: string, to: string | ((...groups: string[]) => string)]

/** Deals that are not called so. */
const BUSINESS =
  '(?:(?:open|outstanding|pending|potential|live) )*(?:business|potential|volume|money|deal volume|deal value|value)'
const OPEN_BUSINESS: Rewrite[] = [
  ['(?:in|down|through) (the|our|my) (?:sales )?pipe', whose => `in ${whose} pipeline`],
  [
    `(?:how much|what) (?:${BUSINESS} )?(?:(?:is|do|does|have|has|there|we|i|still|¤) )*(?:on the table|up for grabs|at stake)`,
    'how much open pipeline',
  ],
  [
    `(?:how much|what(?: is)?(?: the| our)?) (?:open|outstanding|pending|potential|live) ${BUSINESS.replace('|value)', ')')}(?: (?:is there|is|do we have|have we got|have we))?`,
    'how much open pipeline',
  ],
  [
    '(?:how much|what(?: is)?(?: the| our)?) (?:business|potential|volume|money) (?:(?:is|are|do|we|have|there|still) )*(?:open|outstanding|pending)',
    'how much open pipeline',
  ],
  [
    '(?:how much|what(?: is)?(?: the| our)?) potential (?:is there|is|do we have|have we got|have we|do we see)?(?= ?(?:with|at|from|in|for) )',
    'how much open pipeline ',
  ],
  // what we take in with a customer is not what the customer turns over
  [
    'how much (?:business|revenue|money|turnover) (?:did|have|do) (we|i|¤) (?:do|done|made?|get|got|earn(?:ed)?)(?= (?:with|from|at|last|this|in|¤))',
    who => `how much ${who} won`,
  ],
]
const STAFF = '(?:people|staff|workers|employees|persons?|folks|heads)'
/** Whom a company employs, whoever of them we know. */
const EMPLOYING: Rewrite[] = [
  [
    `(?:employs?|employing|employed)(?= (?:(?:the|most|fewest|least|more|less|fewer|than|over|under|at|about|between|and|from|to|up|[\\d.,]+k?) )*${STAFF} )`,
    'have',
  ],
  [
    `(?<= have (?:(?:the|most|fewest|least|more|less|fewer|than|over|under|at|between|and|up|[\\d.,]+k?) )+)${STAFF}`,
    'employees',
  ],
  [`how many ${STAFF} (?:does|do) ¤ (?:employ|have (?:on staff|working))`, 'how many employees does ¤ have'],
  [
    `how many ${STAFF} (?:work|are working|are employed|are there working) (?:at|for|by) ¤(?= $)`,
    'how many employees does ¤ have',
  ],
]

const SAID: Rewrite[] = [
  [
    '(?:that |which |whom )?(?:nobody|no one|no-one|none of us) (?:has |have |had )?(touched|contacted|spoken (?:to|with)|talked (?:to|with)|heard from)',
    done => `not ${done}`,
  ],
  [
    '(?:how many times|how often) (?:did|have|has|had) (we|i|¤) (call|phone|me?et|e-?mail)(?:e?d)?(?: with)?',
    (who, how) =>
      `how many ${/^(?:call|phone)/.test(how!) ? 'calls' : /^me/.test(how!) ? 'meetings' : 'emails sent'} did ${who} have with`,
  ],
  [
    '(?:what (?:is|are) )?(?:the |our )?(main|top|biggest|most common|number one)? ?reasons? (?:for|why|behind|that|of)(?: (?:our|the|we|are|do|did|have|most|all))* (?:losing|losses|lost|lose)(?: (?:the |our |most )*deals?)?',
    rank => (rank ? 'most common lost reason' : 'lost deals by lost reason'),
  ],
  [
    '(?<=^ )why (?:do|did|are|have|were) (?:we|i|our) (?:(?:keep|always|often|usually|mostly) )?(?:lose|losing|lost)(?: (?:the|our|so many|most|these))*(?: deals?)?(?= (?:$|this|last|in|to|so))',
    'lost deals by lost reason',
  ],
  ['sub(?= [$€£]?\\d)', 'under'],
  [
    '(biggest|largest|smallest) (loss|win)(?:es|s)?',
    (size, end) => `${size} ${end === 'win' ? 'won' : 'lost'} deal`,
  ],
  [
    '(?:has|have|did) ¤ (?:ever |actually |already )?(?:bought|buy|purchased?|ordered?)(?: (?:anything|something))?(?: from us)?',
    'are there won deals with ¤',
  ],
  [
    '(?<=(?:accounts|companies|organi[sz]ations|prospects|¤) )are (?:we|i) (?:currently |actively )?working(?: on)?(?= $)',
    'with open deals',
  ],
  [
    'who (?:is |are )?our (contacts?|person|people)(?= (?:at|for|with|in|from))',
    what => `who is the ${what}`,
  ],
  [
    '(?:what (?:is|are) )?(?:the )?contact (?:details|info|information|data) (?:of|for)|how (?:do|can|could|would) (?:i|we) (?:reach|get hold of|get in touch with)',
    'what is the email and phone of',
  ],
  ['how much (?:(?:money|revenue|cash) )?is (?:coming|due) in', 'how much pipeline expected to close'],
  ['projected (?:revenue|sales|income|turnover)', 'weighted pipeline'],
  ['(?:has |have )?(?:bought|purchased|ordered) (?:anything )?from us', 'we won'],
]

export const COLLOQUIAL: Rewrite[] = [...OPEN_BUSINESS, ...EMPLOYING, ...SAID]
