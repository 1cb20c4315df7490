/** Accepts or rejects a proposal of the assistant. */
import { sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { type Ctx, queryOne, transaction } from '../../../kernel/context.ts'
import { lockRecords } from '../../../kernel/crud.ts'
import { errors, HttpError } from '../../../kernel/errors.ts'
import { asOperation } from '../../../kernel/operation.ts'
import { checkMayRead } from '../../../kernel/reach.ts'
import type { Resource, Stored } from '../../../kernel/resource.ts'
import { living, rows, updateRows } from '../../../kernel/statements.ts'
import {
  applyChange,
  checkedValues,
  mustBeAllowed,
  type ProposalKind,
  resourceOf,
  sentenceOf,
} from './check.ts'
import { copyToMessage } from './propose.ts'

type StoredProposal = Pick<
  Tables['chat_proposals'],
  'id' | 'entity_type' | 'entity_id' | 'proposed' | 'status'
> & {
  message_id: string
  kind: ProposalKind
  before: Record<string, unknown>
}

/** Without proposals of chats and messages in the trash. */
export const visibleProposals = (ctx: Ctx) => sql`${rows(ctx, 'chat_proposals')} p
  join ${living(ctx, 'chats')} c on c.id = p.chat_id
  join ${living(ctx, 'chat_messages')} m on m.id = p.message_id`

/** A pending proposal, locked so that a second caller sees the first one's decision. */
async function undecided(tx: Ctx, id: string): Promise<{ proposal: StoredProposal; resource: Resource }> {
  const proposal = await queryOne(
    tx,
    sql<StoredProposal>`select p.id, p.message_id, p.kind, p.entity_type, p.entity_id, p.proposed, p.before, p.status
      from ${visibleProposals(tx)} where p.id = ${id} for update of p`,
  )
  if (!proposal) throw errors.notFound('Proposal')
  const resource = resourceOf(proposal.entity_type)
  mustBeAllowed(tx, resource)
  if (proposal.status === 'accepted' || proposal.status === 'rejected')
    throw errors.conflict(`This proposal has been ${proposal.status} already`)
  return { proposal, resource }
}

async function decide(
  tx: Ctx,
  proposal: StoredProposal,
  status: 'accepted' | 'rejected',
  done: { entity_id?: string; operation_id?: string },
): Promise<void> {
  const decision = {
    status,
    error: null,
    decided_by: tx.user,
    decided_at: sql`now()`,
    updated_at: sql`now()`,
  }
  await updateRows(tx, 'chat_proposals', { ...decision, ...done }, sql`r.id = ${proposal.id}`)
  await copyToMessage(tx, proposal.message_id)
}

export const reject = (ctx: Ctx, id: string): Promise<void> =>
  transaction(ctx, async tx => {
    const { proposal } = await undecided(tx, id)
    await decide(tx, proposal, 'rejected', {})
  })

/** Applies it as the caller's own change, as one operation: all of it or nothing. */
export async function accept(ctx: Ctx, id: string, force: boolean): Promise<Stored> {
  let isApplying = false
  const work = async (tx: Ctx) => {
    const { proposal, resource } = await undecided(tx, id)
    if (proposal.kind === 'update') {
      // The response is the whole record.
      checkMayRead(tx, resource.record.table)
      await mustBeUnchanged(tx, resource, proposal, force)
    }
    isApplying = true
    const values = checkedValues(resource, { kind: proposal.kind, values: proposal.proposed })
    const { operationId, result } = await asOperation(tx, 'proposal', proposal.entity_type, async inside => ({
      result: await applyChange(
        inside,
        resource,
        proposal.kind === 'update' ? proposal.entity_id : null,
        values,
      ),
      count: 1,
    }))
    await decide(tx, proposal, 'accepted', { entity_id: result.id, operation_id: operationId })
    return result
  }
  return transaction(ctx, work).catch(error => {
    if (!isApplying || !(error instanceof HttpError)) throw error
    return storeFailure(ctx, id, sentenceOf(error))
  })
}

/** A field that has changed since is not overwritten unless `force` is set. */
async function mustBeUnchanged(
  tx: Ctx,
  resource: Resource,
  proposal: StoredProposal,
  force: boolean,
): Promise<void> {
  const { label, table } = resource.record
  const [locked] = proposal.entity_id === null ? [] : await lockRecords(tx, table, [proposal.entity_id])
  const now = locked === undefined ? undefined : await resource.operations.get(tx, locked)
  const kind = label.toLowerCase()
  if (!now) throw errors.conflict(`The ${kind} that this would change has been deleted`)
  if (force) return
  const proposedFields = Object.keys(resource.record.input.fields).filter(name =>
    Object.hasOwn(proposal.before, name),
  )
  const changed = proposedFields.filter(name => plain(now[name]) !== plain(proposal.before[name]))
  if (changed.length === 0) return
  throw errors.conflict(
    `The ${kind} has changed since this was proposed: ${changed.join(', ')}. Send {"force": true} to change it all the same`,
  )
}

/** Referenced records are compared by id: renaming one does not change the field. */
function plain(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part) =>
    typeof part === 'object' && part !== null && 'id' in part && 'name' in part ? part.id : sorted(part),
  )
}

/** jsonb stores the keys of an object in its own order. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Stores the failure; the proposal can be accepted again. A caller's transaction is rolled back, so nothing is stored. */
async function storeFailure(ctx: Ctx, id: string, sentence: string): Promise<never> {
  if (!ctx.inTransaction) {
    await transaction(ctx, async tx => {
      const [failed] = await updateRows(
        tx,
        'chat_proposals',
        { status: 'failed', error: sentence, updated_at: sql`now()` },
        sql`r.id = ${id} and r.status in ('pending', 'failed')`,
        sql<{ message_id: string }>`r.message_id`,
      )
      if (failed) await copyToMessage(tx, failed.message_id)
    })
  }
  throw errors.conflict(`This cannot be done any more: ${sentence}`)
}
