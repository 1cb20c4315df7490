/** How other products name a person in one cell: a name, an address, or both. */
import { at, first, last } from '../../../lib/values.ts'
import { isEmailLike } from './infer.ts'

export interface PersonName {
  name: string
  email: string | undefined
}

/** `Ann Lee (ann@x.example)`, `Ann Lee <ann@x.example>`, `ann@x.example`, `Ann Lee` */
export function personName(text: string): PersonName {
  const trimmed = text.trim()
  const both = /^(.*?)\s*[(<]([^()<>\s]+@[^()<>\s]+)[)>]$/.exec(trimmed)
  if (both) return { name: at(both, 1).replace(/^"(.*)"$/, '$1'), email: at(both, 2) }
  return isEmailLike(trimmed) ? { name: '', email: trimmed } : { name: trimmed, email: undefined }
}

/** "Lovelace, Ada" → "Ada Lovelace"; undefined for a name that is written without exactly one comma. */
export function turnedName(name: string): string | undefined {
  const parts = /^([^,;]+),\s*([^,;]+)$/.exec(name.trim())
  return parts ? `${at(parts, 2).trim()} ${at(parts, 1).trim()}` : undefined
}

/** "Ada King Lovelace" and "Lovelace, Ada King" */
export function splitName(name: string): { first_name: string; last_name?: string } {
  const comma = /^([^,]+),\s*([^,]+)$/.exec(name)
  if (comma) return { first_name: at(comma, 2).trim(), last_name: at(comma, 1).trim() }
  const words = name.trim().split(/\s+/)
  if (words.length === 1) return { first_name: first(words) }
  return { first_name: words.slice(0, -1).join(' '), last_name: last(words) }
}
