/** Answers from the files of a chat by quoting the lines that match the question. */
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { rows } from '../../kernel/statements.ts'
import { first } from '../../lib/values.ts'
import type { Citation } from '../ask/index.ts'
import { STOP_WORDS, stemOf, wordsOf } from '../search/words.ts'

interface File {
  id: string
  file_name: string
  text: string
  updated_at: string
}

const MAX_FILES = 20
const MAX_TEXT = 200_000
const MAX_LINES = 3
const MAX_LINE = 600
/** The minimum share of a question's words that a line must contain. */
const MIN_SHARE = 0.6

const FILE_WORDS = new Set(
  `file files document documents attachment attachments attached pdf csv recording transcript audio text say says said
  tell contain contains hold holds read mention mentions show shows according stand stands written about`.split(
    /\s+/,
  ),
)
const ASKS_FOR_ALL =
  /\b(?:summari[sz]e|summary|overview|what (?:is|does|do|stands?|s) (?:in|it|the|this|that|these))\b/i

/** True if the question mentions the files, so that they are searched before the records. */
export const asksAboutFiles = (question: string): boolean =>
  /\b(?:files?|documents?|attach(?:ed|ments?)|pdf|csv|recording|transcript)\b/i.test(question)

/** undefined: there are no files, or none contains the answer. */
export async function answerFromFiles(
  ctx: Ctx,
  chatId: string,
  question: string,
): Promise<{ answer: string; citations: Citation[] } | undefined> {
  const files = await query(
    ctx,
    sql<File>`select a.id, a.file_name, left(a.text, ${MAX_TEXT}) as text, a.updated_at
      from ${rows(ctx, 'chat_attachments')} a where a.chat_id = ${chatId} and a.text <> ''
      order by a.created_at desc, a.id desc limit ${MAX_FILES}`,
  )
  if (files.length === 0) return undefined
  const questionWords = [...new Set(wordsOf(question))].filter(
    word => !STOP_WORDS.has(word) && !FILE_WORDS.has(word),
  )
  // "What does the file say about Globex?" asks for a part of the file, "What does the report say?" for all of it.
  const asksForAll = asksAboutFiles(question) && ASKS_FOR_ALL.test(question) && !/\babout\b/i.test(question)
  const lines =
    questionWords.length === 0 || (asksForAll && questionWords.length < 2)
      ? files.slice(0, MAX_LINES).map(file => ({ file, line: linesOf(file.text)[0] ?? '', score: 1 }))
      : files.flatMap(file => matching(file, questionWords)).sort((a, b) => b.score - a.score)
  const best = lines.filter(({ line }) => line !== '').slice(0, MAX_LINES)
  if (best.length === 0) return undefined
  const byFile = Map.groupBy(best, ({ file }) => file)
  const cited = [...byFile.keys()]
  return {
    answer: best
      .map(({ file, line }) => `${file.file_name}: “${line}” [${cited.indexOf(file) + 1}]`)
      .join('\n'),
    citations: [...byFile].map(([file, lines], i) => ({
      index: i + 1,
      entity_type: 'attachment',
      entity_id: file.id,
      name: file.file_name,
      snippet: first(lines).line,
      updated_at: file.updated_at,
      score: Math.round(first(lines).score * 100) / 100,
    })),
  }
}

const linesOf = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map(line => line.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE))
    .filter(line => line !== '')

function matching(file: File, questionWords: readonly string[]) {
  return linesOf(file.text).flatMap(line => {
    const words = new Set(wordsOf(line).map(stemOf))
    const matches = questionWords.filter(word => words.has(stemOf(word)))
    const score = matches.length / questionWords.length
    return score >= MIN_SHARE ? [{ file, line, score }] : []
  })
}
