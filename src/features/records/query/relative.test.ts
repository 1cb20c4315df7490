import { expect, it } from 'vitest'
import type { Ctx } from '../../../kernel/context.ts'
import { resolveRelative } from './compare.ts'

const ctx = { user: 'mia' } as Ctx
const now = new Date('2026-11-17T23:30:00Z')

it.each([
  ['date', 'today', '2026-11-17'],
  ['date', 'today-30', '2026-10-18'],
  ['timestamptz', 'today+1', '2026-11-18'],
  ['date', 'week', '2026-11-16'],
  ['date', 'week+1', '2026-11-23'],
  ['date', 'month', '2026-11-01'],
  ['date', 'month+2', '2027-01-01'],
  ['date', 'quarter', '2026-10-01'],
  ['date', 'quarter-4', '2025-10-01'],
  ['date', 'year-1', '2025-01-01'],
  ['date', ['month', 'month+1'], ['2026-11-01', '2026-12-01']],
  ['date', 'year+9999', 'year+9999'],
  ['date', 'year-2000', '0026-01-01'],
  ['date', 'year-2026', 'year-2026'],
  ['date', '2026-01-31', '2026-01-31'],
  ['date', 'tomorrow', 'tomorrow'],
  ['text', 'today', 'today'],
  ['uuid', 'me', 'mia'],
  ['text', 'me', 'me'],
])('%s %j is %j', (type, value, expected) => {
  expect(resolveRelative(ctx, type, value, now)).toEqual(expected)
})
