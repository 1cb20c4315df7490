/** Whether a text asks something, by its mark or its first word. German words stand beside the English ones. */
import { withoutCourtesy } from '../understand/courtesy.ts'

/** Yes or no is the answer, unless it has "or". */
const WHETHER = new Set(
  `is are was were do does did can could will would should shall has have had may might must whether if
  ist sind war waren hat haben hatte hatten kann können wird werden darf soll muss ob`.split(/\s+/),
)
const FIRST_WORDS = new Set([
  ...WHETHER,
  ...`who whom whose what when where which why how
  wer wen wem wessen was wann wo wohin woher welche welcher welches welchen warum wieso wie`.split(/\s+/),
])

const firstWord = (text: string): string => /^\P{L}*(\p{L}+)/u.exec(text)?.[1]?.toLowerCase() ?? ''

export const isQuestion = (text: string): boolean =>
  text.trimEnd().endsWith('?') || FIRST_WORDS.has(firstWord(text))

/** Whether yes or no is asked for. */
export const isYesNo = (question: string): boolean =>
  WHETHER.has(firstWord(withoutCourtesy(question))) && !/\b(?:or|oder)\b/i.test(question)
