import { ATEXT, checkUnsafe, display, EmailError, unexpected } from './email-text.ts'

export interface Split {
  readonly local: string
  /** The local part without its quotes and escapes. */
  readonly unquoted: string
  readonly quoted: boolean
  readonly domain: string
  readonly hasDisplayName: boolean
}

const DISPLAY_CHARACTER = new RegExp(`^[ ${ATEXT}]$`)

/** Where `text` has the first of `specials` outside quotes. */
function findUnquoted(text: string, specials: string): number {
  let inQuotes = false
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if (inQuotes && character === '\\') i++
    else if (character === '"') inQuotes = !inQuotes
    // Followed by a combining mark it is another character: "<" and U+0338 are one sign, "not less than".
    else if (!inQuotes && specials.includes(character) && !combines(text, i)) return i
  }
  if (text.includes('＠')) {
    throw new EmailError(
      'The email address has the "full-width" at-sign (@) character instead of a regular at-sign.',
    )
  }
  if (text.includes('﹫')) {
    throw new EmailError(
      'The email address has the "small commercial at" character instead of a regular at-sign.',
    )
  }
  throw new EmailError('An email address must have an @-sign.')
}

const combines = (text: string, i: number): boolean => text.slice(i, i + 2).normalize('NFC')[0] !== text[i]

function unquote(text: string): { value: string; quoted: boolean } {
  if (!text.startsWith('"')) return { value: text, quoted: false }
  let value = ''
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '"') {
      const rest = [...text.slice(i + 1)]
      if (rest.length === 0) break
      throw new EmailError(`Extra character(s) found after close quote: ${rest.map(display).join(', ')}`)
    }
    if (text[i] === '\\') i++
    value += text[i] ?? ''
  }
  return { value, quoted: true }
}

function checkDisplayName(name: string): void {
  const { value, quoted } = unquote(name)
  const bad = quoted ? '' : unexpected(value, DISPLAY_CHARACTER)
  if (bad) throw new EmailError(`The display name contains invalid characters when not quoted: ${bad}.`)
  checkUnsafe(value, true)
}

/** The address between the angle brackets that `text` starts with. */
function withinBrackets(text: string): string {
  if (!text.includes('>')) {
    throw new EmailError(
      'An open angle bracket at the start of the email address has to be followed by a close angle bracket at the end.',
    )
  }
  const trimmed = text.replace(/ +$/, '')
  if (!trimmed.endsWith('>')) throw new EmailError("There can't be anything after the email address.")
  return trimmed.slice(1).replace(/>+$/, '')
}

/** Splits an address at its first @-sign outside quotes. */
export function splitEmail(email: string): Split {
  let address = email
  let at = findUnquoted(email, '@<')
  const hasDisplayName = email[at] === '<'
  if (hasDisplayName) {
    checkDisplayName(email.slice(0, at).trimEnd())
    address = withinBrackets(email.slice(at))
    at = findUnquoted(address, '@')
  }
  const local = address.slice(0, at)
  const { value, quoted } = unquote(local)
  return { local, unquoted: value, quoted, domain: address.slice(at + 1), hasDisplayName }
}
