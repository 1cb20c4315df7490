/** What the tests of imports have in common: uploading a file, and following it to its end. */
import { expect } from 'vitest'
import type { Account } from '../../../../test/support/service.ts'

export function formOf(
  file: string | Uint8Array,
  fields: Record<string, unknown>,
  name = 'people.csv',
): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) {
    form.set(key, typeof value === 'string' ? value : JSON.stringify(value))
  }
  form.set('file', new Blob([file as never], { type: 'text/csv' }), name)
  return form
}

/** An upload that must be accepted; answers the import. */
export async function uploaded(account: Account, file: string | Uint8Array, fields: Record<string, unknown>) {
  const answer = await account.post('/api/imports', formOf(file, fields))
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body
}

/** Starts something of an import (start, validate, revert) and waits until it has ended. */
export async function done(account: Account, id: string, action: 'start' | 'validate' | 'revert') {
  const started = await account.post(`/api/imports/${id}/${action}`)
  expect(started, started.text).toMatchObject({ status: 202 })
  await account.get(`/api/jobs/${started.body.job_id}/events`)
  return (await account.get(`/api/imports/${id}`)).body
}

export async function imported(account: Account, file: string | Uint8Array, fields: Record<string, unknown>) {
  const { id } = await uploaded(account, file, fields)
  return done(account, id, 'start')
}

export const errorsOf = async (account: Account, id: string) =>
  (await account.get(`/api/imports/${id}/errors?page_size=1000`)).body.items

export const warningsOf = async (account: Account, id: string) =>
  (await account.get(`/api/imports/${id}/errors?severity=warning&page_size=1000`)).body.items

export const tagsOf = async (account: Account, entity_type: string, id: string): Promise<string[]> =>
  (await account.get(`/api/tags/records/${entity_type}/${id}`)).body.tag_ids.map(
    (tag: { name: string }) => tag.name,
  )

/** An export of chosen fields, as text. */
export async function exportedText(account: Account, body: object): Promise<string> {
  const started = await account.post('/api/exports', body)
  expect(started, started.text).toMatchObject({ status: 202 })
  await account.get(`/api/jobs/${started.body.job_id}/events`)
  const file = await account.get(`/api/exports/${started.body.id}/download`)
  expect(file.status, file.text).toBe(200)
  return file.text
}
