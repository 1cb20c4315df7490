/** Which addresses a page may point to, and how they are written. */
import MarkdownIt from 'markdown-it'

const md = new MarkdownIt()

/** The address as markdown writes it, with invalid characters percent-encoded; undefined if it is not allowed. */
export function linkTarget(href: unknown): string | undefined {
  if (typeof href !== 'string' || href.length > MAX_LINK) return undefined
  return checked(href)
}

/** The same for an image, which may also be a `data:` address. */
export function imageSource(src: unknown): string | undefined {
  if (typeof src !== 'string') return undefined
  const trimmed = src.trim()
  if (trimmed.slice(0, 5).toLowerCase() === 'data:') return DATA_IMAGE.test(trimmed) ? trimmed : undefined
  return src.length > MAX_LINK ? undefined : checked(src)
}

const MAX_LINK = 8000
const DATA_IMAGE = /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z0-9+/]*={0,2}$/i

/** Refuses control characters: browsers skip them inside a scheme, so they could hide `javascript:`. */
function checked(address: string): string | undefined {
  const trimmed = address.trim()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (trimmed === '' || /[\u0000-\u001f\u007f]/.test(trimmed) || !md.validateLink(trimmed)) return undefined
  const written = md.normalizeLink(trimmed).replace(/[()<>\\"']/g, character => `%${hex(character)}`)
  return md.validateLink(written) ? written : undefined
}

const hex = (character: string) => character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')

/** What HTML may link to: the schemes named here, or an address without one. */
export function safeHref(href: string): string | undefined {
  const scheme = schemeOf(href)
  return scheme === undefined || LINK_SCHEMES.includes(scheme) ? href : undefined
}

export function safeImage(src: string): string | undefined {
  const scheme = schemeOf(src)
  if (scheme === 'data') return DATA_IMAGE.test(src.trim()) ? src.trim() : undefined
  return scheme === undefined || scheme === 'http' || scheme === 'https' ? src : undefined
}

const LINK_SCHEMES = ['http', 'https', 'mailto', 'tel', 'sms']

/** Browsers skip white space and control characters in front of a scheme and within it, so this does too. */
function schemeOf(address: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what browsers skip
  const bare = address.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]+/g, '')
  return /^([^/?#]*?):/.exec(bare)?.[1]?.toLowerCase()
}
