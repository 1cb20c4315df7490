/** Tools that propose changes, which a user must accept. Only for callers who may make these changes. */
import type { Tool } from '../../../ai/language-model/index.ts'
import { type Ctx, ROLES, transaction } from '../../../kernel/context.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { type Change, ENTITY_TYPES, resourceOf } from '../proposals/check.ts'
import { propose } from '../proposals/propose.ts'

const string = (description: string) => ({ type: 'string', description })
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function proposingTools(ctx: Ctx, chatId: string, messageId: string): Tool[] {
  const writes = (type: string) => hasScope(ctx.caller.scopes, `${resourceOf(type).name}:write`)
  const mayWrite = ROLES.indexOf(ctx.caller.role) >= ROLES.indexOf('member')
  const kinds = ENTITY_TYPES.filter(type => type !== 'email_draft' && writes(type))
  const proposed = async (change: Change, summary: unknown) => {
    const proposedChange = { ...change, chat_id: chatId, message_id: messageId, summary: text(summary) }
    const proposal = await transaction(ctx, tx => propose(tx, proposedChange))
    return { proposed: proposal.summary, status: 'waits for the person to accept it' }
  }
  const fields = (type: string) => Object.keys(resourceOf(type).record.input.fields).join(', ')
  const values = {
    type: 'object',
    description: `Field values. ${kinds.map(type => `${type}: ${fields(type)}`).join('. ')}`,
  }
  const summary = string('What it does, in one sentence for the person')
  const records: Tool[] = [
    {
      name: 'create_record',
      description: 'Proposes a new record',
      parameters: {
        type: 'object',
        properties: { entity_type: { type: 'string', enum: kinds }, values, summary },
        required: ['entity_type', 'values'],
      },
      run: args =>
        proposed({ kind: 'create', entity_type: text(args.entity_type), values: args.values }, args.summary),
    },
    {
      name: 'update_record',
      description: 'Proposes a change to a record',
      parameters: {
        type: 'object',
        properties: { entity_type: { type: 'string', enum: kinds }, id: string('Its id'), values, summary },
        required: ['entity_type', 'id', 'values'],
      },
      run: args =>
        proposed(
          {
            kind: 'update',
            entity_type: text(args.entity_type),
            entity_id: text(args.id) ?? '',
            values: args.values,
          },
          args.summary,
        ),
    },
  ]
  const address = { type: 'object', properties: { email: string(''), name: string('') }, required: ['email'] }
  const mail: Tool = {
    name: 'draft_email',
    description: 'Proposes a draft of a mail; it is not sent',
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'array', items: address },
        subject: string('One line'),
        body_html: string('The text as simple HTML'),
        contact_id: string('The contact that it is for, if known'),
        deal_id: string('The deal that it is about, if any'),
        summary,
      },
      required: ['subject', 'body_html'],
    },
    run: ({ summary: mailSummary, ...mailValues }) =>
      proposed({ kind: 'draft_mail', values: mailValues }, mailSummary),
  }
  return mayWrite ? [...(kinds.length > 0 ? records : []), ...(writes('email_draft') ? [mail] : [])] : []
}
