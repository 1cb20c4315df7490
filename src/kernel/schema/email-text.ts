/** Character classes of the e-mail rules, and the names of characters in messages. */

/**
 * Why a text is not an e-mail address; used within the e-mail files only. Not an Error: capturing an unused
 * stack would take ten times as long as the check itself.
 */
export class EmailError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export const ATEXT = "a-zA-Z0-9_!#$%&'*+\\-/=?^`{|}~"

const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u
const MARK = /^\p{M}$/u
const SPACE_SEPARATOR = /^\p{Zs}$/u

/** Python names a character that cannot be shown; these are the ones that occur in pasted addresses. */
const NAMES: Readonly<Record<string, string>> = {
  ' ': 'SPACE',
  '\u00a0': 'NO-BREAK SPACE',
  '\u00ad': 'SOFT HYPHEN',
  '\u2002': 'EN SPACE',
  '\u2003': 'EM SPACE',
  '\u2009': 'THIN SPACE',
  '\u200a': 'HAIR SPACE',
  '\u200b': 'ZERO WIDTH SPACE',
  '\u200c': 'ZERO WIDTH NON-JOINER',
  '\u200d': 'ZERO WIDTH JOINER',
  '\u200e': 'LEFT-TO-RIGHT MARK',
  '\u200f': 'RIGHT-TO-LEFT MARK',
  '\u2028': 'LINE SEPARATOR',
  '\u2029': 'PARAGRAPH SEPARATOR',
  '\u202a': 'LEFT-TO-RIGHT EMBEDDING',
  '\u202b': 'RIGHT-TO-LEFT EMBEDDING',
  '\u202c': 'POP DIRECTIONAL FORMATTING',
  '\u202d': 'LEFT-TO-RIGHT OVERRIDE',
  '\u202e': 'RIGHT-TO-LEFT OVERRIDE',
  '\u202f': 'NARROW NO-BREAK SPACE',
  '\u2060': 'WORD JOINER',
  '\u3000': 'IDEOGRAPHIC SPACE',
  '\ufeff': 'ZERO WIDTH NO-BREAK SPACE',
}

export function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A character as a message shows it: quoted when visible, else by name or number. */
export function display(character: string): string {
  if (character === '\\') return '"\\"'
  if (VISIBLE.test(character)) return character === "'" ? `"'"` : `'${character}'`
  const code = character.codePointAt(0) ?? 0
  return (
    NAMES[character] ??
    `U+${code
      .toString(16)
      .toUpperCase()
      .padStart(code < 0xffff ? 4 : 8, '0')}`
  )
}

/** Every character of `text` outside `allowed`, once each, sorted, ready for a message; '' when there is none. */
export function unexpected(text: string, allowed: RegExp): string {
  const names = new Set<string>()
  for (const character of text) if (!allowed.test(character)) names.add(display(character))
  return [...names].sort().join(', ')
}

/** Refuses what would break or disguise the text around it: controls, invisible and bidirectional characters. */
export function checkUnsafe(text: string, allowSpace = false): void {
  const unsafe = new Set<string>()
  let first = true
  for (const character of text) {
    const safe =
      VISIBLE.test(character) ||
      (MARK.test(character) && !first) ||
      (allowSpace && SPACE_SEPARATOR.test(character))
    if (!safe) unsafe.add(character)
    first = false
  }
  if (unsafe.size === 0) return
  throw new EmailError(
    `The email address contains unsafe characters: ${[...unsafe].sort().map(display).join(', ')}.`,
  )
}

/** Periods are only allowed between other characters; in a domain, hyphens only inside a label. */
export function checkDots(text: string, atStart: string, atEnd: string, hostname: boolean): void {
  const refuse = (reason: string): never => {
    throw new EmailError(reason)
  }
  if (text.endsWith('.')) refuse(atEnd.replace('{}', 'period'))
  if (text.startsWith('.')) refuse(atStart.replace('{}', 'period'))
  if (text.includes('..')) refuse('An email address cannot have two periods in a row.')
  if (!hostname) return
  if (text.endsWith('-')) refuse(atEnd.replace('{}', 'hyphen'))
  if (text.startsWith('-')) refuse(atStart.replace('{}', 'hyphen'))
  if (text.includes('.-') || text.includes('-.')) {
    refuse('An email address cannot have a period and a hyphen next to each other.')
  }
}

/** How far over its limit a text is, in the wording shared by all length rules. */
export function excess(count: number, unit = 'character'): string {
  return `${count} ${unit}${count > 1 ? 's' : ''} too many`
}
