/** `/api/chats/proposals`: what the assistant would change, to be accepted or rejected by a person. */
import { type RawBuilder, sql } from 'kysely'
import { type Ctx, one as first, query, queryOne } from '../../../kernel/context.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { errors } from '../../../kernel/errors.ts'
import { asPage, pageFields, pageParameters } from '../../../kernel/page.ts'
import { jsonReply } from '../../../kernel/reply.ts'
import type { Page } from '../../../kernel/resource.ts'
import {
  boolean,
  datetime,
  dict,
  type Infer,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uuid,
  withDefault,
} from '../../../kernel/schema/index.ts'
import { rows } from '../../../kernel/statements.ts'
import { KINDS } from './check.ts'
import { accept, reject, visibleProposals } from './decide.ts'

const STATES = ['pending', 'accepted', 'rejected', 'failed'] as const

const proposal = {
  id: uuid(),
  created_at: datetime(),
  updated_at: datetime(),
  account_id: uuid(),
  chat_id: uuid(),
  message_id: uuid(),
  kind: oneOf(KINDS),
  entity_type: text(),
  entity_id: nullable(
    uuid({ description: 'The record that would change; after acceptance of a creation, the created record' }),
  ),
  summary: text(),
  values: dict({ description: 'The proposed values of the fields' }),
  before: dict({ description: 'The values when the change was proposed; empty for a new record' }),
  status: oneOf(STATES),
  error: nullable(text({ description: 'Why it could not be applied; it can be accepted again' })),
  decided_by: nullable(uuid()),
  decided_at: nullable(datetime()),
  operation_id: nullable(
    uuid({ description: 'The operation, to undo it by POST /api/operations/{operation_id}/undo' }),
  ),
  undone_at: nullable(datetime()),
}

const output = object(proposal, { title: 'ChatProposal' })

type Proposal = Infer<typeof output>

const fields = sql<Proposal>`p.id, p.created_at, p.updated_at, p.account_id, p.chat_id, p.message_id, p.kind, p.entity_type,
  p.entity_id, p.summary, p.proposed as values, p.before, p.status, p.error, p.decided_by, p.decided_at,
  p.operation_id, o.undone_at`

const from = (ctx: Ctx) =>
  sql`${visibleProposals(ctx)} left join ${rows(ctx, 'operations')} o on o.id = p.operation_id`

async function get(ctx: Ctx, id: string): Promise<Proposal> {
  const row = await queryOne(ctx, sql<Proposal>`select ${fields} from ${from(ctx)} where p.id = ${id}`)
  if (!row) throw errors.notFound('Proposal')
  return row
}

const listQuery = object({
  ...pageParameters(),
  chat_id: optional(uuid()),
  status: optional(oneOf(STATES)),
})

async function pageOf(
  ctx: Ctx,
  { page, page_size, chat_id, status }: Infer<typeof listQuery>,
): Promise<Page<Proposal>> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (chat_id !== undefined) conditions.push(sql`p.chat_id = ${chat_id}`)
  if (status !== undefined) conditions.push(sql`p.status = ${status}`)
  const where = sql.join(conditions, sql` and `)
  const counted = await query(
    ctx,
    sql<{ total: number }>`select count(*) as total from ${visibleProposals(ctx)} where ${where}`,
  )
  const items = await query(
    ctx,
    sql<Proposal>`select ${fields} from ${from(ctx)} where ${where} order by p.created_at desc, p.id desc
      limit ${page_size} offset ${(page - 1) * page_size}`,
  )
  const { total } = first(counted)
  return asPage(items, total, page, page_size)
}

const tag = 'Chat proposals'
const one = '/api/chats/proposals/{proposal_id}'
const write = { method: 'POST', tag, permission: 'chats:write' } as const

export const proposalEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/api/chats/proposals',
    tag,
    permission: 'chats:read',
    summary: 'List proposals',
    description: 'Changes that the assistant proposes, latest first.',
    query: listQuery,
    response: object(pageFields(output), { title: 'ChatProposalPage' }),
    run: (ctx, request) => pageOf(ctx, request.query),
  }),
  endpoint({
    method: 'GET',
    path: one,
    tag,
    permission: 'chats:read',
    summary: 'Get a proposal',
    description: '404 while its chat or its message is in the trash.',
    response: output,
    single: true,
    run: (ctx, { params }) => get(ctx, params.proposal_id),
  }),
  endpoint({
    ...write,
    path: `${one}/accept`,
    summary: 'Accept a proposal',
    description:
      'The change is made as the caller, whose role and scopes must allow it. 409 if the record has changed since, unless `force`. The response header X-Operation-ID has the id of the operation, which can be undone.',
    body: object({
      force: withDefault(boolean({ description: 'Accept even if the record has changed since' }), false),
    }),
    bodyOptional: true,
    response: object(
      { ...proposal, record: dict({ description: 'The record as it is now' }) },
      { title: 'AcceptedChatProposal' },
    ),
    run: async (ctx, { params, body }) => {
      const record = await accept(ctx, params.proposal_id, body.force)
      const done = await get(ctx, params.proposal_id)
      const headers = done.operation_id === null ? {} : { 'x-operation-id': done.operation_id }
      return jsonReply({ ...done, record }, headers)
    },
  }),
  endpoint({
    ...write,
    path: `${one}/reject`,
    summary: 'Reject a proposal',
    description:
      'No record changes. 409 if it was accepted or rejected before. The caller needs the scope to write the record, such as `deals:write`.',
    response: output,
    run: async (ctx, { params }) => {
      await reject(ctx, params.proposal_id)
      return get(ctx, params.proposal_id)
    },
  }),
]
