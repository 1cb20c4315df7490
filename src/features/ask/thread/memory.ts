/** What the answers in a chat were about, so that the next question may lean on it. Kept with each answer. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../../kernel/context.ts'
import { living } from '../../../kernel/statements.ts'
import type { Answer } from '../prose/answer.ts'
import type { Meaning } from '../understand/meaning.ts'

export interface Subject {
  entity_type: string
  entity_id: string
  name: string
}

export interface Memory {
  /** what the question meant, with its query; undefined when the records' words answered it */
  meaning: Meaning | undefined
  /** the records that the answer was about */
  about: Subject[]
}

const MAX_ABOUT = 50
const MAX_MEANING = 20_000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The latest of a chat, before a message if one is named; messages may hold anything, so it is read with care. */
export async function memoryOf(ctx: Ctx, chatId: string, before?: string): Promise<Memory | undefined> {
  const until = before
    ? sql`and (m.created_at, m.id) < (select b.created_at, b.id from ${living(ctx, 'chat_messages')} b where b.id = ${before})`
    : sql``
  const found = await queryOne(
    ctx,
    sql<{ memory: unknown }>`select m.metadata->'memory' as memory from ${living(ctx, 'chat_messages')} m
      where m.chat_id = ${chatId} and m.role = 'assistant' and jsonb_typeof(m.metadata->'memory') = 'object' ${until}
      order by m.created_at desc, m.id desc limit 1`,
  )
  return found && memoryIn(found.memory)
}

export function memoryIn(given: unknown): Memory {
  const { meaning, about } = isObject(given) ? given : {}
  return {
    meaning: isMeaning(meaning) ? meaning : undefined,
    about: Array.isArray(about) ? about.slice(0, MAX_ABOUT).filter(isSubject) : [],
  }
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null

/** The shape that the edits of a question read; whether the query is right is checked when it runs. */
function isMeaning(given: unknown): given is Meaning {
  if (!isObject(given) || given.kind !== 'query' || !isObject(given.query)) return false
  const { entity, where, measure = {}, order = [] } = given.query
  return (
    JSON.stringify(given).length <= MAX_MEANING &&
    typeof entity === 'string' &&
    (where === undefined || isCondition(where)) &&
    isObject(measure) &&
    Array.isArray(order)
  )
}

function isCondition(given: unknown, depth = 0): boolean {
  if (!isObject(given) || depth > 20) return false
  const { and, or, not, where, field } = given
  if (and !== undefined || or !== undefined) {
    const parts = and ?? or
    return Array.isArray(parts) && parts.every(part => isCondition(part, depth + 1))
  }
  if (not !== undefined) return isCondition(not, depth + 1)
  if (field !== undefined) return typeof field === 'string'
  return where === undefined || isCondition(where, depth + 1)
}

const isSubject = (given: unknown): given is Subject =>
  isObject(given) &&
  typeof given.entity_type === 'string' &&
  typeof given.entity_id === 'string' &&
  UUID.test(given.entity_id) &&
  typeof given.name === 'string' &&
  given.name.length <= 1000

/**
 * What to remember of an answer; undefined when it said nothing that the next question could be about. Records that
 * the question names come first; where nothing was found, those of the answer before are still spoken of.
 */
export function memoryFrom(
  meaning: Meaning | undefined,
  named: readonly Subject[],
  { grounded, citations }: Answer,
  before: Memory | undefined,
): Memory | undefined {
  if (citations.length === 0 && (!grounded || !meaning)) return undefined
  const about = citations.length === 0 ? (before?.about ?? []) : [...named, ...citations]
  return {
    meaning,
    about: about
      .slice(0, MAX_ABOUT)
      .map(({ entity_type, entity_id, name }) => ({ entity_type, entity_id, name: name.slice(0, 1000) })),
  }
}

/** The question with the names of the records where it only pointed at them: for what the records say. */
export function withNames(question: string, { about }: Memory): string {
  if (about.length === 0 || about.length > 3) return question
  const names = about.map(({ name }) => name).join(' and ')
  const words = question.replace(/^\s*(?:and|but|so|ok|okay|also)\b[\s,]*/i, '')
  const owned = /\b(?:its|their|theirs|his|her|hers)\b/i
  const named =
    /\b(?:it|they|them|he|him|she|those|these|there|(?:this|that) (?:one|deal|company|contact|person))\b/i
  if (owned.test(words)) return words.replace(owned, `${names}'s`)
  return named.test(words) ? words.replace(named, names) : question
}
