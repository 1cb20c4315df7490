/** Reads properties of a caught value with a check, because anything can be thrown. */
import { property } from './values.ts'

export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** `ENOENT` of the operating system, a SQLSTATE, or the code of a library. */
export function codeOf(thrown: unknown): string | undefined {
  const code = property(thrown, 'code')
  return typeof code === 'string' ? code : undefined
}
