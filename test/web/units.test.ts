/** Parts of the web client that need no browser. */
import { describe, expect, it } from 'vitest'
import { numberText, parseNumber } from '../../web/src/lib/numbers.ts'
import { problemsIn, textOf } from '../../web/src/lib/problems.ts'
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

describe('values that the service refuses', () => {
  it.each([
    ['missing', ['name'], 'Field required', {}, 'Name: This is required'],
    ['string_too_short', ['password'], '', { min_length: 8 }, 'Password: Enter 8 characters or more'],
    ['string_too_short', ['name'], '', { min_length: 1 }, 'Name: This cannot be empty'],
    ['less_than_equal', ['probability'], '', { le: 100 }, 'Probability: Enter 100 or less'],
    ['literal_error', ['type'], '', { expected: "'task' or 'call'" }, 'Type: Choose task or call'],
    [
      'value_error',
      ['current_password'],
      'Value error, this is not your current password',
      {},
      'Current password: This is not your current password',
    ],
    [
      'value_error',
      [],
      'Value error, end_at must not be before start_at',
      {},
      'End must not be before start',
    ],
    [
      'value_error',
      ['email'],
      'value is not a valid email address: An email address must have an @-sign.',
      {},
      'Email: This is not an email address: An email address must have an @-sign',
    ],
    [
      'string_pattern_mismatch',
      ['slug'],
      "String should match pattern '^[a-z0-9]+(?:-[a-z0-9]+)*$'",
      { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' },
      'Slug: Use small letters, digits and single hyphens between them, such as rill-sensors',
    ],
    [
      'value_error',
      ['token'],
      'Value error, this token never existed',
      {},
      'This link was used before or has expired. Ask for a new one',
    ],
  ])('are explained to people: %s at %j', (type, names, msg, ctx, text) => {
    expect(textOf(problemsIn([{ type, loc: ['body', ...names], msg, ctx }]))).toBe(text)
  })

  it('are put at their fields, those of lists and custom fields too', () => {
    const fields = [['scopes', 0], ['metadata', 'colour'], ['name'], []]
    const issues = fields.map(path => ({ type: 'missing', loc: ['body', ...path], msg: '' }))
    expect(problemsIn(issues).map(({ field }) => field)).toEqual(['scopes', 'cf.colour', 'name', ''])
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
