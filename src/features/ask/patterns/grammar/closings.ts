/** The many words for a deal that will close, should have closed, or brings money when it does. */
import type { Rewrite } from './colloquial.ts'

const CLOSE_DATE =
  '(?:expected |planned |target |forecast(?:ed)? |scheduled |original |estimated )*clos(?:e|ing) dates?'
export const MODAL =
  '(?:should|shall|ought to|supposed to|meant to|expected to|due to|set to|going to|planned to|planning to|plan to|scheduled to|slated to|forecast(?:ed)? to|likely to|hoping to|hope to|expect to|expecting to|expect|expecting|about to|might|may|could|will|would|can)'
const CLOSING = 'clos(?:e|ing)'
/** Of deals only: anybody can sign. */
const LANDING = '(?<= (?:deals?|opps?|opportunit(?:y|ies)) (?:\\S+ )*)'
export const EARNING =
  '(?:bring(?:ing)? in|earn(?:ing)?|mak(?:e|ing)|generat(?:e|ing)|clos(?:e|ing)|land(?:ing)?|book(?:ing)?|sell(?:ing)?|win(?:ning)?|get(?:ting)? in)'
const EARNED =
  '(?:br(?:ing|ought) in|earn(?:ed)?|mak?de?|generated?|close[d]?|landed|booked?|s(?:ell|old)|t(?:ake|aken|ook) in)'
const STILL =
  '(?: but (?:are|is|have|has|haven t|hasn t|aren t|isn t)(?: (?:still|not|yet|been|open|closed))*)?'

export const ALL_CLOSE =
  'if (?:every(?:thing)?|each|all|they all)(?: (?:of (?:them|it|those)|the|those|them|open|deals?|one|it|due|then|that|are|is|¤))* (?:clos(?:e|es|ed)|lands?|goes through|go through|comes? in|works? out|(?:are|is) won|signs?)(?: then)?'

export const CLOSINGS: Rewrite[] = [
  [
    '(?<=^ when )(?:should|shall|ought|is|are) (¤|the ¤)(?: deal| opportunity)? (?:supposed |meant |due |expected |going )*(?:to )?close',
    whose => `does ${whose} close`,
  ],
  // "how much will we make if all of it closes"
  [ALL_CLOSE, ''],
  [
    `how much (?:(?:money|revenue|business|more|pipeline) )?(?:could|can|will|would|might|should|are|do)(?: (we|i|¤))? (?:(?:expect|expected|expecting|likely|going|hoping|hope|planning|plan|still|set) )*(?:to )?(?:be )?${EARNING}`,
    who => `how much pipeline ${who ?? ''} expected to close`,
  ],
  [
    `how much (?:(?:money|revenue|business) )?(?:did|have|has)(?: (we|i|¤))? ${EARNED}`,
    who => `how much ${who ?? ''} won`,
  ],
  // who closes a deal wins it; a deal that closed may be lost
  [
    '(did|have|has) (we|i|you|they|¤) (?:close[d]?|s(?:ell|old)|signed?|bag(?:ged)?|land(?:ed)?)',
    (verb, who) => `${verb} ${who} won`,
  ],
  [
    '(who|reps?|salesperson|salespeople|sellers?|¤) (?:(?:has|have) )?(?:closed|sold|signed|landed|bagged)(?= (?:the |most|more|deals?|business|last|this))',
    who => `${who} won`,
  ],
  // what should have closed has not
  [
    `(?:that |which )?(?:(?:was|were|are|is) )?(?:should (?:already )?have (?:already )?(?:been )?|(?:supposed|meant|expected|due) to (?:have )?(?:been )?)close[d]? (?:already|by now|before now|before today|long ago)${STILL}`,
    'overdue',
  ],
  [
    `(?:that |which )?should (?:already )?have (?:already )?(?:been )?closed${STILL}(?! (?:in|on|by|last))`,
    'overdue',
  ],
  [
    `(?:(?:that|which|have|has|are|is|already|slipped|gone|went|run|ran|lapsed|lie|lying) )*(?:past|beyond|behind) (?:(?:their|its|the|his|her|our) )?${CLOSE_DATE}`,
    'overdue',
  ],
  [`(?:(?:that|which|have|has|already) )*(?:slipped|missed) (?:their|its|the|our) ${CLOSE_DATE}`, 'overdue'],
  [
    `(?:with |whose |where |that have |which have |have |has )?(?:(?:an?|their|the|its) )?${CLOSE_DATE} (?:(?:has|have|is|are|lies|lie|was|were|that|which|already) )*(?:passed|gone by|gone|in the past|slipped|elapsed|overdue|lapsed|expired|behind us)(?: already)?`,
    'overdue',
  ],
  // what is to close
  [`${MODAL}(?: (we|i))?(?: (?:be|have))? ${CLOSING}`, who => `${who ?? ''} expected to close`],
  [
    `${LANDING}(?:(?:that|which|are|is) )*(?:landing|ending|slated|pencill?ed in|earmarked|lined up)(?= (?:in|for|this|next|on|by|before|¤) )`,
    'expected to close',
  ],
  [`${LANDING}${MODAL}(?: be)? (?:land(?:ing)?|sign(?:ing)?|com(?:e|ing) in)`, 'expected to close'],
]
