import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Account,
  anotherMember,
  contextOf,
  onAnyEngine,
  onBothEngines,
} from '../../../../test/support/service.ts'
import { allEvents } from '../../events/events.testing.ts'
import { recordFiles } from './store.ts'
import { mediaType } from './type.ts'

const formOf = (content: string | Buffer, name: string, fields: Record<string, string>): FormData => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new File([new Uint8Array(Buffer.from(content))], name, { type: 'image/png' }))
  return form
}

const company = async (me: Account, name = 'Acme') =>
  ({ entity_type: 'company', entity_id: (await me.create('/api/companies', { name })).id }) as const

const put = async (
  me: Account,
  fields: Record<string, string>,
  content: string | Buffer = 'Hello',
  name = 'a.txt',
) => {
  const answer = await me.post('/api/files', formOf(content, name, fields))
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body
}

const names = async (me: Account, query = '') =>
  (await me.get(`/api/files?sort_by=name&sort_order=asc&${query}`)).body.items.map(
    (item: { name: string }) => item.name,
  )

onBothEngines('files on records', account => {
  it('are stored, listed, renamed, downloaded, deleted and restored', async () => {
    const me = await account()
    const on = await company(me)
    const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 7)])
    const file = await put(me, on, content, 'C:\\papers\\Ümlaut x.pdf')
    expect(file).toMatchObject({
      ...on,
      name: 'Ümlaut x.pdf',
      file_size: content.length,
      mime_type: 'application/pdf',
      content_url: `/api/files/${file.id}/content`,
      user_id: me.userId,
    })
    const other = await put(me, { ...(await company(me, 'Other')), name: 'b.txt' })
    expect(other.name).toBe('b.txt')
    expect(await names(me, `entity_id=${on.entity_id}`)).toEqual([file.name])
    expect(await names(me, 'search=umlaut')).toEqual([file.name])
    const renamed = await me.put(`/api/files/${file.id}`, { name: 'offer.pdf' })
    expect(renamed.body).toMatchObject({ name: 'offer.pdf', file_size: content.length })
    const download = await fetch(me.url + file.content_url, { headers: { 'x-api-key': me.key } })
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="offer.pdf"; filename*=UTF-8''offer.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
    await me.delete(`/api/files/${file.id}`)
    expect((await me.get(file.content_url)).status).toBe(404)
    expect(await names(me, 'deleted=true')).toEqual(['offer.pdf'])
    await recordFiles.sweep.run(me.service.services)
    await me.post(`/api/files/${file.id}/restore`)
    expect((await me.get(file.content_url)).text).toHaveLength(content.length)
  })

  it('follow their record into the trash and back, through a merge and its undo, and are erased with it', async () => {
    const me = await account()
    const ids = []
    for (const first_name of ['Ann', 'Anne']) ids.push((await me.create('/api/contacts', { first_name })).id)
    const [kept, merged] = ids
    const file = await put(me, { entity_type: 'contact', entity_id: merged })
    await me.delete(`/api/contacts/${merged}`)
    expect(await names(me)).toEqual([])
    expect((await me.get(file.content_url)).status).toBe(404)
    await me.post(`/api/contacts/${merged}/restore`)
    const answer = await me.post('/api/contacts/merge', { primary_id: kept, secondary_ids: [merged] })
    expect(answer, answer.text).toMatchObject({ status: 200 })
    expect((await me.get(`/api/files/${file.id}`)).body.entity_id).toBe(kept)
    const [operation] = (await me.get('/api/operations')).body.items
    expect((await me.post(`/api/operations/${operation.id}/undo`)).status).toBe(200)
    expect((await me.get(`/api/files/${file.id}`)).body.entity_id).toBe(merged)
    const path = recordFiles.path(contextOf(me), file.id)
    expect(existsSync(path)).toBe(true)
    expect((await me.post(`/api/contacts/${merged}/erase`)).status).toBe(200)
    expect((await me.get(`/api/files/${file.id}`)).status).toBe(404)
    await expect.poll(() => existsSync(path)).toBe(false)
  })
})

onBothEngines('files on records', account => {
  it('are in the timeline of their record and in the events, until they are erased', async () => {
    const me = await account()
    const [kept, other] = [
      await me.create('/api/contacts', { first_name: 'Ann' }),
      await me.create('/api/contacts', { first_name: 'Anne' }),
    ]
    const start = (await allEvents(me)).at(-1)?.sequence ?? 0
    const file = await put(me, { entity_type: 'contact', entity_id: other.id }, 'x', 'secret-offer.txt')
    await me.put(`/api/files/${file.id}`, { name: 'secret-contract.txt' })
    await me.delete(`/api/files/${file.id}`)
    await me.post(`/api/files/${file.id}/restore`)
    await me.post('/api/contacts/merge', { primary_id: kept.id, secondary_ids: [other.id] })
    const timeline = (await me.get(`/api/contacts/${kept.id}/timeline`)).body.items
    const entries = timeline.filter((entry: { type: string }) => entry.type.startsWith('file_'))
    expect(entries.map((entry: { type: string }) => entry.type)).toEqual([
      'file_updated',
      'file_restored',
      'file_deleted',
      'file_updated',
      'file_added',
    ])
    expect(entries[0]).toMatchObject({
      related: { entity_type: 'file', id: file.id, name: 'secret-contract.txt' },
      changes: [{ field: 'entity_id', from: other.id, to: kept.id }],
    })
    const events = await allEvents(me, start, '&types=file.*')
    expect(events.map(({ type }) => type)).toEqual([
      'file.created',
      'file.updated',
      'file.deleted',
      'file.restored',
      'file.updated',
    ])
    expect(events[0]).toMatchObject({
      record: { entity_type: 'file', id: file.id },
      related: { entity_type: 'contact', id: kept.id },
      changes: expect.arrayContaining([{ field: 'name', from: null, to: 'secret-offer.txt' }]),
    })
    const narrow = await anotherMember(me, { scopes: ['events:read', 'files:read', 'contacts:read'] })
    expect((await allEvents(narrow, start)).filter(({ type }) => type.startsWith('file.'))).toEqual([])
    expect((await narrow.get('/api/events?types=file.created')).status).toBe(403)
    await me.post(`/api/contacts/${kept.id}/erase`)
    const erased = await allEvents(me, start, '&types=file.*')
    expect(erased.at(-1)).toMatchObject({ type: 'file.erased', record: { id: file.id }, related: null })
    expect(JSON.stringify(erased)).not.toContain('secret')
  })
})

onAnyEngine('files on records', account => {
  it('can be on every kind of record', async () => {
    const me = await account()
    const deal = await me.create('/api/deals', { name: 'Deal' })
    const bodies: [string, string, object][] = [
      ['contact', '/api/contacts', { first_name: 'Ann' }],
      ['activity', '/api/activities', { subject: 'Call', type: 'call' }],
      ['note', '/api/notes', { content: 'x', entity_type: 'deal', entity_id: deal.id }],
      ['product', '/api/products', { name: 'Box' }],
    ]
    for (const [entity_type, path, body] of bodies) {
      const { id } = await me.create(path, body)
      expect(await put(me, { entity_type, entity_id: id })).toMatchObject({ entity_type, entity_id: id })
    }
    expect(await put(me, { entity_type: 'deal', entity_id: deal.id })).toMatchObject({ entity_id: deal.id })
  })

  it('also need the scopes of their record', async () => {
    const me = await account()
    const on = await company(me)
    const file = await put(me, on)
    const keyWith = (scopes: string[]) => anotherMember(me, { scopes })
    const stranger = await keyWith(['files:*'])
    // after a caller who sees them: statements are compiled once for all callers
    for (const path of ['/api/files', '/api/files?sort_by=name']) {
      expect((await me.get(path)).body.total).toBe(1)
      expect((await stranger.get(path)).body).toMatchObject({ items: [], total: 0 })
      expect((await me.get(path)).body.total).toBe(1)
    }
    expect((await me.get(file.content_url)).status).toBe(200)
    expect((await stranger.get(file.content_url)).status).toBe(403)
    expect((await stranger.get(`/api/files/${file.id}`)).status).toBe(403)
    expect((await stranger.put(`/api/files/${file.id}`, { name: 'x' })).status).toBe(403)
    expect((await stranger.post('/api/files/bulk-delete', [file.id])).status).toBe(403)
    expect((await stranger.post('/api/files', formOf('x', 'x', on))).status).toBe(403)
    const reader = await keyWith(['files:*', 'companies:read'])
    expect((await reader.get(file.content_url)).text).toBe('Hello')
    expect((await reader.put(`/api/files/${file.id}`, { name: 'x' })).status).toBe(403)
    expect((await reader.delete(`/api/files/${file.id}`)).status).toBe(403)
    expect((await reader.post('/api/files', formOf('x', 'x', on))).status).toBe(403)
    const noFiles = await keyWith(['companies:*'])
    expect((await noFiles.get(file.content_url)).status).toBe(403)
    expect(await names(me)).toEqual(['a.txt'])
  })

  it('are limited in size, and a refused upload leaves nothing behind', async () => {
    const me = await account()
    const on = await company(me)
    const { files, limits } = me.service.services.config
    const [before, storage] = [files.fileBytes, limits.storageBytes]
    files.fileBytes = 1000
    try {
      expect(await me.post('/api/files', formOf('x'.repeat(200_000), 'a', on))).toMatchObject({
        status: 413,
        body: { detail: 'The upload is larger than 1000 bytes' },
      })
      await put(me, on, 'x'.repeat(900))
      limits.storageBytes = 1000
      expect(await me.post('/api/files', formOf('x'.repeat(900), 'a', on))).toMatchObject({
        status: 413,
        body: {
          detail: expect.stringContaining('The files of this account would be larger than 1000 bytes'),
        },
      })
    } finally {
      files.fileBytes = before
      limits.storageBytes = storage
    }
    expect((await me.get('/api/files')).body.total).toBe(1)
  })

  it.each([
    ['no file', (form: FormData) => form.delete('file'), 'file', 'missing'],
    ['no kind', (form: FormData) => form.delete('entity_type'), 'entity_type', 'missing'],
    ['another kind', (form: FormData) => form.set('entity_type', 'chat'), 'entity_type', 'enum'],
    ['no id', (form: FormData) => form.set('entity_id', 'x'), 'entity_id', 'uuid_parsing'],
    [
      'an unknown id',
      (form: FormData) => form.set('entity_id', crypto.randomUUID()),
      'entity_id',
      'reference_not_found',
    ],
    ['an empty name', (form: FormData) => form.set('name', ''), 'name', 'string_too_short'],
    ['a name of two lines', (form: FormData) => form.set('name', 'a\nb'), 'name', 'value_error'],
  ])('are refused with %s', async (_, change, field, type) => {
    const me = await account()
    const form = formOf('x', 'x', await company(me))
    change(form)
    const answer = await me.post('/api/files', form)
    expect(answer, answer.text).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', field], type }] },
    })
    expect((await me.get('/api/files')).body.total).toBe(0)
  })
})

describe('the type of a file', () => {
  const zip = (...entries: string[]) => entries.map(name => `PK\x03\x04${'\0'.repeat(26)}${name}`).join('')
  it.each([
    ['\x89PNG\r\n\x1a\n', 'x.txt', 'image/png'],
    ['\xff\xd8\xff\xe0', 'x', 'image/jpeg'],
    ['RIFF\0\0\0\0WEBP', 'x', 'image/webp'],
    ['RIFF\0\0\0\0WAVE', 'x', 'audio/wav'],
    ['\0\0\0\x18ftypisom', 'x', 'video/mp4'],
    ['MZ\x90\0', 'invoice.pdf', 'application/vnd.microsoft.portable-executable'],
    [
      zip('[Content_Types].xml', 'word/document.xml'),
      'x',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [
      zip('_rels/.rels', 'xl/workbook.xml'),
      'x',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
    [
      `${zip('mimetypeapplication/vnd.oasis.opendocument.text')}PK`,
      'x',
      'application/vnd.oasis.opendocument.text',
    ],
    [zip('a.txt'), 'x.docx', 'application/zip'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'x.doc', 'application/msword'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'x', 'application/x-ole-storage'],
    ['a,b', 'x.csv', 'text/csv'],
    ['<svg/>', 'x.svg', 'image/svg+xml'],
    ['plain', 'x.png', 'text/plain'],
    ['plain', 'x.constructor', 'text/plain'],
    ['\x00\x01\x02', 'x.csv', 'application/octet-stream'],
    ['', 'x', 'text/plain'],
  ])('%#', (bytes, name, type) => {
    expect(mediaType(Buffer.from(bytes, 'latin1'), name)).toBe(type)
  })
})
