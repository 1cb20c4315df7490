/** Checks what the assistant proposes. */
import { sql } from 'kysely'
import { type Ctx, query, ROLES } from '../../../kernel/context.ts'
import { errors, type HttpError } from '../../../kernel/errors.ts'
import type { RecordInput, Resource, Stored } from '../../../kernel/resource.ts'
import { type Issue, partial, uuid } from '../../../kernel/schema/index.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { emailDrafts } from '../../../resources/email-drafts/index.ts'
import { resources as all } from '../../../resources/index.ts'

export const KINDS = ['create', 'update', 'draft_mail'] as const
export type ProposalKind = (typeof KINDS)[number]

const DRAFT = 'email_draft'
const resources: Readonly<Record<string, Resource>> = {
  ...Object.fromEntries(all.flatMap(one => (one.record.entityType ? [[one.record.entityType, one]] : []))),
  [DRAFT]: emailDrafts,
}
export const ENTITY_TYPES = Object.keys(resources)

/** The maximum length of the values of a proposal, as JSON. */
const MAX_VALUES = 200_000

export interface Change {
  kind: ProposalKind
  /** left out for a mail, which is always a draft */
  entity_type?: string | undefined
  entity_id?: string | undefined
  values: unknown
}

/** The id of the record to update, checked because a model wrote it; other proposals have none. */
export function entityIdOf({ kind, entity_id: entityId }: Change): string | null {
  if ((kind === 'update') !== (entityId !== undefined))
    throw errors.invalidValue(
      ['entity_id'],
      'an update names the record, and nothing else does',
      entityId ?? null,
    )
  if (entityId === undefined) return null
  const issues: Issue[] = []
  const id = uuid().check(entityId, ['entity_id'], issues)
  if (issues.length > 0) throw errors.invalid(issues)
  return id
}

export const typeOf = ({ kind, entity_type }: Pick<Change, 'kind' | 'entity_type'>): string =>
  kind === 'draft_mail' ? DRAFT : (entity_type ?? '')

export function resourceOf(entityType: string): Resource {
  const resource = Object.hasOwn(resources, entityType) ? resources[entityType] : undefined
  if (resource) return resource
  throw errors.invalidValue(['entity_type'], `it is one of ${ENTITY_TYPES.join(', ')}`, entityType)
}

/** The caller must be allowed to make the change. */
export function mustBeAllowed(ctx: Ctx, resource: Resource): void {
  if (ROLES.indexOf(ctx.caller.role) < ROLES.indexOf('member')) throw errors.roleTooLow('member')
  const permission = `${resource.name}:write`
  if (!hasScope(ctx.caller.scopes, permission)) throw errors.missingScope(permission)
}

/** Checks the values as the record's own endpoint does; unknown fields are errors, too. */
export function checkedValues(resource: Resource, { kind, values }: Change): RecordInput {
  const { input } = resource.record
  const issues: Issue[] = []
  const checked = (kind === 'update' ? partial(input) : input).check(values, ['values'], issues)
  const names = typeof values === 'object' && values !== null ? Object.keys(values) : []
  for (const name of names.filter(name => !Object.hasOwn(input.fields, name)).slice(0, 10)) {
    const msg = `Value error, there is no such field, only ${Object.keys(input.fields).join(', ')}`
    issues.push({ type: 'value_error', loc: ['values', name], msg, input: name })
  }
  if (issues.length > 0) throw errors.invalid(issues)
  if (Object.keys(checked).length === 0) throw errors.invalidValue(['values'], 'nothing would change', values)
  if (JSON.stringify(checked).length > MAX_VALUES)
    throw errors.invalidValue(['values'], 'this is too much for one change', null)
  return checked
}

/** Applies the change by the resource's own operations. */
export function applyChange(
  tx: Ctx,
  resource: Resource,
  entityId: string | null,
  values: RecordInput,
): Promise<Stored> {
  return entityId === null
    ? resource.operations.create(tx, values)
    : resource.operations.update(tx, entityId, values)
}

/** Runs `work` and rolls it back; returns its result or throws its error. */
export async function dryRun<T>(tx: Ctx, work: () => Promise<T>): Promise<T> {
  await query(tx, sql.raw('savepoint dry_run'))
  try {
    return await work()
  } finally {
    await query(tx, sql.raw('rollback to savepoint dry_run; release savepoint dry_run'))
  }
}

/** An error as one sentence, for a model or for a user who did not write the values. */
export function sentenceOf({ detail }: HttpError): string {
  if (typeof detail === 'string') return detail
  const lines = detail.slice(0, 10).map(({ loc, msg }) => {
    const path = loc.filter(part => part !== 'body' && part !== 'values').join('.')
    return path === '' ? msg : `${path}: ${msg}`
  })
  return lines.join('; ')
}
