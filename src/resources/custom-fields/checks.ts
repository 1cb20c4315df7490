/**
 * Checks metadata against the declared fields of the account. It checks many records at once, with as many statements
 * for a thousand as for one.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Ctx } from '../../kernel/context.ts'
import type { Issue, Loc } from '../../kernel/schema/index.ts'
import type { Change, Checked, Metadata, Write } from './change.ts'
import { type CustomEntityType, type Definition, definitionsOf } from './definition.ts'
import { missingTargets } from './linked-values.ts'
import { takenValues } from './unique-values.ts'
import { valueSchema } from './value-schemas.ts'

export type { Metadata } from './change.ts'

export async function checkCustomValues(
  ctx: Ctx,
  entityType: CustomEntityType,
  writes: readonly Write[],
  loc: Loc = ['body', 'metadata'],
): Promise<Checked[]> {
  const definitions = await definitionsOf(ctx, entityType)
  const changes: Change[] = []
  const all = writes.map(write => {
    const issues: Issue[] = []
    const metadata = { ...write.metadata }
    const checked: Checked = { metadata, issues, conflict: undefined }
    for (const definition of definitions) {
      const keyLoc = [...loc, definition.key]
      const value = write.before
        ? changedValue(definition, write.metadata, write.before, keyLoc, issues)
        : newValue(definition, write.metadata, keyLoc, issues)
      if (value === undefined) continue
      metadata[definition.key] = value
      changes.push({ write, checked, definition, value, loc: keyLoc })
    }
    return checked
  })
  const good = changes.filter(({ checked }) => checked.issues.length === 0)
  for (const { change, issue } of await missingTargets(ctx, good)) change.checked.issues.push(issue)
  for (const { change, sentence } of await takenValues(ctx, good)) change.checked.conflict ??= sentence
  return all
}

const has = (metadata: Metadata, key: string): boolean =>
  Object.hasOwn(metadata, key) && metadata[key] !== undefined

/** The value to write, or undefined when there is nothing to write or to check. */
function newValue(field: Definition, metadata: Metadata, loc: Loc, issues: Issue[]): unknown {
  const isNeeded = field.is_required && !field.is_archived
  if (!has(metadata, field.key)) {
    if (field.is_archived) return undefined
    if (field.default_value !== null) return field.default_value
    if (isNeeded) issues.push({ type: 'missing', loc, msg: 'Field required', input: metadata })
    return undefined
  }
  const input = metadata[field.key]
  return input === null && !isNeeded ? undefined : valueSchema(field).check(input, loc, issues)
}

/**
 * A value that the record already has is never refused: a field may have become stricter, or an option may have been
 * archived, since the value was written. A required value may still be missing, but it cannot be removed.
 */
function changedValue(
  field: Definition,
  metadata: Metadata,
  before: Metadata,
  loc: Loc,
  issues: Issue[],
): unknown {
  const isNeeded = field.is_required && !field.is_archived
  const old = has(before, field.key) ? before[field.key] : undefined
  if (!has(metadata, field.key)) {
    if (isNeeded && old !== undefined && old !== null) {
      issues.push({ type: 'missing', loc, msg: 'Field required', input: metadata })
    }
    return undefined
  }
  const input = metadata[field.key]
  if (isDeepStrictEqual(input, old) || (input === null && !isNeeded)) return undefined
  return valueSchema(field).check(input, loc, issues)
}
