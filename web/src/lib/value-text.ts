/** Values of the journal as people read them. */
import { formatNumber, humanize } from './format.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Undefined for what has no value. */
export function valueText(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (Array.isArray(value)) return value.map(valueText).filter(Boolean).join(', ') || undefined
  if (isObject(value)) return objectText(value)
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value)
}

/** "+43 1 234 (work, primary)" of an address, the name of a linked record, else each value after its key. */
function objectText(value: Record<string, unknown>): string | undefined {
  const main = value.email ?? value.phone ?? value.name
  if (main !== undefined) {
    const details = [value.type, value.is_primary === true && 'primary'].filter(Boolean)
    return `${String(main)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`
  }
  const texts = Object.entries(value).flatMap(([key, item]) => {
    const text = valueText(item)
    return text === undefined ? [] : `${humanize(key).toLowerCase()} ${text}`
  })
  return texts.join(', ') || undefined
}
