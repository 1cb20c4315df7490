import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { thirdParty } from '../tools/third-party.ts'

it('lists every dependency and model (npm run third-party)', () => {
  expect(readFileSync(new URL('../THIRD_PARTY.md', import.meta.url), 'utf8')).toBe(thirdParty())
})
