import { createHash } from 'node:crypto'

/** Of the answer's text, so that it changes with everything the record shows, also the names of linked records. */
export const etagOf = (body: string): string => `"${createHash('sha1').update(body).digest('base64url')}"`

/** Does an If-Match or If-None-Match header name this tag? A weak mark, which proxies add, is looked past. */
export const matchesEtag = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
