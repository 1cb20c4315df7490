/**
 * Words that change the meaning of a question: or, all, every, only, both, could, if. The grammar drops unknown small
 * words, and dropping one of these answers another question: "deals in Proposal or owned by Mia" would become "and".
 * So each occurrence must be part of a phrase whose reading is known to be right; otherwise the question is refused.
 */
import type { Plan } from '../plan.ts'
import { ACTIVITY_STATE } from './activity-states.ts'
import { ALL_CLOSE, EARNING, MODAL } from './closings.ts'
import { CONTACTED } from './contacted.ts'
import { isAlike, type Mention } from './mentions.ts'
import { ACTIVITY_NOUN } from './nouns.ts'
import { DEAL_STATE } from './states.ts'

const OPERATOR =
  'or|nor|all|every|everyone|everybody|everything|each|both|either|could|would|might|if|about to|and who'
const AUX = '(?:is|are|was|were|do|does|did|has|have|had|can|will|should)'
const UNIT = '(?:day|week|month|quarter|year)s?'
const WINNING = '(?:win|won|winning|lose|lost|losing|loose)'
const DEALS = '(?:deals?|opps?|opportunit(?:y|ies))'
const MORE =
  'more|less|fewer|later|afterwards|beyond|earlier|above|over|below|under|higher|lower|greater|larger|smaller|longer'

/** Phrases that are read as they stand, or say nothing. They are removed from the text before it is checked. */
const READ: string[] = [
  // courtesy
  '(?:could|would|can|will) (?:you|u)',
  '(?:i|we|who|you) would (?:like|love)(?: to)?',
  '(?:would|do) you (?:happen to )?know(?: if| whether)?',
  '(?:know|wonder|wondering|check|see|tell me|let me know|find out) if',
  'if (?:any|possible)',
  'all in all|all told|all together|in all|at all|one or more',
  'about (?=how )',
  'tell me everything',
  // times and numbers
  `(?:today|this ${UNIT}) or (?:tomorrow|next(?: ${UNIT})?)`,
  'on or after',
  `or (?:${MORE})(?! (?:than )?[\\d$€£]| than )`,
  '(?:per|an?|each|every) (?:hour|day|week|month|quarter|year)',
  // lists of states and types, of which one is enough
  `(?:either )?(?:${DEAL_STATE})(?: or ${DEAL_STATE}){1,2}(?= ${DEALS}| $| and | in | at | with | by | from )`,
  `${DEAL_STATE} (?:${DEAL_STATE} )?or ${DEAL_STATE}(?= $)`,
  `(?:either )?(?:${ACTIVITY_NOUN})(?:(?: or)? (?:${ACTIVITY_NOUN}))* or (?:${ACTIVITY_NOUN})`,
  `(?:${ACTIVITY_STATE}) or (?:${ACTIVITY_STATE})`,
  `(?:${CONTACTED})(?: or| nor) (?:${CONTACTED})`,
  `neither ${DEAL_STATE} nor ${DEAL_STATE}`,
  '(?:have|has|with|having) neither (?:an? |any )?(?:\\S+ ){1,3}?nor(?: an?| any)?',
  `both ${DEAL_STATE}(?: ${DEALS})? and(?: an?)? ${DEAL_STATE}(?= ${DEALS})`,
  // what is expected to close or to come in
  ALL_CLOSE,
  `${MODAL}(?: (?:we|i))?(?: (?:be|have))? clos(?:e|ing)`,
  `how much (?:\\S+ )?(?:could|would|might)(?: (?:we|i|¤))?(?: (?:expect|still))*(?: to)?(?: be)? (?:${EARNING})`,
  'how much (?:(?:money|revenue|business) )?(?:could|might|would) (?:still |yet )?(?:come|flow|roll) in',
  '(?:we|i|¤) could still win|could (?:we|i|¤) still win',
  // whom it is allowed to contact
  '(?:could (?:we|i)|(?:we|i) could)(?= (?:e-?mail|contact|call|phone|approach|write))',
]

/** "all" before what is listed or added up; not in "are all deals open", "whose deals are all won", "with all tags". */
const BEFORE_ALL = [
  '^ (?:(?:and|so|please|just) )*',
  '^ (?:who|what|which|whose) (?:are|were|is) (?:the )?(?:names? of )?',
  `(?<! (?:not|${AUX}) )(?:^| )(?:list|show|me|gimme|us|find|get|give|display|name|of|for|across|over|count|total|sum|average|need|see|export|print|value|from|up) `,
  // "how many pallets do all customers take together"
  '^ how (?:many|much) (?:\\S+ )*(?:do|does|did|are|have) (?=.* (?:together|altogether|combined|total) )',
].join('|')
const ALL_OF = new RegExp(`(?<=${BEFORE_ALL})(?:all(?: of)?|every|everything)(?= )`, 'g')
/** A yes-or-no question over all of something; today's plans can only tell whether there is one. */
const WHETHER_ALL = new RegExp(
  `^ (?:(?:and|so) )*${AUX} (?:(?:not|it|true|that) )*(?:all|every|everyone|everybody|everything|each|both|none|neither|either)(?= )`,
)
/** What may be won or lost one day is neither. */
const MAY_BE = new RegExp(
  `(?<= )(?:could|would|might|may|can|will|shall|should|about to|going to|likely to|able to)(?: (?:we|i|you|they|¤|the|our|be|have|still|also|actually|now|soon)){0,3} ${WINNING}(?= )`,
)
/** "without deals over 10k": whether the amount belongs to the deals that are missing is not told apart. */
const WITHOUT_SOME = new RegExp(
  `(?<= )(?:without|no|not have|don t have|doesn t have|haven t|hasn t)(?: (?:any|an?|got|had))*(?: ${DEAL_STATE})? ${DEALS} (?:(?:worth|that are|which are|of|with|an|amount|value) )*(?:over|above|under|below|more|less|between|at least|at most|up to|exceeding)(?= )`,
)

/** Words between the two ends of "in Germany or in France". */
const LINK = new Set(
  'either in at from for the by with a an on to of our stage tagged owned managed as is are'.split(' '),
)

/** The first operator that no rule reads; undefined when all are read. */
export function unreadOperator(
  asked: string,
  mentions: readonly Mention[],
  plan: Plan,
  final: string,
): string | undefined {
  const [scope] = WITHOUT_SOME.exec(asked) ?? WHETHER_ALL.exec(asked) ?? []
  if (scope !== undefined) return scope.trim()
  const text = withoutLists(withoutRead(asked), mentions)
  const [possible] = MAY_BE.exec(text) ?? []
  if (possible !== undefined) return possible
  const left = text.replace(ALL_OF, '·').match(new RegExp(`(?<= )(?:${OPERATOR})(?= )`, 'g')) ?? []
  return left.find(word => !isInPlan(word, plan, final))
}

const withoutRead = (text: string): string =>
  READ.reduce((rest, phrase) => rest.replace(new RegExp(`(?<= )(?:${phrase})(?= )`, 'g'), '·'), text)

/** Operators that a plan carries: "each owner" groups, "CFO or finance people" is one condition on the title. */
function isInPlan(word: string, plan: Plan, final: string): boolean {
  if (word === 'each' || word === 'every') return plan.groupBy !== undefined
  if (word === 'or') return plan.conditions.some(({ said }) => /^job title with .* or /.test(said))
  // consumed by a rule of its own: "customers with both won and open deals", "what did everyone do"
  return /^(?:both|every(?:one|body|thing))$/.test(word) && !final.includes(` ${word} `)
}

/** Removes the "or" of lists of values of one field, or of names of one kind, which are read as a list. */
function withoutLists(text: string, mentions: readonly Mention[]): string {
  const named = [...mentions].sort((a, b) => a.at - b.at)
  const words = text.split(' ')
  const nth = (at: number) => words.slice(0, at + 1).filter(word => word === '¤').length - 1
  words.forEach((word, at) => {
    if (!/^(?:or|nor)$/.test(word)) return
    let next = at + 1
    while (LINK.has(words[next] ?? '')) next++
    if (words[at - 1] !== '¤' || words[next] !== '¤') return
    const [left, right] = [named[nth(at - 1)], named[nth(next)]]
    if (!left || !right || left.negated !== right.negated) return
    // "neither in Proposal nor owned by Ravi": two conditions, and neither holds
    if (word === 'nor' ? left.negated : isAlike(left, right)) words[at] = '·'
    const first = words.lastIndexOf('either', at)
    if (words[at] === '·' && first >= 0 && first >= at - 4) words[first] = '·'
  })
  // "tagged both vip and reference": a record may have several tags
  words.forEach((word, at) => {
    const [left, right] = [named[nth(at + 1)], named[nth(at + 3)]]
    const isPair = words.slice(at + 1, at + 4).join(' ') === '¤ and ¤'
    if (word === 'both' && isPair && isTag(left) && isTag(right)) words[at] = '·'
  })
  return words.join(' ')
}

const isTag = (mention: Mention | undefined): boolean =>
  mention?.values.some(({ field }) => field === 'tag') ?? false
