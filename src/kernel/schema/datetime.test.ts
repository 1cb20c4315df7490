import { describe, expect, test } from 'vitest'
import { date, datetime } from './index.ts'
import { fault, run } from './testing.ts'

describe('datetime', () => {
  test.each([
    ['2024-01-31T12:13:14Z', '2024-01-31T12:13:14.000Z'],
    ['2024-01-31t12:13:14z', '2024-01-31T12:13:14.000Z'],
    ['2024-01-31 12:13', '2024-01-31T12:13:00.000Z'],
    ['2024-01-31_12:13:14,5', '2024-01-31T12:13:14.500Z'],
    ['2024-01-31T12:13:14.1239999999', '2024-01-31T12:13:14.123Z'],
    ['2024-01-31T00:13:14+02:00', '2024-01-30T22:13:14.000Z'],
    ['2024-12-31T23:59:59-0330', '2025-01-01T03:29:59.000Z'],
    ['2024-01-31T12:13:14\u221203:00', '2024-01-31T15:13:14.000Z'],
    ['2024-01-31', '2024-01-31T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0099-02-28', '0099-02-28T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [1706703194, '2024-01-31T12:13:14.000Z'],
    [1706703194.001, '2024-01-31T12:13:14.001Z'],
    [1706703194123, '2024-01-31T12:13:14.123Z'],
    ['1706703194', '2024-01-31T12:13:14.000Z'],
    ['1706703194.5', '2024-01-31T12:13:14.500Z'],
    [20000000000, '2603-10-11T11:33:20.000Z'],
    [20000000001, '1970-08-20T11:33:20.001Z'],
    [-1, '1969-12-31T23:59:59.000Z'],
  ])('takes %j', (input, value) => expect(run(datetime(), input)).toBe(value))

  test.each([
    ['', 'input is too short'],
    ['abc', 'input is too short'],
    ['not a date!', 'invalid character in year'],
    ['2024-1x-01', 'invalid character in month'],
    ['2024-01-x1', 'invalid character in day'],
    ['2024-13-01', 'month value is outside expected range of 1-12'],
    ['2024-02-30', 'day value is outside expected range'],
    ['2023-02-29T00:00:00Z', 'day value is outside expected range'],
    ['2024-01-31T25:00:00Z', 'unexpected extra characters at the end of the input'],
    ['2024-01-31T12:13:14+02', 'unexpected extra characters at the end of the input'],
    ['999999999999999', 'dates after 9999 are not supported as unix timestamps'],
  ])('refuses %j', (input, error) => {
    expect(fault(datetime(), input)).toEqual({
      type: 'datetime_from_date_parsing',
      msg: `Input should be a valid datetime or date, ${error}`,
      ctx: { error },
    })
  })

  test.each([
    ['0000-01-01T00:00:00Z', 'year 0 is out of range'],
    ['0001-01-01T00:00:00+01:00', 'year 0 is out of range'],
    ['9999-12-31T23:00:00-01:00', 'year 10000 is out of range'],
    [1e300, 'dates after 9999 are not supported as unix timestamps'],
    [-1e300, 'dates before 0000 are not supported as unix timestamps'],
    [Number.NaN, 'NaN values not permitted'],
  ])('refuses %j', (input, error) =>
    expect(fault(datetime(), input)).toEqual({
      type: 'datetime_parsing',
      msg: `Input should be a valid datetime, ${error}`,
      ctx: { error },
    }),
  )

  test.each([null, true, [], {}])('refuses %j', input =>
    expect(fault(datetime(), input)).toEqual({
      type: 'datetime_type',
      msg: 'Input should be a valid datetime',
    }),
  )
})

describe('date', () => {
  test.each([
    ['2024-01-31', '2024-01-31'],
    ['2024-02-29', '2024-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['2024-01-31T00:00:00Z', '2024-01-31'],
    ['2024-01-31T00:00+14:00', '2024-01-31'],
    [1706659200, '2024-01-31'],
    ['1706659200', '2024-01-31'],
    [1706659200000, '2024-01-31'],
  ])('takes %j', (input, value) => expect(run(date(), input)).toBe(value))

  test.each(['2024-01-31T00:00:01Z', '2024-01-31T00:00:00.000001Z', 1706659201, 1706659200.5])(
    'refuses the time in %j',
    input =>
      expect(fault(date(), input)).toEqual({
        type: 'date_from_datetime_inexact',
        msg: 'Datetimes provided to dates should have zero time - e.g. be exact dates',
      }),
  )

  test.each([
    ['', 'input is too short'],
    ['not a date!', 'invalid character in year'],
    ['2024-02-30', 'day value is outside expected range'],
    ['2024-01-31x', 'invalid datetime separator, expected `T`, `t`, `_` or space'],
    ['2024-01-31T', 'input is too short'],
    ['2024-01-31Tx0:00', 'invalid character in hour'],
    ['2024-01-31T00-00', 'invalid time separator, expected `:`'],
    ['2024-01-31T00:0x', 'invalid character in minute'],
    ['2024-01-31T24:00', 'hour value is outside expected range of 0-23'],
    ['2024-01-31T00:60', 'minute value is outside expected range of 0-59'],
    ['2024-01-31T00:00:0', 'invalid character in second'],
    ['2024-01-31T00:00:60', 'second value is outside expected range of 0-59'],
    ['2024-01-31T00:00:00.', 'second fraction digits missing after `.`'],
    ['2024-01-31T00:00:00x', 'invalid timezone sign'],
    ['2024-01-31T00:00:00+x', 'invalid timezone hour'],
    ['2024-01-31T00:00:00+02', 'invalid timezone minute'],
    ['2024-01-31T00:00:00+02:60', 'timezone minute value is outside expected range of 0-59'],
    ['2024-01-31T00:00:00+24:00', 'timezone offset must be less than 24 hours'],
    ['2024-01-31T00:00:00Zx', 'unexpected extra characters at the end of the input'],
    [1e300, 'dates after 9999 are not supported as unix timestamps'],
  ])('refuses %j', (input, error) =>
    expect(fault(date(), input)).toEqual({
      type: 'date_from_datetime_parsing',
      msg: `Input should be a valid date or datetime, ${error}`,
      ctx: { error },
    }),
  )

  test.each([
    ['03.03.2026', 'invalid character in year'],
    ['3/31/2026', 'input is too short'],
    ['2026/01/31', 'invalid date separator, expected `-`'],
  ])('refuses %j and names the accepted formats', (input, error) => {
    expect(fault(date(), input).msg).toBe(
      `Input should be a valid date or datetime, ${error}; write it as 2026-01-31`,
    )
    expect(fault(datetime(), input).msg).toBe(
      `Input should be a valid datetime or date, ${error}; write it as 2026-01-31T09:30:00Z or 2026-01-31`,
    )
  })

  test('the year 0 is a date of its own kind', () =>
    expect(fault(date(), '0000-01-01')).toEqual({
      type: 'date_parsing',
      msg: 'Input should be a valid date in the format YYYY-MM-DD, year 0 is out of range',
      ctx: { error: 'year 0 is out of range' },
    }))

  test.each([null, false, [], {}])('refuses %j', input =>
    expect(fault(date(), input)).toEqual({ type: 'date_type', msg: 'Input should be a valid date' }),
  )
})
