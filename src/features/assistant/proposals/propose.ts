/**
 * Stores changes that the assistant proposes. The answer shows them, and a user accepts or rejects them (decide.ts).
 * The table is authoritative; `metadata.proposals` of the message is a copy.
 */
import { sql } from 'kysely'
import { type Ctx, query } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { RecordInput } from '../../../kernel/resource.ts'
import { insertRows, living, rows, updateRows } from '../../../kernel/statements.ts'
import type { EmailDraftInput } from '../../../resources/email-drafts/record.ts'
import {
  applyChange,
  type Change,
  checkedValues,
  dryRun,
  entityIdOf,
  mustBeAllowed,
  type ProposalKind,
  resourceOf,
  typeOf,
} from './check.ts'

const MAX_PER_CHAT_PENDING = 100
const MAX_SUMMARY = 500

export interface ProposedChange extends Change {
  chat_id: string
  /** the answer that shows it; if that is not stored yet, `showProposals` links it later */
  message_id?: string | undefined
  /** written by the assistant; derived from the values when absent */
  summary?: string | undefined
}

/** The form in `metadata.proposals`. */
export interface ShownProposal {
  id: string
  kind: ProposalKind
  entity_type: string
  entity_id: string | null
  summary: string
  values: RecordInput
  status: 'pending' | 'accepted' | 'rejected' | 'failed'
}

/**
 * Checks the change by applying it as the caller and rolling it back, so that a proposal can be accepted unless
 * something else changes. Throws an HttpError that says what is wrong (`sentenceOf` formats it).
 */
export async function propose(tx: Ctx, change: ProposedChange): Promise<ShownProposal> {
  const entityType = typeOf(change)
  const resource = resourceOf(entityType)
  mustBeAllowed(tx, resource)
  const entityId = entityIdOf(change)
  const values = checkedValues(resource, change)
  await checkPendingLimit(tx, change.chat_id)
  const current: RecordInput = entityId === null ? {} : await resource.operations.get(tx, entityId)
  const changed = await dryRun(tx, () => applyChange(tx, resource, entityId, values))
  const before = Object.fromEntries(Object.keys(values).map(name => [name, current[name] ?? null]))
  const summary = shortened(
    change.summary?.trim() ||
      summaryOf(change.kind, resource.record.label, values, { ...changed, ...current }),
  )
  const proposal = { id: newId(), kind: change.kind, entity_type: entityType, entity_id: entityId, summary }
  await insertRows(tx, 'chat_proposals', [
    {
      ...proposal,
      chat_id: change.chat_id,
      message_id: change.message_id ?? null,
      proposed: JSON.stringify(values),
      before: JSON.stringify(entityId === null ? {} : before),
      proposed_for: tx.user,
    },
  ])
  if (change.message_id !== undefined) await copyToMessage(tx, change.message_id)
  return { ...proposal, values, status: 'pending' }
}

async function checkPendingLimit(tx: Ctx, chatId: string): Promise<void> {
  const [chat] = await query(
    tx,
    sql<{ pending: number }>`select (select count(*) from ${rows(tx, 'chat_proposals')} p
        where p.chat_id = c.id and p.status = 'pending') as pending
      from ${living(tx, 'chats')} c where c.id = ${chatId}`,
  )
  if (!chat) throw errors.notFound('Chat')
  if (chat.pending >= MAX_PER_CHAT_PENDING)
    throw errors.conflict('Too many proposals of this chat wait to be accepted or rejected')
}

/** Links proposals that were made before the answer was stored to that answer, and shows them there. */
export async function showProposals(tx: Ctx, messageId: string, ids: readonly string[]): Promise<void> {
  await updateRows(
    tx,
    'chat_proposals',
    { message_id: messageId },
    sql`r.id = any(${ids}::uuid[]) and r.message_id is null and r.chat_id =
      (select m.chat_id from ${living(tx, 'chat_messages')} m where m.id = ${messageId})`,
  )
  await copyToMessage(tx, messageId)
}

/** Copies the proposals into the message; call it whenever a message's metadata was rewritten. */
export async function copyToMessage(tx: Ctx, messageId: string): Promise<void> {
  await updateRows(
    tx,
    'chat_messages',
    sql`updated_at = now(), metadata = r.metadata || jsonb_build_object('proposals', coalesce((
      select jsonb_agg(jsonb_build_object('id', p.id, 'kind', p.kind, 'entity_type', p.entity_type,
        'entity_id', p.entity_id, 'summary', p.summary, 'values', p.proposed, 'status', p.status)
        order by p.created_at, p.id)
      from ${rows(tx, 'chat_proposals')} p where p.message_id = r.id), '[]'))`,
    sql`r.id = ${messageId}`,
  )
}

function summaryOf(kind: ProposalKind, label: string, values: RecordInput, record: RecordInput): string {
  const kindOfRecord = label.toLowerCase()
  if (kind === 'draft_mail') {
    // checked by the schema of a draft
    const { to: recipients = [] } = values as EmailDraftInput
    const to = recipients.map(({ email }) => email).join(', ')
    return `Draft a mail${to === '' ? '' : ` to ${to}`}: ${record.subject || 'without a subject'}`
  }
  const name = nameOf(record)
  if (kind === 'create') return `Create the ${kindOfRecord}${name === '' ? '' : ` ${name}`}`
  return `Change the ${kindOfRecord}${name === '' ? '' : ` ${name}`}: ${Object.keys(values).join(', ')}`
}

const nameOf = (record: RecordInput): string =>
  String(record.full_name ?? record.name ?? record.subject ?? record.title ?? '').trim()

const shortened = (text: string): string => {
  const characters = [
    ...text
      .replace(/\s+/g, ' ')
      .replace(/\p{Cc}|\p{Cs}/gu, '')
      .slice(0, 4 * MAX_SUMMARY),
  ]
  return characters.length <= MAX_SUMMARY
    ? characters.join('')
    : `${characters.slice(0, MAX_SUMMARY - 1).join('')}…`
}
