/** Uploads under an Idempotency-Key: once each, and a client that takes its time keeps nobody waiting. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { type Account, onBothEngines } from './support/service.ts'

type Upload = [
  path: (me: Account) => Promise<string>,
  name: string,
  content: string,
  fields: Record<string, string>,
]

const UPLOADS: Record<string, Upload> = {
  import: [async () => '/api/imports', 'people.csv', 'first_name\nAnn\n', { entity_type: 'contact' }],
  page: [async () => '/api/kb/documents/import', 'page.md', '# Hello', {}],
  'mail attachment': [
    async me => `/api/email-drafts/${(await me.create('/api/email-drafts', {})).id}/attachments`,
    'a.txt',
    'Hello',
    {},
  ],
  'chat attachment': [
    async me => `/api/chats/${(await me.create('/api/chats', {})).id}/attachments`,
    'a.txt',
    'Hello',
    {},
  ],
  recording: [async () => '/api/transcriptions', 'a.wav', `RIFF\x24\0\0\0WAVEfmt ${'\0'.repeat(36)}`, {}],
}

function formOf([, name, content, fields]: Upload): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([content]), name)
  return form
}

onBothEngines('an upload under an Idempotency-Key', account => {
  it.each(Object.keys(UPLOADS))('is processed once: %s', async kind => {
    const me = await account()
    const upload = UPLOADS[kind]!
    const path = await upload[0](me)
    const key = { 'idempotency-key': `upload ${kind}` }
    const first = await me.post(path, formOf(upload), key)
    expect([201, 202]).toContain(first.status)
    const second = await me.post(path, formOf(upload), key)
    expect(second).toMatchObject({ status: first.status, body: first.body })
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    const other = await me.post(path, formOf([upload[0], upload[1], `${upload[2]} and more`, upload[3]]), key)
    expect(other.status).toBe(422)
  })

  it.each(Object.keys(UPLOADS))('that is truncated is refused: %s', async kind => {
    const me = await account()
    const path = await UPLOADS[kind]![0](me)
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    for (const body of ['', '--b', 'no boundary', head.slice(0, 20), head, `${head}RIFF`]) {
      const type = { 'content-type': 'multipart/form-data; boundary=b' }
      const { status } = await me.post(path, body, type)
      expect([400, 415, 422], JSON.stringify(body)).toContain(status)
    }
  })

  it.each(Object.keys(UPLOADS))('that stalls does not block other requests: %s', async kind => {
    const me = await account()
    const upload = UPLOADS[kind]!
    const path = await upload[0](me)
    const { hostname, port } = new URL(me.url)
    const arrived = once(me.service.app.server, 'request')
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const complaints = vi.spyOn(me.service.services.log, 'error')
    try {
      const part = Object.entries(upload[3]).map(
        ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: kith\r\nX-API-Key: ${me.key}\r\nIdempotency-Key: slow\r\n` +
          `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n${part.join('')}` +
          `--b\r\nContent-Disposition: form-data; name="file"; filename="${upload[1]}"\r\n\r\n${upload[2]}`,
      )
      const [, response] = await arrived
      // On the embedded engine all wait for one connection: a transaction that stays open would be met at once.
      for (let n = 0; n < 5; n++) {
        expect((await me.get('/api/companies')).status).toBe(200)
        await me.create('/api/companies', { name: `Meanwhile ${n}` })
      }
      // That it then goes away is no failure of the service.
      const closed = once(response, 'close')
      socket.destroy()
      await closed
      expect((await me.get('/api/companies')).status).toBe(200)
      expect(complaints).not.toHaveBeenCalled()
    } finally {
      socket.destroy()
      complaints.mockRestore()
    }
  })
})
