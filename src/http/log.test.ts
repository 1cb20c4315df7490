import { expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  write(createLog('trace', { write: line => (text += line) }))
  return text
}

const key = 'sk_0123456789abcdefghij'
const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl'

it.each([
  ['a key in a message', log => log.info({}, `used ${key} today`)],
  ['a key in a value', log => log.info({ deep: { down: [`x ${key}`] } }, 'x')],
  ['a token', log => log.debug({ authorization: `Bearer ${token}` }, 'x')],
  ['an error about a token', log => log.warn({ err: new Error(`bad token ${token}`) }, 'x')],
] satisfies [string, (log: ReturnType<typeof createLog>) => void][])('hides %s', (_, write) => {
  const text = logged(write)
  expect(text).toContain('[secret]')
  expect(text).not.toContain(key)
  expect(text).not.toContain(token)
})

it('logs a database error without the values of the row', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    code: '23505',
    constraint: 'users_email',
    table: 'users',
    detail: 'Key (lower(email))=(ann@people.test) already exists.',
    where: 'SQL statement "insert … ann"',
  })
  const line = JSON.parse(logged(log => log.error({ err: new Error('failed', { cause: error }) }, 'x')))
  expect(line.err).toMatchObject({
    message: 'failed',
    cause: { code: '23505', constraint: 'users_email', table: 'users', message: error.message },
  })
  expect(JSON.stringify(line)).not.toContain('ann')
})

it('omits the value that the database could not parse', () => {
  const message = 'invalid input syntax for type uuid: "what somebody sent"'
  const error = Object.assign(new Error(message), { code: '22P02' })
  const text = logged(log => log.error({ err: error }, 'x'))
  expect(JSON.parse(text).err.message).toBe('invalid input syntax for type uuid')
  expect(text).not.toContain('somebody')
})

it('accepts a thrown value that is not an Error', () => {
  expect(JSON.parse(logged(log => log.error({ err: 'words' }, 'x'))).err).toEqual({ message: 'words' })
})
