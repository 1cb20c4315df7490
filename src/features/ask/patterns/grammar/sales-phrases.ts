/** What sellers say for what is open, theirs or nobody's, and for whom they ask. */
import type { Rewrite } from './colloquial.ts'

const MAY = '(?:could|can|may|might)'
const WIN = '(?:win|close|land|get|earn|make|bring in)'

export const SALES: Rewrite[] = [
  ['(?:took|(?:have|has) taken) place', 'happened'],
  // what could still be won has not been
  [
    `how much (?:(?:money|business|revenue|more) )?${MAY} (?:we|i) (?:still|yet) ${WIN}`,
    'how much open pipeline',
  ],
  [`(?:that |which )?(?:we|i) ${MAY} (?:still |yet )${WIN}`, 'open'],
  ['(?:that (?:are|were) )?neither (?:won nor lost|lost nor won)', 'open'],
  // "stuck in Proposal", without a word of how long
  ['stuck(?= (?:in|at) (?:the |stage )?¤ (?:$|stage|phase))', ''],
  [
    '(?:that (?:are|is) )?not (?:linked|tied|attached|connected|assigned|related) to (?:any|an?|some) (company|account|organi[sz]ation|firm)',
    'without company',
  ],
  ['(?:phone|tel|telephone|mobile) (?:nr|no|num)', 'phone number'],
  ['(?:at|for) (?:our|the) (?:accounts|companies|organi[sz]ations)(?= $)', ''],
  [
    '(pilots?|trials?|renewals?|tenders?|upgrades?) (?:(?:that|are|is|currently|still) )*(?:running|under way|underway|going on|pending)',
    what => `${what} open`,
  ],
  // "with an open renewal"
  [
    '(with|have|has|having) (?:an? )?(open|won|lost) (renewal|pilot|upsell|tender|trial|upgrade)s?(?! deal)',
    (verb, state, what) => `${verb} ${state} ${what} deals`,
  ],
  [
    'whose birthday (?:is|comes)(?: up)? next|(?:who|which contact) has (?:the|a) birthday next',
    'birthdays in the next 30 days',
  ],
  [
    '(?:what (?:is|are) )?(?:the )?next steps? (?:on|with|for|at|in|of) (?:the )?¤ (?:deal|opportunity)',
    'what is the next step of the ¤ deal',
  ],
]
