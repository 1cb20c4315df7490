/** Numbers as the reader writes them: 1,234.5 or 1.234,5. */

/** The number in the input of a field, with the decimal mark of the reader and no other mark. */
export const numberText = (value: number, locale = navigator.language): string =>
  new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 }).format(value)

/** The decimal mark of a text, if it has one. */
function decimalMark(digits: string, locale: string): string | undefined {
  const marks = [...digits.matchAll(/[.,]/g)]
  const last = marks.at(-1)
  if (!last) return undefined
  if (marks.some(([mark]) => mark !== last[0])) return last[0]
  if (marks.length > 1) return undefined
  const ofReader = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')
  const hasThreeDigitsAfter = last.index === digits.length - 4
  return last[0] === ofReader?.value || !hasThreeDigitsAfter ? last[0] : undefined
}

/**
 * Undefined if the text is no number. One mark before three digits, as in 1.234, is the decimal mark where the reader
 * writes it so, and separates thousands elsewhere. Signs of currencies and per cent are ignored.
 */
export function parseNumber(text: string, locale = navigator.language): number | undefined {
  const digits = text.replaceAll(/[\s'’%\p{Sc}]/gu, '').replace('−', '-')
  const mark = decimalMark(digits, locale)
  const [whole = '', ...fraction] = mark ? digits.split(mark) : [digits]
  const plain = [whole.replaceAll(/[.,]/g, ''), ...fraction].join('.')
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : undefined
}
