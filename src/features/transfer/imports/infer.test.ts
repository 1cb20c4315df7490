import { expect, it } from 'vitest'
import { inferType } from './infer.ts'

it.each([
  [['A1', 'B2', 'C3'], 'text'],
  [['zz1.example', 'zz2.example'], 'text'],
  [['1.2M', '10k', '500'], 'number'],
  [['$1,200.50', '$3'], 'number'],
  [['5%', '7%'], 'text'],
  [['ca. 500', 'ca. 700'], 'text'],
  [['12', '13'], 'integer'],
] as const)('the type of %j is %s', (values, type) => {
  expect(inferType(values)).toBe(type)
})
