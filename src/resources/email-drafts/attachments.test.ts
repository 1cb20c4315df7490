import { expect, it } from 'vitest'
import { type Account, onAnyEngine } from '../../../test/support/service.ts'
import { newId } from '../../kernel/ids.ts'

const path = '/api/email-drafts'

const upload = (
  account: Account,
  draftId: string,
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  type = 'text/plain',
) => {
  const form = new FormData()
  form.set('file', new File([bytes], name, { type }))
  return account.post(`${path}/${draftId}/attachments`, form)
}

onAnyEngine('attachments of a draft', account => {
  it('are stored, listed in the draft, downloaded and deleted', async () => {
    const me = await account()
    const draft = await me.create(path, { attachments: [{ note: 'kept' }] })
    const added = await upload(me, draft.id, 'C:\\files\\offer.html', '<script>x</script>', 'text/html')
    expect(added.status).toBe(201)
    expect(added.body.attachments).toEqual([
      { note: 'kept' },
      { id: expect.any(String), file_name: 'offer.html', mime_type: 'text/html', file_size: 18 },
    ])
    const { id } = added.body.attachments[1]
    const file = await me.get(`${path}/${draft.id}/attachments/${id}`)
    expect(file.text).toBe('<script>x</script>')
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="offer.html"')
    const off = await me.delete(`${path}/${draft.id}/attachments/${id}`)
    expect(off).toMatchObject({ status: 200, body: { attachments: [{ note: 'kept' }] } })
    expect((await me.get(`${path}/${draft.id}/attachments/${id}`)).status).toBe(404)
    expect((await me.delete(`${path}/${draft.id}/attachments/${id}`)).status).toBe(404)
  })

  it('are limited in size, and accessible only through their draft', async () => {
    const me = await account()
    const draft = await me.create(path, {})
    expect((await upload(me, draft.id, 'a', new Uint8Array(12_000_000))).status).toBe(201)
    expect((await upload(me, draft.id, 'b', new Uint8Array(12_000_000))).status).toBe(413)
    expect((await upload(me, draft.id, 'c', new Uint8Array(20_000_001))).status).toBe(413)
    expect((await upload(me, newId(), 'd', 'x')).status).toBe(404)
    const form = new FormData()
    form.set('other', 'x')
    expect(await me.post(`${path}/${draft.id}/attachments`, form)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'file'] }] },
    })
    const { attachments } = (await me.get(`${path}/${draft.id}`)).body
    expect(attachments).toHaveLength(1)
    const stranger = await account()
    expect((await stranger.get(`${path}/${draft.id}/attachments/${attachments[0].id}`)).status).toBe(404)
    expect((await upload(stranger, draft.id, 'e', 'x')).status).toBe(404)
    const free = await me.create(path, { attachments: { own: 'shape' } })
    expect((await upload(me, free.id, 'f', 'x')).status).toBe(409)
  })
})
