/** What people wrote down as the meaning of questions whose readings have the right answer by chance, or none. */
import { readFileSync } from 'node:fs'
import type { Meaning } from '../../../src/features/ask/understand/meaning.ts'
import { normalised } from '../../../src/features/ask/understand/normal.ts'
import type { LoadedSet } from './sets.ts'

/** By set and question; "$Acme" is the id of the record that is called so. */
const MEANT: Record<string, Record<string, Meaning | null>> = JSON.parse(
  readFileSync(new URL('./meant.json', import.meta.url), 'utf8'),
)

/** Null is what cannot be said or is not clear; undefined what nobody wrote down. */
export function meantBy({ name, memory }: LoadedSet, question: string): Meaning | null | undefined {
  const meaning = MEANT[name]?.[question]
  if (!meaning) return meaning
  const ids = new Map(memory.items.map(item => [`$${item.full_name ?? item.name ?? item.subject}`, item.id]))
  const resolved = JSON.stringify(meaning).replace(
    /"(\$[^"]+)"/g,
    (_, called) => `"${ids.get(called) ?? called}"`,
  )
  return normalised(JSON.parse(resolved))
}
