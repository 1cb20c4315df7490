import { expect, it } from 'vitest'
import { titleFrom } from './title.ts'

it.each([
  ['Hello', 'Hello'],
  ['  Which deals\tclose  soon?  ', 'Which deals close soon?'],
  ['First line\nsecond line', 'First line'],
  ['\n\n  After empty lines', 'After empty lines'],
  [' \n\t ', null],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), `${'x'.repeat(79)}…`],
  [`${'word '.repeat(15)}${'y'.repeat(50)}`, `${'word '.repeat(15).trimEnd()}…`],
  ['😀'.repeat(81), `${'😀'.repeat(79)}…`],
])('turns %j into the title %j', (content, title) => {
  expect(titleFrom(content)).toBe(title)
})
