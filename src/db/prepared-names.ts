/** There are few statement texts that come again (values are parameters); each is prepared once per connection. */
const MAX_PREPARED = 500
/** Texts that came once are remembered up to this many. */
const MAX_SEEN = 2000

/**
 * The name under which a statement is prepared, or undefined. A text gets one when it comes the second time: filters,
 * queries and imports produce any number of texts that come once, and the first 500 of them used to take every name.
 */
export function preparedNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const seen = new Set<string>()
  return text => {
    const name = names.get(text)
    if (name !== undefined || names.size >= MAX_PREPARED) return name
    if (!seen.delete(text)) {
      if (seen.size >= MAX_SEEN) seen.clear()
      seen.add(text)
      return undefined
    }
    const added = `k${names.size}`
    names.set(text, added)
    return added
  }
}
