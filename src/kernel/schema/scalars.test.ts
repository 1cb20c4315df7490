import { describe, expect, test } from 'vitest'
import { boolean, int, number } from './index.ts'
import { fault, run } from './testing.ts'

const INT_PARSING = 'Input should be a valid integer, unable to parse string as an integer'
const INT4 = { max: 'Input should be less than or equal to 2147483647' }

describe('int', () => {
  test.each([
    [5, 5],
    [2.0, 2],
    ['5', 5],
    [' 5 ', 5],
    ['\u00a05\n', 5],
    ['+5', 5],
    ['-007', -7],
    ['1_000', 1000],
    ['5.00', 5],
    [true, 1],
    [false, 0],
    [-2147483648, -2147483648],
    ['2147483647', 2147483647],
  ])('takes %j', (input, value) => expect(run(int(), input)).toBe(value))

  test('an integer has no negative zero', () => expect(run(int(), '-0')).toBe(0))

  test.each([
    [1.5, 'int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
    [Number.NaN, 'finite_number', 'Input should be a finite number'],
    [Number.POSITIVE_INFINITY, 'finite_number', 'Input should be a finite number'],
    ['abc', 'int_parsing', INT_PARSING],
    ['1.5', 'int_parsing', INT_PARSING],
    ['5.', 'int_parsing', INT_PARSING],
    ['1__0', 'int_parsing', INT_PARSING],
    ['_1', 'int_parsing', INT_PARSING],
    ['1e3', 'int_parsing', INT_PARSING],
    ['', 'int_parsing', INT_PARSING],
    [
      '9'.repeat(5000),
      'int_parsing_size',
      'Unable to parse input string as an integer, exceeded maximum size',
    ],
    [null, 'int_type', 'Input should be a valid integer'],
    [[], 'int_type', 'Input should be a valid integer'],
    [{}, 'int_type', 'Input should be a valid integer'],
  ])('refuses %j', (input, type, msg) => expect(fault(int(), input)).toEqual({ type, msg }))

  test.each([
    [{}, 2147483648, 'less_than_equal', INT4.max, { le: 2147483647 }],
    [{}, 1e30, 'less_than_equal', INT4.max, { le: 2147483647 }],
    [{}, '9'.repeat(400), 'less_than_equal', INT4.max, { le: 2147483647 }],
    [
      {},
      -2147483649,
      'greater_than_equal',
      'Input should be greater than or equal to -2147483648',
      { ge: -2147483648 },
    ],
    [{ min: 0 }, -1, 'greater_than_equal', 'Input should be greater than or equal to 0', { ge: 0 }],
    [{ min: 1, max: 9 }, '10', 'less_than_equal', 'Input should be less than or equal to 9', { le: 9 }],
  ])('holds the bounds %j for %j', (options, input, type, msg, ctx) =>
    expect(fault(int(options), input)).toEqual({ type, msg, ctx }),
  )

  test('a declared bound may be wider than that of the column type', () =>
    expect(run(int({ min: 0, max: Number.MAX_SAFE_INTEGER }), 2 ** 40)).toBe(2 ** 40))
})

describe('number', () => {
  test.each([
    [1.5, 1.5],
    ['1.5', 1.5],
    [' 1e3 ', 1000],
    ['.5', 0.5],
    ['5.', 5],
    ['1_000.5', 1000.5],
    [true, 1],
    [false, 0],
  ])('takes %j', (input, value) => expect(run(number(), input)).toBe(value))

  test.each([
    ['x', 'float_parsing', 'Input should be a valid number, unable to parse string as a number'],
    ['0x1', 'float_parsing', 'Input should be a valid number, unable to parse string as a number'],
    ['', 'float_parsing', 'Input should be a valid number, unable to parse string as a number'],
    [{}, 'float_type', 'Input should be a valid number'],
    [null, 'float_type', 'Input should be a valid number'],
    ['nan', 'finite_number', 'Input should be a finite number'],
    ['-Infinity', 'finite_number', 'Input should be a finite number'],
    ['1e999', 'finite_number', 'Input should be a finite number'],
    [Number.NaN, 'finite_number', 'Input should be a finite number'],
  ])('refuses %j', (input, type, msg) => expect(fault(number(), input)).toEqual({ type, msg }))

  test.each([
    [{ min: 0 }, -0.5, 'greater_than_equal', 'Input should be greater than or equal to 0', { ge: 0 }],
    [{ exclusiveMin: 0 }, 0, 'greater_than', 'Input should be greater than 0', { gt: 0 }],
    [{ max: 1 }, 2, 'less_than_equal', 'Input should be less than or equal to 1', { le: 1 }],
    [{ exclusiveMax: 1.5 }, 1.5, 'less_than', 'Input should be less than 1.5', { lt: 1.5 }],
  ])('holds the bounds %j for %j', (options, input, type, msg, ctx) =>
    expect(fault(number(options), input)).toEqual({ type, msg, ctx }),
  )
})

describe('boolean', () => {
  test.each([true, 1, 'TRUE', 't', 'Yes', 'y', 'oN', '1'])('%j is true', input =>
    expect(run(boolean(), input)).toBe(true),
  )
  test.each([false, 0, 'false', 'F', 'no', 'N', 'off', '0'])('%j is false', input =>
    expect(run(boolean(), input)).toBe(false),
  )
  test.each([
    ['maybe', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
    [' true ', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
    ['', 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
    [2, 'bool_parsing', 'Input should be a valid boolean, unable to interpret input'],
    [0.5, 'bool_type', 'Input should be a valid boolean'],
    [null, 'bool_type', 'Input should be a valid boolean'],
    [[], 'bool_type', 'Input should be a valid boolean'],
    [{}, 'bool_type', 'Input should be a valid boolean'],
  ])('refuses %j', (input, type, msg) => expect(fault(boolean(), input)).toEqual({ type, msg }))
})

test('published bounds', () => {
  expect(int({ min: 0, description: 'How many' }).json).toEqual({
    type: 'integer',
    minimum: 0,
    format: 'int32',
    description: 'How many',
  })
  expect(int({ max: 2 ** 40 }).json).toEqual({ type: 'integer', maximum: 2 ** 40 })
  expect(number({ exclusiveMin: 0, max: 1 }).json).toEqual({
    type: 'number',
    exclusiveMinimum: 0,
    maximum: 1,
  })
})
