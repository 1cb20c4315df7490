/** Parts of the web client that need no browser. */
import { describe, expect, it } from 'vitest'
import { numberText, parseNumber } from '../../web/src/lib/numbers.ts'
import { DEFAULT_RULES } from '../../web/src/screens/imports/missing.ts'
import { boundOf, dayOfBound, filtersOf, whereOf } from '../../web/src/screens/lists/filters.ts'

describe('numbers that people write', () => {
  it.each([
    ['1234.5', 'en-GB', 1234.5],
    ['1,234.5', 'en-GB', 1234.5],
    ['1,234', 'en-GB', 1234],
    ['1,5', 'en-GB', 1.5],
    ['1.234', 'en-GB', 1.234],
    ['1.234,5', 'de-DE', 1234.5],
    ['1.234', 'de-DE', 1234],
    ['1,234', 'de-DE', 1.234],
    ['1.5', 'de-DE', 1.5],
    ['1.234.567', 'de-DE', 1_234_567],
    ['1’234.50', 'de-CH', 1234.5],
    ['1 234,50 €', 'fr-FR', 1234.5],
    ['−12 %', 'de-DE', -12],
    ['.5', 'en-GB', 0.5],
  ])('reads %s in %s', (text, locale, value) => {
    expect(parseNumber(text, locale)).toBe(value)
  })

  it.each(['', 'twelve', '1-2', '12 apples', '1.2,3.4'])('refuses "%s"', text => {
    expect(parseNumber(text, 'en-GB')).toBeUndefined()
  })

  it.each([0, -3, 1.234, 1234.567, 1_000_000, 0.000_001])('reads %d again as it is shown', value => {
    for (const locale of ['en-GB', 'de-DE', 'fr-FR'])
      expect(parseNumber(numberText(value, locale), locale)).toBe(value)
  })
})

describe('filters by day', () => {
  it('include the whole last day, and are the same chips when they are read again', () => {
    for (const [filter, condition] of [
      [
        { field: 'due_at', op: 'lte', value: 'today' },
        { field: 'due_at', op: 'lt', value: 'today+1' },
      ],
      [
        { field: 'due_at', op: 'lte', value: 'today-1' },
        { field: 'due_at', op: 'lt', value: 'today' },
      ],
      [
        { field: 'due_at', op: 'gte', value: 'today-7' },
        { field: 'due_at', op: 'gte', value: 'today-7' },
      ],
      [
        { field: 'due_at', op: 'lte', value: 'month' },
        { field: 'due_at', op: 'lte', value: 'month' },
      ],
    ] as const) {
      expect(whereOf([filter])).toEqual(condition)
      expect(filtersOf(condition)).toEqual([filter])
    }
  })

  it('begin and end with the day of the reader', () => {
    expect(Date.parse(boundOf('2026-03-05', true)) - Date.parse(boundOf('2026-03-05', false))).toBe(
      86_399_999,
    )
    for (const isEnd of [false, true]) expect(dayOfBound(boundOf('2026-03-05', isEnd))).toBe('2026-03-05')
    expect(dayOfBound('2026-03-31T23:59:59.999Z')).toBe('2026-03-31')
  })
})

it('shows the rules of an import that the service applies', async () => {
  // by a variable, because the sources of the service are checked with other types
  const source = new URL('../../src/features/transfer/imports/options.ts', import.meta.url).href
  const { DEFAULTS } = await import(source)
  expect(DEFAULT_RULES).toEqual(DEFAULTS)
})
