/** What the service says about a column, in the words of this screen. */
import type { Import } from './kinds.ts'

/** Where the row itself already shows it. */
const SHOWN = ['not_imported']

/** The service names the options of the interface, which are fields of this screen. */
const worded = (message: string): string =>
  message
    .replace(/ \(options\.[^)]*\)/, '')
    .replace(/: set options\.\w+ if that is wrong/, '; choose how to read it at the right')

export const warningsOf = ({ warnings }: Import, column: string | null): string[] =>
  warnings
    .filter(warning => warning.column === column && !SHOWN.includes(warning.code))
    .map(({ message }) => worded(message))
