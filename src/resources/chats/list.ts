/** The default order of chats: pinned first, then the latest. */
import { sql } from 'kysely'
import type { Ctx } from '../../kernel/context.ts'
import { listRecords } from '../../kernel/list-query.ts'
import {
  defineRecord,
  type ListQuery,
  type Operations,
  type Page,
  type RecordType,
} from '../../kernel/resource.ts'
import { combined, number, object } from '../../kernel/schema/index.ts'
import type { Chat, ChatInput } from './record.ts'

/** A list is sorted by one field, so here a chat has one more: its rank, which is in the index `chats_rank`. */
export function pinnedFirst(
  record: RecordType<ChatInput, Chat>,
  list: Operations<ChatInput, Chat>['list'],
): Operations<ChatInput, Chat>['list'] {
  const ranked = defineRecord({
    ...record,
    output: combined(record.output, object({ rank: number() })),
    computed: { ...record.computed, rank: () => sql`chat_rank(r.is_pinned, r.updated_at)` },
    defaultSort: { by: 'rank', order: 'desc' },
  })
  return async (ctx: Ctx, params: ListQuery): Promise<Page<Chat>> => {
    if (params.sort_by !== undefined || params.sort_order !== undefined) return list(ctx, params)
    const page = await listRecords(ctx, ranked, params)
    return { ...page, items: page.items.map(({ rank: _, ...chat }) => chat) }
  }
}
