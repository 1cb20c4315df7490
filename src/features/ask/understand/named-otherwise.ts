/** Words of a question that name something else than what a reading has. */
import type { Meaning } from './meaning.ts'

/** "Company number" is not a telephone number, and "the language other than Spanish" not another country. */
const NAMED_OTHERWISE: readonly [said: RegExp, isExcluded: RegExp][] = [
  [
    /\b(?:compan(?:y|ies)|organi[sz]ations?|accounts?|customers?|clients?|orders?|deals?|members?) numbers?\b/,
    /"show":\{[^}]*phone"/,
  ],
  // "how many rental deals alltogether" asks for no sum of them, unless it goes on "and what are they worth"
  [
    /\bhow many (?:(?!(?:of|in|on|at|for|with|per|do|does|did|are|is)\b)\S*[^s\s] ){0,2}(?:deals|opportunities|companies|contacts|activities|calls|meetings|tasks|products)\b(?!.*\b(?:worth|how much|value|money|adds?|sum|total|amount)\b)/,
    /^(?=.*"kind":"(?:sum|avg)").*"kind":"query"/,
  ],
  // "a deal that has not reached negotiation" is not one that nobody has reached
  [/\breached\b/, /"none":"activities".*"stage\.name"|"stage\.name".*"none":"activities"/],
  [/\bwhom? (?:do (?:we|i|you) know|works? (?:at|for|in)|are our contacts)\b/, /^(?!.*"entity":"contact")/],
  [/\bwhere\b.*\bwork\b/, /"show":\{[^}]*job_title/],
  // "who works at Ann Smith's company"
  [/\bwho (?:else )?works?\b/, /"show":\{[^}]*company\.name"/],
  // firms employ people
  [/\bwho (?:else )?employs?\b/, /^(?!.*"entity":"company")/],
  [/\blanguages? (?:other than|besides|but|not|isn t|is not|aren t)\b/, /country"/],
]

/** `said`: the words of a question. */
export function isNamedOtherwise(said: string, meaning: Meaning): boolean {
  const text = JSON.stringify(meaning)
  return NAMED_OTHERWISE.some(([naming, isExcluded]) => naming.test(said) && isExcluded.test(text))
}
