/**
 * What people say around a question: "Could you kindly tell me whether …, please". Its words (could, would, if) change
 * the meaning elsewhere, so it is taken off as a whole before the question is read.
 */

const GREETING =
  /^(?:(?:good (?:morning|afternoon|evening|day)|hello|hi|hey|dear (?:all|team|colleagues?)|sorry(?: to (?:bother|disturb) you)?|excuse me|pardon|(?:a |one )?(?:quick|short|small|last|more) question|just (?:a )?(?:quick|short) (?:one|question)|question|ugh|argh|hm+|well|right|so)(?: (?:there|all|everyone|team))?\s*[,.:;!–-]+\s*)+/i

const ADVERBS =
  '(?:please|pls|kindly|perhaps|maybe|possibly|just|quickly|also|ever|be so kind (?:as )?to|be able to|be kind enough to|happen to)'
/** What one asks somebody to do with an answer. */
const TELL =
  '(?:tell|show|give|list|name|find|check|confirm|verify|know|see|look up|find out|get|hear|learn|remind|provide|send|pull up|work out|let|count|add up|sum up|total|calculate|compute|compare|sort|rank|break down|help|say|telling|showing|giving|listing|naming|finding|checking|confirming|looking up)'
const FRAMES = [
  `(?:could|would|can|will|might|may) (?:you|i|we) (?:${ADVERBS},? )*(?:mind )?(?=${TELL}\\b)`,
  `(?:could|can|might|may) (?:i|we) (?:${ADVERBS},? )*have (?=(?:the|a|an|all|them|it|their|his|her|some)\\b)`,
  `(?:i|we)(?: would|['’ ]d)? (?:${ADVERBS} )*(?:like|love|want|need|wish|have) to (?=${TELL}\\b)`,
  `(?:i['’ ]d|(?:i|we) would) (?:${ADVERBS} )*(?:like|love|need) (?=(?:the|a|an|all|their)\\b)`,
  `do you (?:${ADVERBS} )*(?=know\\b)`,
  `(?:would it be|is it) possible to (?=${TELL}\\b)`,
  `(?:please|pls|kindly),? `,
  `(?:i am|i['’ ]?m|we are) (?:just )?(?:wondering|curious|interested),?(?: to know)? `,
  `(?:i|we) (?:just )?wonder(?:ed)? `,
].map(frame => new RegExp(`^${frame}`, 'i'))
/** Only the question is left of "check whether". */
const ASIDE =
  /^(?:(?:let (?:me|us) )?(?:tell|show|remind|know|check|confirm|verify|see|find out|look up|say|checking|confirming|telling|looking up)(?: (?:me|us))?(?: for me)?,? )(?=(?:if|whether|who|whom|whose|which|what|when|where|why|how)\b)|^(?:know|see|hear|learn|find out)(?: about)? /i
/** Only whether it is so is left of "would I be right that". */
const RIGHT =
  /^(?:(?:would|am|are) (?:i|we) (?:be )?|is it )(?:right|correct|true)(?: in (?:saying|thinking))? that /i
const WHETHER = /^(?:if|whether)\b/i
const THANKS =
  /[\s,.;!(–-]*\b(?:please|pls|plz|thanks?(?: you)?(?: in advance| a lot| so much| very much)?|many thanks|cheers|thx|if (?:you can|possible|you don['’ ]?t mind|you could|you would be so kind))[\s.!?)]*$/i
/** "…, yes or no" asks whether it is so. */
const YES_OR_NO = /[\s,.;:!?(–-]*(?<!=\s*)\b(?:y ?\/ ?n|yes ?(?:\/|or) ?no)\b[\s.!?)]*$/i
const ASKS = /^(?:is|are|was|were|do|does|did|has|have|can|will|whether)\b/i
/** "Who is their CFO again?" asks for what was once known. */
const AGAIN = /^((?:who|what|which|where|when|how)(?:['’]s| is| was| are| were)\b.+?),? again(?=[\s?.!]*$)/i
const TITLE = /(?<![\p{L}\p{N}])(?:mrs?|ms|miss|dr|prof|herrn?|frau|mme|madame|monsieur)\.? (?=\p{Lu})/giu

/** The question alone. "whether" begins one that is answered with yes or no. */
export function withoutCourtesy(question: string): string {
  const begun = question.trim().replace(GREETING, '')
  let said = begun
  const choice = YES_OR_NO.exec(said)
  if (choice) said = said.slice(0, choice.index)
  const end = THANKS.exec(said)
  if (end) said = `${said.slice(0, end.index)}${/\?/.test(end[0]) ? '?' : ''}`
  for (let before = ''; before !== said; ) {
    before = said
    for (const frame of FRAMES) said = said.replace(frame, '')
    said = said.replace(ASIDE, '')
  }
  said = said.replace(RIGHT, 'whether ')
  // "if you weight the deals, …" is a condition, "could you check if …" is none
  if (said !== begun || !/^if\b/i.test(said)) said = said.replace(WHETHER, 'whether')
  if (choice && !ASKS.test(said)) said = `whether ${said}`
  said = said.replace(TITLE, '').replace(AGAIN, '$1')
  return said.length < MIN_LENGTH ? question : said
}

const MIN_LENGTH = 8
