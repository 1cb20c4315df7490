/**
 * What a person typed into a field and the service does not have: it was refused, or the row was scrolled away. The next
 * editor of the field begins with it.
 */
const drafts = new Map<string, string>()

const keyOf = (record: object, field: string): string => `${'id' in record ? String(record.id) : ''} ${field}`

export const draftOf = (record: object, field: string): string | undefined => drafts.get(keyOf(record, field))

export const keepDraft = (record: object, field: string, text: string) =>
  drafts.set(keyOf(record, field), text)

export const forgetDraft = (record: object, field: string) => drafts.delete(keyOf(record, field))

/** After the service has stored these changes; those of `metadata` are custom fields. */
export function forgetDrafts(record: object, { metadata, ...fields }: { metadata?: unknown }): void {
  const custom = typeof metadata === 'object' && metadata !== null ? Object.keys(metadata) : []
  for (const field of [...Object.keys(fields), ...custom.map(key => `cf.${key}`)]) forgetDraft(record, field)
}
