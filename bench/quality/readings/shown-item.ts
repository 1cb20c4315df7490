/** An item of a question as the training of the parser takes it. */
import type { Item } from '../../../src/features/ask/parser/items.ts'

/** The record and the field that a value is of: values of one are exchanged while the parser is trained. */
function typeOf(item: Item): string | undefined {
  if (item.kind !== 'value') return undefined
  const fields = [...JSON.stringify(item.where).matchAll(/"(?:field|some)":"([^"]+)"/g)].map(
    ([, name]) => name,
  )
  return `${item.entity} ${[...new Set(fields)].join(' ')}`
}

export const shown = (item: Item) => {
  const type = typeOf(item)
  return { kind: item.kind, said: item.said, text: item.text, ...(type ? { type } : {}) }
}
