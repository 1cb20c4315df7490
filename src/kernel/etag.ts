import { hash } from 'node:crypto'

/**
 * A hash of the response text, so that it changes with everything the response shows, including names of linked
 * records.
 */
export const etagOf = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`

/** Whether an If-Match or If-None-Match header lists this tag. The weak prefix `W/`, which proxies add, is ignored. */
export const matchesEtag = (header: string, etag: string): boolean =>
  header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
