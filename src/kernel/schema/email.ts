import { checkDomain, refuseLiteral } from './email-domain.ts'
import { splitEmail } from './email-split.ts'
import { ATEXT, checkDots, checkUnsafe, EmailError, excess, unexpected } from './email-text.ts'
import { notText } from './text.ts'
import { fail, type Meta, type Schema, schema } from './types.ts'

/** Bounds the work on a hostile text, not all of which is linear. */
const MAX_INPUT = 2048
const MAX_ADDRESS = 254

const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const INTL = `${ATEXT}\\u0080-\\u{10ffff}`
const LOCAL = `[${ATEXT}]+(?:\\.[${ATEXT}]+)*`

const PLAIN_ADDRESS = new RegExp(`^(${LOCAL})@((?:${LABEL}\\.)+${LABEL})(?<=[a-zA-Z])$`)
const ASCII_LOCAL = new RegExp(`^${LOCAL}$`)
const INTL_LOCAL = new RegExp(`^[${INTL}]+(?:\\.[${INTL}]+)*$`, 'u')
const INTL_LOCAL_CHARACTER = new RegExp(`^[.${INTL}]$`, 'u')
const QUOTED_CHARACTER = /^[\x20-\x7e\u0080-\u{10ffff}]$/u

// Python's idea of white space, which String.prototype.trim does not share.
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const NAME = "[\\p{L}\\p{N}_!#$%&'*+\\-/=?^`{|}~]+"
const DISPLAY_NAME = new RegExp(
  `^${SPACE}*(?:(?:${NAME}${SPACE}+)*${NAME}|"[^]+")?${SPACE}*<(.+)>${SPACE}*$`,
  'u',
)
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g')

/** RFC 2142 makes these the same mailbox in any case. */
const ROLE_MAILBOXES = new Set(
  'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp'.split(
    ' ',
  ),
)

function foldRole(local: string): string {
  const lower = local.toLowerCase()
  // The Kelvin sign also becomes k in lower case.
  return ROLE_MAILBOXES.has(lower) && ASCII_LOCAL.test(local) ? lower : local
}

function checkLocal(local: string, quoted: boolean): void {
  if (local === '') throw new EmailError('There must be something before the @-sign.')
  if (ASCII_LOCAL.test(local)) return
  const international = INTL_LOCAL.test(local)
  if (!international) checkCharacters(local, quoted)
  if (international || quoted) {
    checkUnsafe(local, !international)
  } else {
    const atEnd = 'An email address cannot have a {} immediately before the @-sign.'
    checkDots(local, 'An email address cannot start with a {}.', atEnd, false)
  }
}

function checkCharacters(local: string, quoted: boolean): void {
  const bad = unexpected(local, quoted ? QUOTED_CHARACTER : INTL_LOCAL_CHARACTER)
  const where = quoted ? 'in quotes before the @-sign' : 'before the @-sign'
  if (bad) throw new EmailError(`The email address contains invalid characters ${where}: ${bad}.`)
}

/** The composed form may contain new characters: U+037E composes to a semicolon. */
function composeLocal(local: string): string {
  const composed = local.normalize('NFC')
  if (composed === local) return local
  try {
    checkLocal(composed, false)
  } catch (error) {
    if (error instanceof EmailError) throw new EmailError(`After Unicode normalization: ${error.message}`)
    throw error
  }
  return composed
}

function checkLength(address: string, form?: string): void {
  const over = Buffer.byteLength(address) - MAX_ADDRESS
  if (over <= 0) return
  const tooLong = (reason: string): never => {
    throw new EmailError(`The email address is too long ${reason}.`)
  }
  if (form) tooLong(`${form} (${excess(over, 'byte')})`)
  const widest = Math.max(...Array.from(address, character => Buffer.byteLength(character)))
  const fewest = Math.max(1, Math.floor(over / widest))
  // Removing characters of several bytes takes fewer removals than bytes, so only a range is known.
  tooLong(fewest === over ? `(${excess(over)})` : `(${fewest}-${excess(over)})`)
}

/** The normalised address, by the rules of the Python library email-validator and in its words. */
function parseEmail(address: string): string {
  const { local, unquoted, quoted, domain, hasDisplayName } = splitEmail(address)
  checkLocal(unquoted, quoted)
  if (quoted) throw new EmailError('Quoting the part before the @-sign is not allowed here.')
  const mailbox = foldRole(composeLocal(unquoted))
  if (domain === '') throw new EmailError('There must be something after the @-sign.')
  if (domain.startsWith('[') && domain.endsWith(']')) return refuseLiteral(domain.slice(1, -1))
  const { display, ascii } = checkDomain(domain)
  checkLength(`${local}@${domain}`)
  checkLength(`${mailbox}@${display}`, 'after normalization')
  checkLength(`${mailbox}@${ascii}`, 'when the part after the @-sign is converted to IDNA ASCII')
  if (hasDisplayName) {
    throw new EmailError('A display name and angle brackets around the email address are not permitted here.')
  }
  return `${mailbox}@${display}`
}

/** The fast path for nearly every address; two hyphens in a row may be Punycode and need the full check. */
function parsePlain(input: string): string | undefined {
  if (input.length > MAX_ADDRESS || input.includes('--')) return undefined
  const [, local, domain] = PLAIN_ADDRESS.exec(input) ?? []
  return local === undefined || domain === undefined
    ? undefined
    : `${foldRole(local)}@${domain.toLowerCase()}`
}

/** An address, or `Name <address>` of which the name is dropped. */
function parseInput(input: string): string {
  // Counted in UTF-16 units, at most twice too strict, for a text eight times longer than any address.
  if (input.length > MAX_INPUT) throw new EmailError(`Length must not exceed ${MAX_INPUT} characters`)
  const address = input.includes('<') ? (DISPLAY_NAME.exec(input)?.[1] ?? input) : input
  return parseEmail(address.replace(OUTER_SPACE, ''))
}

/** The syntax that Pydantic's EmailStr accepts, without a DNS lookup; reserved endings such as `.test` are allowed. */
export function email(options?: Meta): Schema<string> {
  return schema({ type: 'string', format: 'email' }, options, (input, loc, issues) => {
    if (typeof input !== 'string') return notText(issues, loc, input)
    try {
      return parsePlain(input) ?? parseInput(input)
    } catch (error) {
      if (!(error instanceof EmailError)) throw error
      const reason = error.message
      return fail(issues, loc, input, 'value_error', `value is not a valid email address: ${reason}`, {
        reason,
      })
    }
  })
}
