import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../../test/support/cpu-time.ts'
import { email } from './index.ts'
import { fault, run } from './testing.ts'

describe('email', () => {
  test.each([
    ['a+b@y.co.uk', 'a+b@y.co.uk'],
    ['Jane.Doe@Example.COM', 'Jane.Doe@example.com'],
    [" o'brien_x@sub.example.org ", "o'brien_x@sub.example.org"],
    ['x@corp.test', 'x@corp.test'],
    ['x@printer.local', 'x@printer.local'],
    ['Bob <b@y.com>', 'b@y.com'],
    ['"Bob, B." <b@y.com>', 'b@y.com'],
    ['Bob van  Dyk < b@y.com > ', 'b@y.com'],
    ['<b@y.com>', 'b@y.com'],
    ['INFO@X.com', 'info@x.com'],
    ['müller@BÜCHER.de', 'müller@bücher.de'],
    ['u\u0308@y.com', 'ü@y.com'],
    ['a@xn--bcher-kva.de', 'a@bücher.de'],
    ['用户@例え。jp', '用户@例え.jp'],
    [`${'x'.repeat(64)}@y.com`, `${'x'.repeat(64)}@y.com`],
    ['a@b-c.com', 'a@b-c.com'],
  ])('takes %j', (input, value) => expect(run(email(), input)).toBe(value))

  test.each([
    ['', 'An email address must have an @-sign.'],
    ['x', 'An email address must have an @-sign.'],
    [
      'a＠b.com',
      'The email address has the "full-width" at-sign (@) character instead of a regular at-sign.',
    ],
    ['@y.com', 'There must be something before the @-sign.'],
    ['x@', 'There must be something after the @-sign.'],
    ['x@localhost', 'The part after the @-sign is not valid. It should have a period.'],
    ['x@y.c1', 'The part after the @-sign is not valid. It is not within a valid top-level domain.'],
    ['.a@y.com', 'An email address cannot start with a period.'],
    ['a.@y.com', 'An email address cannot have a period immediately before the @-sign.'],
    ['a..b@y.com', 'An email address cannot have two periods in a row.'],
    ['a@.y.com', 'An email address cannot have a period immediately after the @-sign.'],
    ['a@y.com.', 'An email address cannot end with a period.'],
    ['a@y..com', 'An email address cannot have two periods in a row.'],
    ['a@-y.com', 'An email address cannot have a hyphen immediately after the @-sign.'],
    ['a@y.com-', 'An email address cannot end with a hyphen.'],
    ['a@y-.com', 'An email address cannot have a period and a hyphen next to each other.'],
    [
      'a@ab--c.com',
      'An email address cannot have two letters followed by two dashes immediately after the @-sign or after a period, except Punycode.',
    ],
    ['a b@y.com', 'The email address contains invalid characters before the @-sign: SPACE.'],
    ['a;b,c@y.com', "The email address contains invalid characters before the @-sign: ',', ';'."],
    ['a\0@y.com', 'The email address contains invalid characters before the @-sign: U+0000.'],
    ['a@b@y.com', "The part after the @-sign contains invalid characters: '@'."],
    ['a@b_c.com', "The part after the @-sign contains invalid characters: '_'."],
    ['a\u200b@y.com', 'The email address contains unsafe characters: ZERO WIDTH SPACE.'],
    ['a\ud800@y.com', 'The email address contains unsafe characters: U+D800.'],
    [
      'a\u037eb@y.com',
      "After Unicode normalization: The email address contains invalid characters before the @-sign: ';'.",
    ],
    ['a@y…com', "The part after the @-sign contains invalid characters: '…'."],
    [
      'a@😀.com',
      "The part after the @-sign is invalid (Codepoint U+1F600 at position 1 of '😀' not allowed).",
    ],
    ['"a b"@y.com', 'Quoting the part before the @-sign is not allowed here.'],
    ['a@[127.0.0.1]', 'A bracketed IP address after the @-sign is not allowed here.'],
    ['B. <b@y.com>', "The display name contains invalid characters when not quoted: '.'."],
    ['Bob <b@y.com> x', "There can't be anything after the email address."],
    [
      'Bob <b@y.com',
      'An open angle bracket at the start of the email address has to be followed by a close angle bracket at the end.',
    ],
    ['Bob <x>', 'An email address must have an @-sign.'],
    [`${'x'.repeat(250)}@y.com`, 'The email address is too long (2 characters too many).'],
    [`${'é'.repeat(130)}@y.com`, 'The email address is too long (6-12 characters too many).'],
    [
      `x@${'y'.repeat(64)}.com`,
      'After the @-sign, periods cannot be separated by so many characters (1 character too many).',
    ],
    [
      `x@${'yyyyyyyyy.'.repeat(26)}com`,
      'The email address is too long after the @-sign (10 characters too many).',
    ],
    [`${'x'.repeat(2049)}@y.com`, 'Length must not exceed 2048 characters'],
  ])('refuses %j', (input, reason) =>
    expect(fault(email(), input)).toEqual({
      type: 'value_error',
      msg: `value is not a valid email address: ${reason}`,
      ctx: { reason },
    }),
  )

  test.each([null, 1, []])('refuses %j', input =>
    expect(fault(email(), input)).toEqual({ type: 'string_type', msg: 'Input should be a valid string' }),
  )

  test('checks a hostile text in linear time', async () => {
    for (const part of ['"<', '"<>', 'a ', '<>', '.', '"\\', '<"@', 'é.', '>']) {
      await expectLinear(length => {
        run(email(), part.repeat(length / part.length))
        run(email(), `${'a'.repeat(length / 2)}@${part.repeat(length / 2 / part.length)}`)
      }, 2048)
    }
  })
})
