import { useState } from 'react'
import { readStored, removeStored, writeStored } from '#lib/use-stored.ts'
import { currentSession } from './session.ts'

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

/**
 * A text that is written over minutes, such as a note, is stored in the browser until the service has it: a reload,
 * another tab of the record or the next record must not lose it. The key has the person and the account, so that
 * nobody else who signs in here reads it.
 */
const storedKey = (subject: string): string => {
  const session = currentSession()
  return `draft.${session?.user.id}.${session?.account.id}.${subject}`
}

export const storedDraft = (subject: string): string | undefined =>
  readStored(storedKey(subject)) || undefined

/** An empty text removes it. */
export function storeDraft(subject: string, text: string): void {
  if (text.trim()) writeStored(storedKey(subject), text)
  else removeStored(storedKey(subject))
}

/** The text of a form that is stored as it is written. */
export function useStoredDraft(subject: string, initial = ''): [string, (text: string) => void] {
  const [text, setText] = useState(() => storedDraft(subject) ?? initial)
  const write = (next: string) => {
    setText(next)
    storeDraft(subject, next === initial ? '' : next)
  }
  return [text, write]
}
