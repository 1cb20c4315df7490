/** Figures in a sentence of the service, in the format of the reader's locale. */

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** "2400000 EUR", "2026-03-05", and "12345 contacts": a code, a phone number or a year is none of these. */
const FIGURES =
  /(?<![\p{L}\p{N}.,:#+/-])(?:(?<amount>-?\d+(?:\.\d+)?) (?<currency>[A-Z]{3})(?![\p{L}\p{N}])|(?<day>\d{4}-\d\d-\d\d)(?![\p{L}\p{N}:.-]*[\p{L}\p{N}])|(?<count>[1-9]\d{4,})(?= \p{Ll}))/gu

export function localFigures(text: string, locale = navigator.language): string {
  return text.replaceAll(FIGURES, (match, ...args) => {
    const { amount, currency, day, count } = args.at(-1) as Record<string, string | undefined>
    if (count) return new Intl.NumberFormat(locale).format(Number(count))
    if (day) return dayText(day, locale) ?? match
    if (!currency || !CURRENCIES.has(currency)) return match
    const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
    return new Intl.NumberFormat(locale, style).format(Number(amount))
  })
}

function dayText(day: string, locale: string): string | undefined {
  const time = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(time.getTime())) return undefined
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(time)
}
