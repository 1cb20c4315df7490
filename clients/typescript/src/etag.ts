/** ETags of the records that answers have returned, for as long as the program uses them. */
const etags = new WeakMap<object, string>()

export function rememberEtag(record: unknown, response: Response): void {
  const etag = response.headers.get('etag')
  if (etag !== null && typeof record === 'object' && record !== null) etags.set(record, etag)
}

/** The ETag of a record that an answer returned alone; lists carry none. */
export function etagOf(record: string | object): string {
  if (typeof record === 'string') return record
  const etag = etags.get(record)
  if (etag === undefined)
    throw new TypeError('ifMatch needs a record as get, create or update returned it, or an ETag')
  return etag
}
