/** What a caught value says: anything can be thrown, so its properties are read with a check. */
import { property } from './values.ts'

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** `ENOENT` of the operating system, a SQLSTATE, or the code of a library. */
export function codeOf(thrown: unknown): string | undefined {
  const code = property(thrown, 'code')
  return typeof code === 'string' ? code : undefined
}
