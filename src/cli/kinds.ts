/** The kinds of record as the command line calls them: the plural, as in the paths of the API. */
import { UsageError } from './command.ts'

const KINDS = {
  companies: 'company',
  contacts: 'contact',
  deals: 'deal',
  activities: 'activity',
  notes: 'note',
  products: 'product',
} as const

export type Kind = (typeof KINDS)[keyof typeof KINDS]
export const kindNames: readonly string[] = Object.keys(KINDS)

export function kindOf(name: string): Kind {
  const entry = Object.entries(KINDS).find(([plural, kind]) => name === plural || name === kind)
  if (!entry) throw new UsageError(`"${name}" is not a kind of record; kinds are ${kindNames.join(', ')}.`)
  return entry[1]
}
