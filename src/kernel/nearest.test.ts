import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const names = [
  'name',
  'industry',
  'company_size',
  'employee_count',
  'website',
  'where',
  'city',
  'state',
  'status',
]

it.each([
  ['indutsry', 'industry'],
  ['industri', 'industry'],
  ['companySize', 'company_size'],
  ['Company-Size', 'company_size'],
  ['employees_count', 'employee_count'],
  ['nmae', 'name'],
  ['statsu', 'status'],
  ['size', 'company_size'],
  ['EmployeeCount', 'employee_count'],
  ['filter', undefined],
  ['q', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
])('%s → %s', (name, expected) => {
  expect(nearest(name, names)).toBe(expected)
})
