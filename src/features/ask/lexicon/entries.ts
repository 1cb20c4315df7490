/** What the lexicons of all languages are written with. */

/** Phrases separated by commas. */
export const words = (text: string): string[] => text.trim().split(/\s*,\s*/)

export const is = (field: string, value: string) => ({ field, op: 'eq', value })
export const open = is('status', 'open')
export const undone = { field: 'status', op: 'in', value: ['planned', 'in_progress'] }

/** The numbers from zero on. */
export const numbered = (text: string): Record<string, number> =>
  Object.fromEntries(words(text).map((word, i) => [word, i]))

/** An inflected word with its like in English: "letzte", "letzten", "letzter" → last. */
export const forms = (stem: string, english: string): Record<string, string> =>
  Object.fromEntries(['e', 'en', 'er', 'es', 'em'].map(ending => [`${stem}${ending}`, english]))
