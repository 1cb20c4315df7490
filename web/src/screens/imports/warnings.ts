/** What the service says about a column, in the words of this screen. */
import type { Import } from './kinds.ts'

/** Where the row itself already shows it. */
const SHOWN = ['not_imported']

const FIELDS: Readonly<Record<string, string>> = {
  date_format: 'Dates',
  decimal_separator: 'Numbers',
  pipeline: 'Go into',
  duplicate_strategy: 'Rows that are here already',
  match_on: 'Recognised by',
}

/** The service names the options of the interface, which are fields of this screen. */
export const worded = (message: string): string =>
  message
    .replace(/ \(options\.[^)]*\)/, '')
    .replace(
      /: set options\.(\w+) if that is wrong/,
      (_, name) => `; choose “${FIELDS[name] ?? name}” if that is wrong`,
    )
    .replace(
      /; options\.(\w+) sets another order/,
      (_, name) => `; choose another order in “${FIELDS[name] ?? name}”`,
    )
    .replace(/\boptions\.(\w+)/g, (_, name) => `“${FIELDS[name] ?? name.replaceAll('_', ' ')}”`)

export const warningsOf = ({ warnings }: Import, column: string | null): string[] =>
  warnings
    .filter(warning => warning.column === column && !SHOWN.includes(warning.code))
    .map(({ message }) => worded(message))
