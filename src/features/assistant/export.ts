/** A chat as a markdown file, its citations as footnotes. */
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Ctx, query } from '../../kernel/context.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { asDownload, type Reply, rawReply } from '../../kernel/reply.ts'
import { object, oneOf, withDefault } from '../../kernel/schema/index.ts'
import { living, rows } from '../../kernel/statements.ts'
import { isRecord } from '../../lib/values.ts'
import { chats } from '../../resources/chats/index.ts'
import type { ChatMessage } from '../../resources/chats/messages.ts'
import type { Chat } from '../../resources/chats/record.ts'

const BATCH = 100

const ROLE_NAMES: Readonly<Record<string, string>> = {
  ...{ user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' },
}

async function exported(ctx: Ctx, chatId: string): Promise<Reply> {
  const chat = await chats.operations.get(ctx, chatId)
  const name = chat.title.replace(/[\\/:*?"<>|\p{Cc}\s]+/gu, ' ').trim() || 'chat'
  return rawReply(Readable.from(lines(ctx, chat)), 'text/markdown; charset=utf-8', {
    ...asDownload(`${[...name].slice(0, 100).join('')}.md`),
    'cache-control': 'private, no-store',
  })
}

type Exported = Pick<ChatMessage, 'id' | 'created_at' | 'role' | 'content' | 'metadata'>

/** Reads some messages at a time while it is sent: a chat may be larger than the memory. */
async function* lines(ctx: Ctx, chat: Pick<Chat, 'id' | 'title'>): AsyncGenerator<string> {
  yield `# ${oneLine(chat.title)}\n`
  let notes = 0
  for (let last: Exported | undefined; ; ) {
    const messages: Exported[] = await query(
      ctx,
      sql<Exported>`select m.id, m.created_at, m.role, m.content, m.metadata
        from ${living(ctx, 'chat_messages')} m where m.chat_id = ${chat.id}
        and not exists (select from ${rows(ctx, 'chat_answers')} a where a.message_id = m.id)
        ${last ? sql`and (m.created_at, m.id) > (${last.created_at}::timestamptz, ${last.id}::uuid)` : sql``}
        order by m.created_at, m.id limit ${BATCH}`,
    )
    for (const message of messages) {
      const { text, count } = messageText(message, notes)
      notes += count
      yield text
    }
    if (messages.length < BATCH) return
    last = messages.at(-1)
  }
}

/** Footnotes are numbered through the whole file; each answer numbers its own from one. */
function messageText(
  { role, content, created_at, metadata }: Exported,
  before: number,
): { text: string; count: number } {
  const cited: unknown[] = Array.isArray(metadata.citations) ? metadata.citations : []
  const numbers = new Map(
    cited.map((citation, i) => [(isRecord(citation) && citation.index) || i + 1, before + i + 1]),
  )
  const words = content.replace(/\[(\d{1,4})\](?!\()/g, (original: string, index: string) =>
    numbers.has(Number(index)) ? `[^${numbers.get(Number(index))}]` : original,
  )
  const notes = cited.map((citation, i) => `[^${before + i + 1}]: ${noteOf(citation)}\n`)
  const moment = `${created_at.slice(0, 16).replace('T', ' ')} UTC`
  const text = `\n## ${ROLE_NAMES[role]} · ${moment}\n\n${words}\n${notes.length > 0 ? `\n${notes.join('')}` : ''}`
  return { text, count: cited.length }
}

function noteOf(citation: unknown): string {
  const { entity_type, name, snippet } = isRecord(citation) ? citation : {}
  const kind = typeof entity_type === 'string' ? ` (${oneLine(entity_type)})` : ''
  const excerpt = typeof snippet === 'string' && snippet.trim() !== '' ? `: ${oneLine(snippet)}` : ''
  return `${oneLine(String(name ?? 'Record'))}${kind}${excerpt}`
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const exportChatEndpoint = endpoint({
  method: 'GET',
  path: '/api/chats/{chat_id}/export',
  tag: 'Chats',
  permission: 'chats:read',
  summary: 'Export a chat as markdown',
  description: 'Citations become footnotes.',
  query: object({ format: withDefault(oneOf(['markdown']), 'markdown') }),
  responseContent: { 'text/markdown': { type: 'string' } },
  run: (ctx, { params }) => exported(ctx, params.chat_id),
})
