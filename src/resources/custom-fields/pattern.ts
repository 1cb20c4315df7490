/**
 * Patterns that clients declare for custom fields. A backtracking engine can run for years on a short
 * pattern and a short text, so RE2 runs them in linear time. RE2 has no lookaround and no back references;
 * patterns that need them are refused.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'

export class UnsafePattern extends Error {}

export const MAX_PATTERN = 500
/** `\p{L}{1000}` compiles to 1,002 instructions and takes 0.6 s on 2,048 characters; 400 keep the worst near 0.1 s. */
const MAX_INSTRUCTIONS = 400

/** Returns a test for a match anywhere in the text. The syntax is JavaScript's with the `u` flag. */
export function compilePattern(pattern: string): (text: string) => boolean {
  try {
    new RegExp(pattern, 'u')
  } catch {
    throw new UnsafePattern('this is not a regular expression')
  }
  const compiled = compile(withWholeCharacters(pattern))
  if (compiled.programSize() > MAX_INSTRUCTIONS) throw new UnsafePattern('this pattern is too large')
  return text => compiled.test(text)
}

function compile(pattern: string): RE2JS {
  // RE2JS reads a named back reference as the letter k, so look for these first
  if (pattern.match(/\\./gs)?.some(sequence => /[1-9k]/.test(sequence))) {
    throw new UnsafePattern('a pattern cannot refer back to a group')
  }
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern))
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    const looks = /\(\?<?[=!]/.test(error.input ?? '')
    throw new UnsafePattern(
      looks ? 'a pattern cannot look ahead or behind' : `${error.input} cannot be used here`,
    )
  }
}

/** RE2 knows characters, not halves of them: `\ud83d\ude01` becomes `\u{1f601}`. */
const withWholeCharacters = (pattern: string): string =>
  pattern.replace(
    /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/gi,
    (_, high: string, low: string) =>
      `\\u{${String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0)?.toString(16)}}`,
  )
