import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { imagePath } from './image-path.ts'

it('ships an image of this build’s schema (npm run image)', () => {
  expect(existsSync(imagePath)).toBe(true)
})
