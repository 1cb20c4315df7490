import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { checkDots, checkUnsafe, codePointName, EmailError, excess, unexpected } from './email-text.ts'

const MAX_DOMAIN = 253
const MAX_LABEL = 63

const HOST_CHARACTER = /^[a-zA-Z0-9\-.\u0080-\u{10ffff}]$/u
const ASCII = /^[\0-\x7f]*$/
const LITERAL_CHARACTER = /^[\u0021-\u00fa]$/
const FULL_STOPS = /[\u3002\uff0e\uff61]/g
const RESERVED_LABEL = /^(?!xn)..--/iu

// IDNA 2008 admits letters, marks and digits in lower case, and a few characters in certain contexts.
const IDNA_CHARACTER =
  /^[-a-z0-9\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]$/u

export interface Domain {
  /** For people: Unicode, lower case. */
  readonly display: string
  /** For the protocol: ASCII. */
  readonly ascii: string
}

export function checkDomain(original: string): Domain {
  refuseStrangers(original, 'The part after the @-sign contains invalid characters')
  checkUnsafe(original)
  refuseHiddenPeriods(original)
  const domain = ASCII.test(original) ? original.toLowerCase() : foldCase(original)
  refuseStrangers(domain, 'The part after the @-sign contains invalid characters after Unicode normalization')
  checkDots(
    domain,
    'An email address cannot have a {} immediately after the @-sign.',
    'An email address cannot end with a {}.',
    true,
  )
  const labels = domain.split('.')
  if (labels.some(label => RESERVED_LABEL.test(label))) {
    throw new EmailError(
      'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.',
    )
  }
  const ascii = labels.map(label => (ASCII.test(label) ? label : encodeLabel(label))).join('.')
  checkLengths(ascii, original)
  if (!ascii.includes('.')) {
    throw new EmailError('The part after the @-sign is not valid. It should have a period.')
  }
  if (!/[a-z]$/.test(ascii)) {
    throw new EmailError('The part after the @-sign is not valid. It is not within a valid top-level domain.')
  }
  return { display: ascii.split('.').map(decodeLabel).join('.'), ascii }
}

function refuseStrangers(domain: string, what: string): void {
  const bad = unexpected(domain, HOST_CHARACTER)
  if (bad) throw new EmailError(`${what}: ${bad}.`)
}

/** Characters such as U+2024 turn into a period when normalised, which would move the border between labels. */
function refuseHiddenPeriods(domain: string): void {
  const hidden = [...domain].filter(c => c !== '.' && c !== '\uff0e' && c.normalize('NFKD').includes('.'))
  if (hidden.length === 0) return
  const bad = unexpected(hidden.join(''), /^$/)
  throw new EmailError(`The part after the @-sign contains invalid characters: ${bad}.`)
}

function foldCase(domain: string): string {
  return domain.replace(FULL_STOPS, '.').normalize('NFKC').toLowerCase().normalize('NFC')
}

function reasonAgainst(label: string): string | undefined {
  if (/^\p{M}/u.test(label)) return 'Label begins with an illegal combining character'
  const characters = [...label]
  const [at, bad] = [...characters.entries()].find(([, character]) => !IDNA_CHARACTER.test(character)) ?? []
  if (at === undefined || bad === undefined) return undefined
  return `Codepoint ${codePointName(bad)} at position ${at + 1} of '${label}' not allowed`
}

function encodeLabel(label: string): string {
  const reason = reasonAgainst(label)
  const ascii = reason ? '' : domainToASCII(label)
  if (ascii.startsWith('xn--') && ascii.length > MAX_LABEL) {
    throw new EmailError('The part after the @-sign is invalid (Label too long).')
  }
  if (ascii) return ascii
  throw new EmailError(`The part after the @-sign is invalid (${reason ?? 'Invalid label'}).`)
}

function decodeLabel(label: string): string {
  if (!label.startsWith('xn--')) return label
  const decoded = domainToUnicode(label)
  const reason =
    decoded === '' || decoded === label || domainToASCII(decoded) !== label
      ? 'Invalid A-label'
      : reasonAgainst(decoded)
  if (reason) throw new EmailError(`The part after the @-sign is not valid IDNA (${reason}).`)
  return decoded
}

function checkLengths(ascii: string, original: string): void {
  const over = ascii.length - MAX_DOMAIN
  if (over > 0) {
    const reason = ascii === original ? excess(over) : `${excess(over, 'byte')} after IDNA encoding`
    throw new EmailError(`The email address is too long after the @-sign (${reason}).`)
  }
  for (const label of ascii.split('.')) {
    if (label.length <= MAX_LABEL) continue
    const reason = excess(label.length - MAX_LABEL)
    throw new EmailError(`After the @-sign, periods cannot be separated by so many characters (${reason}).`)
  }
}

/** An address such as a@[127.0.0.1] is never accepted; the error names the first part that is wrong. */
export function refuseLiteral(literal: string): never {
  const prefix = 'The part after the @-sign'
  if (isIPv4(literal) || (literal.startsWith('IPv6:') && isIPv6(literal.slice(5)))) {
    throw new EmailError('A bracketed IP address after the @-sign is not allowed here.')
  }
  if (/^[0-9.]+$/.test(literal)) {
    throw new EmailError(
      'The address in brackets after the @-sign is not valid: It is not an IPv4 address or is missing an address literal tag.',
    )
  }
  if (literal.startsWith('IPv6:')) {
    throw new EmailError('The IPv6 address in brackets after the @-sign is not valid.')
  }
  if (!literal.includes(':')) {
    throw new EmailError(`${prefix} in brackets is not an IPv4 address and has no address literal tag.`)
  }
  const bad = unexpected(literal, LITERAL_CHARACTER)
  if (bad) throw new EmailError(`${prefix} contains invalid characters in brackets: ${bad}.`)
  throw new EmailError(`${prefix} contains an invalid address literal tag in brackets.`)
}
