/** A question as words. */
import { fold } from '../../../search/words.ts'

/** Words of the grammar: alone they are never a name. */
export const GRAMMAR = new Set(
  `a an the of in on at by for to from with without and or not no is are was were be been do does did have has had
  how many much what which who whom whose when where why show list give tell me find get count number total sum average
  deal deals opportunity opportunities contact contacts person people company companies account accounts activity
  activities call calls meeting meetings task tasks email emails note notes pipeline stage stages owner status open won
  lost closed close closing closes overdue due completed planned upcoming new latest newest oldest last next first
  this that month week quarter year day days weeks months today tomorrow yesterday top largest biggest smallest highest
  most least more less than over under above below between all any our we i my us you your there each per value worth
  amount created added updated since before after until it its he she they them talk talked speak spoke us`.split(
    /\s+/,
  ),
)

export const tidy = (question: string): string =>
  ` ${fold(question)
    .replace(/\bw\/(?:o|out)\b/g, 'without')
    .replace(/\bw\/ ?/g, 'with ')
    .replace(/\b(what|who|how|when|where)s\b/g, '$1')
    .replace(/\b(do|does|did|have|has|is|are|was|were|ca|wo|could|should|must)nt\b/g, '$1n t')
    .replace(/(\d)[,'](?=\d{3}\b)/g, '$1')
    .replace(/['’`]s\b/g, ' ')
    .replace(/-(stage|phase)\b/g, ' $1')
    .replace(/[^\p{L}\p{N}\p{M}\s$€£¥%@.&+<>=-]/gu, ' ')
    .replace(/\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `

const MAX_WORDS = 60

/** Counted in the words that are read: one character may be normalised to four words, and commas part words, too. */
export const isTooLong = (question: string): boolean => tidy(question).split(' ').length - 2 > MAX_WORDS

export function around(words: readonly string[], from: number, to: number) {
  const before = words.slice(Math.max(0, from - 4), from)
  const negated =
    /\b(?:not|without|minus|neither|nor|except|excluding|outside|other than|besides|apart from|aside from|isn t|aren t|wasn t|weren t|never)(?: (?:in|at|by|from|the|for|owned|of|on|a|an|any|based|assigned|belonging|to|with|those|deals|stage|industry|tagged|labelled|marked|as|yet|currently))* ?$/.test(
      before.join(' '),
    )
  const owning =
    /\b(?:owned|owner|managed|handled|led|run|assigned|assignee|rep|belongs?|belonging|won|lost|closed|signed|held|completed)(?: (?:by|to|is))+$/.test(
      before.join(' '),
    )
  return { before: before.at(-1) ?? '', after: words[to] ?? '', negated, owning, at: from }
}
