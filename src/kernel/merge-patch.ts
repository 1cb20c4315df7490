/** JSON Merge Patch (RFC 7396): objects are merged key by key, null removes a key, anything else replaces. */
import { isRecord } from '../lib/values.ts'
import { errors } from './errors.ts'
import type { Item, Merge, RecordType, Stored } from './resource.ts'
import { combined, dict, type Issue, type Loc, object, partial, type RecordSchema } from './schema/index.ts'

/** Whether a Content-Type is that of a merge patch; its parameters are ignored. */
export const isMergePatch = (contentType: string): boolean =>
  /^application\/merge-patch\+json\b/i.test(contentType)

export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  // A map and fromEntries, because assigning to `__proto__` would replace the prototype.
  const merged = new Map(Object.entries(isRecord(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

/** Adds the keys of the object that was sent; null is a value, as in an upsert or an import. */
export const addKeys: Merge = {
  value: (stored, sent) => (isRecord(stored) && isRecord(sent) ? { ...stored, ...sent } : sent),
}

const objectFields = ({ input }: RecordType): string[] =>
  Object.entries(input.fields).flatMap(([name, { json }]) => (json.type === 'object' ? [name] : []))

/** The fields that a merge patch combines with the stored value. */
export const patchedFields = (record: RecordType): Record<string, Merge> =>
  Object.fromEntries(objectFields(record).map(name => [name, { value: mergePatch }]))

/** The schema of a merge patch whose objects are checked after they are merged: a key to remove is null in the patch. */
export function patchSchema<In extends Item>(
  record: RecordType<In>,
  update: RecordSchema<Partial<In>>,
): RecordSchema<Partial<In>> {
  const objects = Object.fromEntries(objectFields(record).map(name => [name, dict()]))
  const { check } = partial(combined(record.input, object(objects)))
  return { ...update, check }
}

/**
 * The input of an update by a merge patch. The fields of a record always exist, so null at the top level empties a
 * field; inside an object such as `metadata` it removes the key. The result is checked like the body of a PUT.
 */
export function patchedInput<In extends Item>(
  record: RecordType<In>,
  current: Stored,
  patch: object,
  maxBytes: number,
): Partial<In> {
  const fields = Object.entries(patch).map(([name, value]) => {
    const merged = isRecord(value) ? mergePatch(current[name], value) : value
    if (isRecord(merged)) checkSize(merged, maxBytes, ['body', name])
    return [name, merged]
  })
  const issues: Issue[] = []
  const input = partial(record.input).check(Object.fromEntries(fields), ['body'], issues)
  if (issues.length > 0) throw errors.invalid(issues)
  return input
}

/** Repeated small patches must not grow an object beyond the size that one request may send. */
function checkSize(merged: Item, maxBytes: number, loc: Loc): void {
  if (Buffer.byteLength(JSON.stringify(merged)) <= maxBytes) return
  throw errors.invalidValue(loc, `the merged object would have more than ${maxBytes} bytes`, null)
}
