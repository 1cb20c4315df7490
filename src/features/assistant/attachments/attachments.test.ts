import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { tempFolder, waitFor } from '../../../../test/support/process.ts'
import { type Account, anotherMember, onAnyEngine } from '../../../../test/support/service.ts'
import { systemDb } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { contextOf, say } from '../proposals/proposals.testing.ts'
import { attachedTexts, checkFiles, MAX_TEXT } from './attached.ts'
import { bomb, endless, locked, pdfOf } from './attachments.testing.ts'
import { chatFiles } from './files.ts'
import { pdfText } from './pdf.ts'

type Bytes = string | Buffer

const audio = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../test/fixtures/audio', name))

async function chatOf(me: Account): Promise<{ chat: string; path: string }> {
  const { id } = await me.create('/api/chats', {})
  return { chat: id, path: `/api/chats/${id}/attachments` }
}

function upload(me: Account, path: string, bytes: Bytes, name = 'file', type = '') {
  const form = new FormData()
  form.set('file', new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type }))
  return me.post(path, form)
}

/** Adds a file and waits until it has been read. */
async function added(me: Account, path: string, bytes: Bytes, name?: string) {
  const { body, status, text } = await upload(me, path, bytes, name)
  if (status >= 300) throw new Error(text)
  await waitFor(async () =>
    ['completed', 'failed'].includes((await me.get(`${path}/${body.id}`)).body.status),
  )
  return (await me.get(`${path}/${body.id}`)).body
}

const filesOf = ({ service, accountId }: Account): string[] => {
  const folder = join(service.services.config.files.attachmentDir, accountId)
  return existsSync(folder) ? readdirSync(folder) : []
}

onAnyEngine('attachments of a chat', account => {
  const texts: [string, Bytes, string, string, string][] = [
    ['plain text', 'Grüße\r\nagain', 'a.txt', 'text/plain', 'Grüße\r\nagain'],
    ['text without an ending', 'x', 'README', 'text/plain', 'x'],
    ['markdown', '# Plan\n\n- one', 'plan.MD', 'text/markdown', '# Plan\n\n- one'],
    ['UTF-16 with a mark', Buffer.from('\ufeffHé', 'utf16le'), 'a.txt', 'text/plain', 'Hé'],
    ['UTF-8 with a mark', '\ufeffHi', 'a.txt', 'text/plain', 'Hi'],
    [
      'Windows letters',
      Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x80]),
      'a.txt',
      'text/plain',
      'Grüße €',
    ],
    [
      'CSV',
      'name;city\n"Acme; Inc";Berlin\n\nBeta;\n',
      'list.csv',
      'text/csv',
      'Columns: name | city\nRow 2: name: Acme; Inc | city: Berlin\nRow 4: name: Beta',
    ],
    [
      'CSV with more cells than names',
      'a,\n1,2,3',
      'x.csv',
      'text/csv',
      'Columns: a | column 2\nRow 2: a: 1 | column 2: 2 | column 3: 3',
    ],
    ['HTML as text', '<script>alert(1)</script>', 'x.html', 'text/plain', '<script>alert(1)</script>'],
  ]
  it.each(texts)('reads %s at once', async (_, bytes, name, mime_type, text) => {
    const me = await account()
    const { chat, path } = await chatOf(me)
    const answer = await upload(me, path, bytes, `C:\\files\\${name}`)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      ...{ id: expect.any(String), created_at: expect.any(String), updated_at: expect.any(String) },
      ...{ account_id: me.accountId, chat_id: chat, created_by: me.userId, file_name: name, mime_type },
      ...{ file_size: Buffer.from(bytes as string).length, status: 'completed', text_length: text.length },
      ...{ is_truncated: false, error: null, job_id: null },
    })
    expect((await me.get(`${path}/${answer.body.id}`)).body).toEqual({ ...answer.body, text })
    expect((await me.get(path)).body).toMatchObject({ items: [answer.body], total: 1 })
    const file = await me.get(`${path}/${answer.body.id}/download`)
    expect(Buffer.from(file.text)).toEqual(
      Buffer.from(await new Blob([new Uint8Array(Buffer.from(bytes as string))]).text()),
    )
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('content-disposition')).toContain(`attachment; filename="${name}"`)
  })

  it('reads a PDF and a recording in the background', async () => {
    const me = await account()
    const { chat, path } = await chatOf(me)
    const started = await upload(me, path, pdfOf(['Offer (for Acme)', 'Page two']), 'anything.txt')
    expect(started).toMatchObject({
      status: 202,
      body: { status: 'queued', mime_type: 'application/pdf', text_length: 0 },
    })
    const pdf = await added(me, path, pdfOf(['Offer (for Acme)', 'Page two']), 'offer.pdf')
    expect(pdf).toMatchObject({ status: 'completed', text: 'Offer (for Acme)\n\nPage two', error: null })
    const call = await added(me, path, audio('call.mp3'), 'call.txt')
    expect(call).toMatchObject({ status: 'completed', mime_type: 'audio/mpeg' })
    expect(call.text).toMatch(/renewal of the contract/i)
    await upload(me, path, 'Notes', 'notes.txt')
    const read = await attachedTexts(contextOf(me), chat, 5)
    expect(read.map(({ file_name, text, is_truncated }) => [file_name, text, is_truncated]).slice(1)).toEqual(
      [
        ['offer.pdf', 'Offer', true],
        ['call.txt', call.text.slice(0, 5), true],
        ['notes.txt', 'Notes', false],
      ],
    )
  })

  const unreadable: [string, () => Buffer, RegExp][] = [
    ['that unpacks to too much', () => bomb(70), /unpacks to more/],
    ['with a password', locked, /password/],
    ['that is none', () => Buffer.from(`%PDF-1.7\n${'x'.repeat(5000)}`), /damaged/],
    ['that is cut off', () => pdfOf(['Hello']).subarray(0, 200), /damaged/],
    ['without words', () => pdfOf(['', '']), /pictures/],
  ]
  it.each(unreadable)('reports a PDF %s', async (_, bytes, reason) => {
    const me = await account()
    const { path } = await chatOf(me)
    expect(await added(me, path, bytes(), 'x.pdf')).toMatchObject({
      ...{ status: 'failed', error: expect.stringMatching(reason), text: null, text_length: 0 },
    })
  })

  it('reports a recording without speech', async () => {
    const me = await account()
    const { path } = await chatOf(me)
    expect(await added(me, path, audio('silence.wav'), 'x.wav')).toMatchObject({
      ...{ status: 'failed', error: 'No speech was detected in this recording' },
    })
  })

  it.each([
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['an archive', Buffer.from('504b0304140000000800', 'hex')],
    ['a program', Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(9000)])],
    ['bytes without a zero', Buffer.alloc(5000, Buffer.from([1, 2, 3, 200, 7, 65]))],
    ['zeros after a text', Buffer.concat([Buffer.from('words '.repeat(2000)), Buffer.alloc(3)])],
  ])('refuses %s, regardless of the file name', async (_, bytes) => {
    const me = await account()
    const { path } = await chatOf(me)
    for (const name of ['x.txt', 'x.csv', 'x.pdf']) {
      const answer = await upload(me, path, bytes, name, 'text/plain')
      expect(answer).toMatchObject({
        status: 415,
        body: { detail: expect.stringContaining('This is no text') },
      })
    }
    expect((await me.get(path)).body.total).toBe(0)
    expect(filesOf(me)).toEqual([])
  })

  it('limits the size of the file and of the stored text', async () => {
    const me = await account()
    const { path } = await chatOf(me)
    const { attachmentBytes } = me.service.services.config.files
    expect(await upload(me, path, Buffer.alloc(attachmentBytes + 1, 97))).toMatchObject({
      ...{ status: 413, body: { detail: 'The upload is larger than 25 MB' } },
    })
    expect(await upload(me, path, '')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'file'] }] },
    })
    const none = new FormData()
    none.set('other', 'x')
    expect(await me.post(path, none)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'file'] }] },
    })
    expect(filesOf(me)).toEqual([])
    const long = await upload(me, path, '😀'.repeat(MAX_TEXT), 'long.txt')
    expect(long).toMatchObject({ status: 201, body: { is_truncated: true, text_length: MAX_TEXT / 2 } })
    const rows = await upload(me, path, `a,b\n${'1,"x y"\n'.repeat(200_000)}`, 'long.csv')
    expect(rows).toMatchObject({ status: 201, body: { is_truncated: true } })
    expect(rows.body.text_length).toBeLessThanOrEqual(MAX_TEXT)
  })

  it('returns 404 in another chat, for other accounts and while the chat is in the trash', async () => {
    const [me, stranger] = [await account(), await account()]
    const { chat, path } = await chatOf(me)
    const { id } = (await upload(me, path, 'mine')).body
    const other = await chatOf(me)
    const theirs = await chatOf(stranger)
    const gone = async (who: Account, at: string) => {
      for (const answer of [
        await who.get(`${at}/${id}`),
        await who.get(`${at}/${id}/download`),
        await who.delete(`${at}/${id}`),
      ])
        expect(answer).toMatchObject({ status: 404, body: { detail: 'Attachment not found' } })
    }
    await gone(me, other.path)
    await gone(stranger, path)
    await gone(stranger, theirs.path)
    for (const at of [path, `/api/chats/${newId()}/attachments`]) {
      expect((await upload(stranger, at, 'x')).status).toBe(404)
      expect((await stranger.get(at)).status).toBe(404)
    }
    const reader = await anotherMember(me, { scopes: ['chats:read'] })
    expect((await upload(reader, path, 'x')).status).toBe(403)
    expect((await reader.get(`${path}/${id}`)).status).toBe(200)
    await me.delete(`/api/chats/${chat}`)
    await gone(me, path)
    await me.post(`/api/chats/${chat}/restore`)
    expect((await me.get(`${path}/${id}`)).body.text).toBe('mine')
  })

  it('accepts attachment ids only in messages of the same chat', async () => {
    const me = await account()
    const { chat, path } = await chatOf(me)
    const { id } = (await upload(me, path, 'mine')).body
    const other = await chatOf(me)
    const ctx = contextOf(me)
    expect(await checkFiles(ctx, chat, { files: [id], own: 1 })).toEqual([id])
    expect(await checkFiles(ctx, chat, { own: 1 })).toEqual([])
    const problems: [string, unknown, string][] = [
      [other.chat, [id], 'reference_not_found'],
      [chat, [id, newId()], 'reference_not_found'],
      [chat, 'x', 'list_type'],
      [chat, ['x'], 'uuid_parsing'],
    ]
    for (const [at, files, type] of problems)
      await expect(checkFiles(ctx, at, { files })).rejects.toMatchObject({ status: 422, detail: [{ type }] })
  })

  it('is removed with its file, unless a copy of the chat still has it', async () => {
    const me = await account()
    const { chat, path } = await chatOf(me)
    const { id } = (await upload(me, path, 'the words', 'a.txt')).body
    const question = await say(me, chat, {
      role: 'user',
      content: 'Look',
      attachments: { files: [id], own: 'x' },
    })
    await say(me, chat, {
      role: 'assistant',
      content: 'Done',
      metadata: { question_id: question.id, proposals: [{ id: newId() }] },
    })
    const copy = (await me.post(`/api/chats/${chat}/duplicate`)).body
    const copied = (await me.get(`/api/chats/${copy.id}/attachments`)).body.items
    expect(copied).toMatchObject([
      { file_name: 'a.txt', status: 'completed', text_length: 9, chat_id: copy.id },
    ])
    expect(copied[0].id).not.toBe(id)
    const [asked, answer] = (await me.get(`/api/chats/${copy.id}/messages`)).body.items
    expect(asked.attachments).toEqual({ files: [copied[0].id], own: 'x' })
    expect(answer.metadata).toEqual({ question_id: asked.id })
    expect(filesOf(me)).toHaveLength(1)
    expect(await me.delete(`${path}/${id}`)).toMatchObject({ status: 200, body: {} })
    expect((await me.delete(`${path}/${id}`)).status).toBe(404)
    const at = `/api/chats/${copy.id}/attachments/${copied[0].id}`
    expect((await me.get(`${at}/download`)).text).toBe('the words')
    expect((await me.delete(at)).status).toBe(200)
    expect(filesOf(me)).toEqual([])
  })

  it('ends its job at once when it is removed before it is read', async () => {
    const me = await account()
    const { path } = await chatOf(me)
    const { speech } = me.service.services.config
    const endpoint = createServer(async (request, response) => {
      request.resume()
      await me.delete(`${path}/${(await me.get(path)).body.items[0].id}`)
      response.destroy()
    }).listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    const { port } = endpoint.address() as AddressInfo
    speech.remote = { url: `http://127.0.0.1:${port}/v1`, model: 'scripted', key: undefined }
    try {
      const { body } = await upload(me, path, audio('call.mp3'))
      const { text } = await me.get(`/api/jobs/${body.job_id}/events`)
      expect(JSON.parse(text.split('event: end\ndata: ')[1] ?? '{}')).toMatchObject({
        ...{ status: 'failed', error: 'The attachment has been deleted', attempts: 1 },
      })
    } finally {
      speech.remote = undefined
      endpoint.close()
    }
  })

  it('is also read for a copy of the chat that was created before', async () => {
    const me = await account()
    const { chat, path } = await chatOf(me)
    const { body } = await upload(me, path, pdfOf(['Hello']), 'x.pdf')
    const copy = (await me.post(`/api/chats/${chat}/duplicate`)).body
    await me.delete(`${path}/${body.id}`)
    const first = async () => (await me.get(`/api/chats/${copy.id}/attachments`)).body.items[0]
    await waitFor(async () => (await first()).status === 'completed')
    expect((await first()).text_length).toBe(5)
  })

  it('loses its file when the chat is purged', async () => {
    const me = await account()
    const { services } = me.service
    const { chat, path } = await chatOf(me)
    const kept = await chatOf(me)
    const { id } = (await upload(me, path, 'gone')).body
    await upload(me, kept.path, 'kept')
    const folder = join(services.config.files.attachmentDir, me.accountId)
    const old = new Date(Date.now() - 7 * 3_600_000)
    writeFileSync(join(folder, `${newId()}.part`), 'a crash left this')
    for (const name of filesOf(me)) utimesSync(join(folder, name), old, old)
    await me.delete(`/api/chats/${chat}`)
    await chatFiles.sweep.run(services)
    // a chat in the trash can be restored
    expect(filesOf(me)).toHaveLength(2)
    await sql`delete from chats where account_id = ${me.accountId} and id = ${chat}`.execute(
      systemDb(services),
    )
    await chatFiles.sweep.run(services)
    expect(filesOf(me)).toHaveLength(1)
    expect(filesOf(me)).not.toContain(id)
  })
})

it('stops reading a PDF that takes too long or whose job was cancelled', async () => {
  const path = join(tempFolder(), 'x.pdf')
  writeFileSync(path, endless())
  await expect(pdfText(path, new AbortController().signal, { milliseconds: 500 })).rejects.toThrow(
    'takes too long',
  )
  const stop = new AbortController()
  const reading = pdfText(path, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(reading).rejects.toThrow('stopped')
})

it('reads a PDF up to the limits of pages and characters', async () => {
  const path = join(tempFolder(), 'x.pdf')
  writeFileSync(path, pdfOf(['One', 'Two', 'Three']))
  const { signal } = new AbortController()
  expect(await pdfText(path, signal, { maxPages: 2 })).toEqual({ text: 'One\n\nTwo', is_truncated: true })
  expect(await pdfText(path, signal, { maxCharacters: 4 })).toEqual({ text: 'One\n', is_truncated: true })
})
