/** A record that a row names does not exist: the row fails, or is imported without it, with a warning. */
import type { Draft } from './draft.ts'
import { rowError } from './row-values.ts'

export function noteMissing(
  draft: Draft,
  field: string,
  label: string,
  value: string,
  rule: 'fail' | 'empty' | 'create',
): 'failed' | undefined {
  const note = (message: string) => rowError('reference_not_found', message, value, null, field)
  if (rule === 'empty') {
    draft.warnings.push(note(`${label} not found: left out`))
    return undefined
  }
  draft.errors.push(note(`${label} not found`))
  return 'failed'
}

const DISTINCT: Record<string, string> = {
  companies: 'a column with its domain or its id',
  contacts: 'a column with the email address or the id',
  members: 'the email address instead of the name',
}

const VERBS = { name: 'are called', address: 'have the address', domain: 'have the domain' } as const

/** The name fits more than one record. Linking the first of them would be a guess. */
export function noteSeveral(
  draft: Draft,
  field: string,
  table: string,
  { several, by }: { several: string; by: keyof typeof VERBS },
  rule: 'fail' | 'empty' | 'create',
): void {
  const value = several.trim().slice(0, 100)
  const how = table === 'members' ? 'write' : 'add'
  const advice = `${how} ${DISTINCT[table] ?? 'a column with the id'} to say which one is meant`
  const isLeftOut = rule !== 'fail'
  const message = `Two ${table} or more ${VERBS[by]} “${value}”${isLeftOut ? ', so this link is left out' : ''}: ${advice}`
  const note = rowError('ambiguous_reference', message, several, null, field)
  if (isLeftOut) draft.warnings.push(note)
  else draft.errors.push(note)
}
