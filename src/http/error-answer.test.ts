import { expect, it } from 'vitest'
import { answerOf } from './error-answer.ts'

it.each([
  ['53100', 507, /disk of the service is full/],
  ['ENOSPC', 507, /disk of the service is full/],
  ['53300', 503, /database cannot be reached/],
  ['57014', 503, /took too long/],
  ['XX000', 500, /^Internal Server Error$/],
])('answers %s with %i', (code, status, detail) => {
  const answer = answerOf(Object.assign(new Error('inner detail'), { code }))
  expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(detail)])
})
