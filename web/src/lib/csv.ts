/** Files of the service for spreadsheets. */

/** Reading an answer as text takes the mark from its beginning, without which Excel reads ü as Ã¼. */
const BYTE_ORDER_MARK = '\uFEFF'

/** A field in quotes, in which two of them are one, or without. */
const FIELD = /("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r?\n|$)/y

/** Excel separates columns by the list separator of its country: a semicolon where the decimal mark is a comma. */
export function usualDelimiter(locale = navigator.language): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ';' : ','
}

/** A CSV text with commas, with this delimiter instead, as a spreadsheet opens it. */
export function csvFor(delimiter: string, text: string): string {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  return BYTE_ORDER_MARK + (delimiter === ',' ? plain : delimited(delimiter, plain))
}

function delimited(delimiter: string, text: string): string {
  let result = ''
  FIELD.lastIndex = 0
  while (FIELD.lastIndex < text.length) {
    const [, field = '', end = ''] = FIELD.exec(text) ?? []
    if (field === '' && end === '') return text
    const needsQuotes = !field.startsWith('"') && field.includes(delimiter)
    result += (needsQuotes ? `"${field}"` : field) + (end === ',' ? delimiter : end)
  }
  return result
}
