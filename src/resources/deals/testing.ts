/** What the tests of deals and pipelines share. */
import { sql } from 'kysely'
import type { Account, Item } from '../../../test/support/service.ts'
import { systemDb } from '../../kernel/context.ts'

/** The account's default pipeline and the ids of its stages by name. */
export async function defaultPipelineOf(
  account: Account,
): Promise<{ pipeline: Item; stage: Record<string, string> }> {
  const { body } = await account.get('/api/deals/pipelines?is_default=true')
  return { pipeline: body.items[0], stage: stageIds(body.items[0]) }
}

export const stageIds = (pipeline: Item): Record<string, string> =>
  Object.fromEntries(pipeline.stages.map((stage: Item) => [stage.name, stage.id]))

/** Sets the deal's stage entry to this many days ago. */
export const age = (account: Account, dealId: string, days: number) =>
  sql`update deals set stage_entered_at = now() - make_interval(days => ${days}) where id = ${dealId}`.execute(
    systemDb(account.service.services),
  )

/** The names of a column's deals, in order. */
export async function column(account: Account, stageId: string): Promise<string[]> {
  const { body } = await account.get(
    `/api/deals?stage_id=${stageId}&sort_by=position&sort_order=asc&page_size=1000`,
  )
  return body.items.map((deal: Item) => deal.name)
}

/** The names of the deals that a list shows. */
export async function items(account: Account, query: string): Promise<string[]> {
  const { status, body, text } = await account.get(`/api/deals?${query}`)
  if (status !== 200) throw new Error(`the list answered ${status}: ${text}`)
  return body.items.map((deal: Item) => deal.name)
}
