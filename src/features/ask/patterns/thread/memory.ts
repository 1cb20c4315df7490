/** What the answers in a chat were about, so that the next question may lean on it. Kept with each answer. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../../../kernel/context.ts'
import { living } from '../../../../kernel/statements.ts'
import type { Answer } from '../../prose/answer.ts'

export interface Subject {
  entity_type: string
  entity_id: string
  name: string
}

export interface Memory {
  /** the question as it was understood, to stand alone; null when it cannot */
  question: string | null
  /** the records that the answer was about */
  about: Subject[]
  /** whether these are all of them */
  complete: boolean
}

const MAX_ABOUT = 50
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

function memoryIn(given: unknown): Memory | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  const { question, about, complete } = given as Record<string, unknown>
  return {
    question: typeof question === 'string' && question.length <= 2000 ? question : null,
    about: Array.isArray(about) ? about.slice(0, MAX_ABOUT).filter(isSubject) : [],
    complete: complete === true,
  }
}

const isSubject = (given: unknown): given is Subject => {
  if (typeof given !== 'object' || given === null) return false
  const { entity_type, entity_id, name } = given as Record<string, unknown>
  return (
    typeof entity_type === 'string' &&
    typeof entity_id === 'string' &&
    UUID.test(entity_id) &&
    typeof name === 'string' &&
    name.length <= 1000
  )
}

/**
 * What to remember of an answer; undefined when it said nothing that the next question could be about. Records that
 * the question names come first; where nothing was found, those of the answer before are still spoken of.
 */
export function memoryFrom(
  question: string | null,
  named: readonly Subject[],
  { grounded, citations, data }: Answer,
  before?: Memory,
): Memory | undefined {
  if (citations.length === 0) {
    if (!grounded || question === null) return undefined
    return {
      question: question.slice(0, 2000),
      about: before?.about ?? [],
      complete: before?.complete ?? true,
    }
  }
  const count = data?.count
  return {
    question: question === null ? null : question.slice(0, 2000),
    about: [...named, ...citations]
      .slice(0, MAX_ABOUT)
      .map(({ entity_type, entity_id, name }) => ({ entity_type, entity_id, name: name.slice(0, 1000) })),
    complete: typeof count === 'number' ? count <= citations.length && count <= MAX_ABOUT : true,
  }
}
