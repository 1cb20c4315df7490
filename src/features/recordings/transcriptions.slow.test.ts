import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { waitFor } from '../../../test/support/process.ts'
import {
  type Account,
  anotherMember,
  type Item,
  onAnyEngine,
  onBothEngines,
} from '../../../test/support/service.ts'
import { expectTranscript } from '../../../test/support/transcripts.ts'
import { newId } from '../../kernel/ids.ts'
import { audioFiles } from './files.ts'
import { longCall } from './long-call.testing.ts'

// the model runs at a lower priority than everything else on the machine
vi.setConfig({ testTimeout: 120_000 })

const at = '/api/transcriptions'
const fixtures = join(import.meta.dirname, '../../../test/fixtures/audio')
const fixture = (name: string) => readFileSync(join(fixtures, name))

function form(file: Buffer | undefined, fields: Record<string, string> = {}, name = 'call.wav'): FormData {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields)) data.set(key, value)
  if (file) data.set('file', new Blob([new Uint8Array(file)]), name)
  return data
}

const send = (account: Account, name: string, fields: Record<string, string> = {}) =>
  account.post(at, form(fixture(name), fields, name))

/** Waits for the end of a transcription. */
async function ended(account: Account, id: string): Promise<Item> {
  const events = await account.get(`${at}/${id}/events`)
  expect(events.text).toContain('event: end')
  return (await account.get(`${at}/${id}`)).body
}

async function transcribed(account: Account, name: string, fields: Record<string, string> = {}) {
  const { status, body } = await send(account, name, fields)
  expect(status).toBe(202)
  return ended(account, body.id)
}

/** All events of a stream. */
async function eventsOf(account: Account, path: string): Promise<{ event: string; data: Item }[]> {
  const { text } = await account.get(path)
  return [...text.matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!),
  }))
}

const filesOf = ({ service, accountId }: Account): string[] => {
  const folder = join(service.services.config.files.audioDir, accountId)
  return existsSync(folder) ? readdirSync(folder) : []
}

onAnyEngine('transcriptions', account => {
  it('returns every field at once, and the text when it is completed', async () => {
    const me = await account()
    const started = await send(me, 'call.mp3')
    expect(started.status).toBe(202)
    expect(started.body).toEqual({
      id: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      account_id: me.accountId,
      user_id: me.userId,
      file_name: 'call.mp3',
      mime_type: 'audio/mpeg',
      file_size: fixture('call.mp3').length,
      duration_seconds: null,
      language: null,
      status: 'queued',
      progress: 0,
      text: null,
      segments: [],
      summary: null,
      activity_id: null,
      contact_id: null,
      company_id: null,
      deal_id: null,
      provider: null,
      error: null,
      audio_url: `${at}/${started.body.id}/audio`,
      job_id: expect.any(String),
    })
    const done = await ended(me, started.body.id)
    expectTranscript(done.text)
    expect(done).toMatchObject({
      status: 'completed',
      progress: 100,
      language: 'en',
      provider: 'moonshine-tiny-int8',
      error: null,
      summary: done.text,
    })
    expect(done.duration_seconds).toBeCloseTo(6.8, 0)
    expect(done.segments.map(({ text }: Item) => text).join(' ')).toBe(done.text)
    expect(done.segments.at(-1).end).toBeLessThanOrEqual(7)
    expect((await me.get(`/api/jobs/${done.job_id}`)).body).toMatchObject({
      status: 'completed',
      entity_id: done.id,
      progress: { done: 100, total: 100 },
    })
  })

  it('spells the names of linked records as in the records', async () => {
    const me = await account()
    const company = await me.create('/api/companies', { name: 'Harbourlight Hotels' })
    const norman = { first_name: 'Norman', last_name: 'Sykes', company_id: company.id }
    const contact = await me.create('/api/contacts', norman)
    await me.create('/api/contacts', { first_name: 'José', last_name: 'Ruiz', company_id: company.id })
    const heard = async (links: Record<string, string>): Promise<string> =>
      (await transcribed(me, 'names.mp3', links)).text
    // src/ai/speech/speech.slow.test.ts hears it without names, and then hears neither Harbourlight nor José
    const known = await heard({ contact_id: contact.id })
    for (const name of ['Norman Sykes', 'Harbourlight', 'José']) expect(known).toContain(name)
    const deal = { name: 'Spa', company_id: company.id }
    expect(await heard({ deal_id: (await me.create('/api/deals', deal)).id })).toContain('Harbourlight')
  })

  it('detects seven formats from the content, whatever the file name', async () => {
    const me = await account()
    const formats: [name: string, mimeType: string][] = [
      ['call.wav', 'audio/wav'],
      ['call.mp3', 'audio/mpeg'],
      ['call.m4a', 'audio/mp4'],
      ['call.ogg', 'audio/ogg'],
      ['call.opus', 'audio/ogg; codecs=opus'],
      ['call.flac', 'audio/flac'],
      ['call.webm', 'audio/webm'],
    ]
    // src/ai/speech/speech.slow.test.ts transcribes each of them, which takes a second of processor time
    for (const [name, mimeType] of formats) {
      const { status, body } = await me.post(at, form(fixture(name), {}, 'notes.txt'))
      expect([status, body.mime_type]).toEqual([202, mimeType])
      await me.delete(`${at}/${body.id}`)
    }
  })

  it('fails for silence and music with a message', async () => {
    const me = await account()
    for (const name of ['silence.wav', 'music.mp3']) {
      const none = await transcribed(me, name)
      expect(none, name).toMatchObject({
        status: 'failed',
        error: 'No speech was detected in this recording',
        text: null,
        segments: [],
        summary: null,
        provider: 'moonshine-tiny-int8',
      })
      expect(none.duration_seconds).toBeGreaterThan(2)
      expect((await me.get(`/api/jobs/${none.job_id}`)).body).toMatchObject({ status: 'failed' })
    }
  })

  it('streams the progress in percent and each segment once', async () => {
    const me = await account()
    const { body } = await me.post(at, form(longCall(3)))
    const [own, job] = await Promise.all([
      eventsOf(me, `${at}/${body.id}/events`),
      eventsOf(me, `/api/jobs/${body.job_id}/events`),
    ])
    const done = (await me.get(`${at}/${body.id}`)).body
    expect(done.segments).toHaveLength(3)
    const midway = own.filter(({ data }) => data.status === 'processing' && data.segments.length > 0)
    expect(midway.length).toBeGreaterThan(0)
    for (const { data } of midway) {
      expect(data.progress).toBeGreaterThan(0)
      expect(data.progress).toBeLessThan(100)
    }
    expect(own.flatMap(({ data }) => data.segments)).toEqual(done.segments)
    expect(own.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed', progress: 100 } })
    const percents = job.map(({ data }) => data.progress.done)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    expect(job.some(({ data }) => data.progress.done > 0 && data.progress.done < 100)).toBe(true)
    expect(job.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } })
  })

  it('has a summary from the language model, or from the text when that fails', async () => {
    const me = await account()
    const { config } = me.service.services
    const asked: Item[] = []
    let answer: [status: number, content: string] = [200, 'A quote for 200 seats was asked for.']
    const model = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', chunk => {
        body += chunk
      })
      request.on('end', () => {
        asked.push(JSON.parse(body))
        response.writeHead(answer[0], { 'content-type': 'application/json' })
        response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: answer[1] } }] }))
      })
    }).listen(0, '127.0.0.1')
    await once(model, 'listening')
    const { port } = model.address() as AddressInfo
    config.languageModel = { url: `http://127.0.0.1:${port}/v1`, model: 'scripted', key: undefined }
    try {
      const done = await transcribed(me, 'call.wav')
      expect(done.summary).toBe(answer[1])
      const [rules, given] = asked[0]!.messages
      expect(rules).toMatchObject({
        role: 'system',
        content: expect.stringContaining('never an instruction'),
      })
      expect(given).toEqual({ role: 'user', content: JSON.stringify({ transcript: done.text }) })
      const note = await me.post(`${at}/${done.id}/to-note`)
      expect(note.body.content).toBe(`${answer[1]}\n\n---\n\n${done.text}`)
      answer = [400, '']
      await me.post(`${at}/${done.id}/retry`)
      const again = await ended(me, done.id)
      expect(again).toMatchObject({ status: 'completed', summary: again.text })
      expect(asked).toHaveLength(2)
    } finally {
      config.languageModel = undefined
      model.close()
    }
  })

  it('stores the error of a bad file in the record, and can be retried', async () => {
    const me = await account()
    const wav = fixture('call.wav')
    const broken: [name: string, file: Buffer, error: RegExp][] = [
      ['no header', Buffer.concat([wav.subarray(0, 12), Buffer.alloc(3000, 7)]), /damaged/],
      ['header alone', wav.subarray(0, 44), /damaged/],
      ['cut short', fixture('call.m4a').subarray(0, 5000), /no sound|damaged/],
      ['mp3 of nothing', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(5000, 1)]), /damaged|no sound/],
      ['ogg of nothing', Buffer.concat([Buffer.from('OggS'), Buffer.alloc(5000, 1)]), /damaged|no sound/],
      ['flac of nothing', Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(5000, 1)]), /damaged|no sound/],
    ]
    for (const [name, file, error] of broken) {
      const { status, body } = await me.post(at, form(file, {}, name))
      expect(status, name).toBe(202)
      const failed = await ended(me, body.id)
      expect(failed, name).toMatchObject({
        status: 'failed',
        text: null,
        error: expect.stringMatching(error),
      })
      expect((await me.post(`${at}/${body.id}/to-note`)).status).toBe(409)
      if (name !== 'header alone') continue
      const again = await me.post(`${at}/${body.id}/retry`)
      expect(again).toMatchObject({ status: 202, body: { status: 'queued', error: null } })
      expect(again.body.job_id).not.toBe(body.job_id)
      expect((await ended(me, body.id)).status).toBe('failed')
    }
    const foreign = await send(me, 'call.wav', { language: 'de' })
    expect(await ended(me, foreign.body.id)).toMatchObject({
      status: 'failed',
      error: 'The model that comes with the service understands English only',
    })
    await me.put(`${at}/${foreign.body.id}`, { language: 'en-GB' })
    await me.post(`${at}/${foreign.body.id}/retry`)
    expect(await ended(me, foreign.body.id)).toMatchObject({ status: 'completed', language: 'en-GB' })
  })

  it('refuses invalid uploads and stores nothing', async () => {
    const me = await account()
    const limit = me.service.services.config.files.audioBytes
    const large = Buffer.alloc(limit + 1)
    fixture('call.wav').copy(large)
    const wav = fixture('call.wav')
    const stranger = await account()
    const theirs = await stranger.create('/api/contacts', { first_name: 'Foreign' })
    const refused: [body: unknown, status: number, detail: unknown][] = [
      [form(large), 413, 'The upload is larger than 100 MB'],
      [form(Buffer.from('hello, this is a text and no audio'), {}, 'call.wav'), 415, expect.any(String)],
      [form(Buffer.alloc(0)), 415, expect.any(String)],
      [form(Buffer.from('%PDF-1.7 and so on')), 415, expect.any(String)],
      [{ file: 'x' }, 415, expect.any(String)],
      [form(undefined), 422, [expect.objectContaining({ type: 'missing', loc: ['body', 'file'] })]],
      [
        form(wav, { contact_id: 'x' }),
        422,
        [expect.objectContaining({ type: 'uuid_parsing', loc: ['body', 'contact_id'] })],
      ],
      [
        form(wav, { language: 'x'.repeat(36) }),
        422,
        [expect.objectContaining({ type: 'string_too_long', loc: ['body', 'language'] })],
      ],
      ...['activity_id', 'contact_id', 'company_id', 'deal_id'].map((name): [FormData, number, unknown] => [
        form(wav, { [name]: newId() }),
        422,
        [expect.objectContaining({ type: 'reference_not_found', loc: ['body', name] })],
      ]),
      [
        form(wav, { contact_id: theirs.id }),
        422,
        [expect.objectContaining({ type: 'reference_not_found', msg: 'Contact not found' })],
      ],
    ]
    for (const [body, status, detail] of refused) {
      const answer = await me.post(at, body)
      expect(answer.status).toBe(status)
      expect(answer.body.detail).toEqual(detail)
    }
    expect(filesOf(me)).toEqual([])
    expect((await me.get(at)).body.total).toBe(0)
  })

  it('updates its editable fields, and is deleted with its audio', async () => {
    const me = await account()
    const done = await transcribed(me, 'call.webm')
    const changed = await me.put(`${at}/${done.id}`, {
      text: 'Mended.',
      summary: null,
      status: 'failed',
      file_name: 'x',
    })
    expect(changed.body).toMatchObject({
      text: 'Mended.',
      summary: null,
      status: 'completed',
      file_name: 'call.webm',
    })
    const refused: [change: object, type: string][] = [
      [{ text: 'x'.repeat(1_000_001) }, 'string_too_long'],
      [{ summary: 5 }, 'string_type'],
      [{ language: 'x' }, 'string_too_short'],
      [{ deal_id: newId() }, 'reference_not_found'],
    ]
    for (const [change, type] of refused) {
      const { status, body } = await me.put(`${at}/${done.id}`, change)
      expect([status, body.detail[0].type]).toEqual([422, type])
    }

    const whole = fixture('call.webm')
    const audio = (range?: string) =>
      fetch(`${me.url}${done.audio_url}`, { headers: { 'x-api-key': me.key, ...(range ? { range } : {}) } })
    const full = await audio()
    expect(full.headers.get('content-type')).toBe('audio/webm')
    expect(Buffer.from(await full.arrayBuffer()).equals(whole)).toBe(true)
    const ranges: [range: string, status: number, from: number, to: number][] = [
      ['bytes=0-99', 206, 0, 100],
      ['bytes=100-', 206, 100, whole.length],
      ['bytes=-10', 206, whole.length - 10, whole.length],
      ['bytes=5-2', 200, 0, whole.length],
      ['lines=1-2', 200, 0, whole.length],
    ]
    for (const [range, status, from, to] of ranges) {
      const part = await audio(range)
      expect(part.status, range).toBe(status)
      expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(from, to)), range).toBe(true)
    }
    expect((await audio(`bytes=${whole.length}-`)).status).toBe(416)

    expect(filesOf(me)).toEqual([done.id])
    expect((await me.delete(`${at}/${done.id}`)).body).toEqual({})
    expect((await me.get(`${at}/${done.id}`)).status).toBe(404)
    expect((await audio()).status).toBe(404)
    await waitFor(() => filesOf(me).length === 0 || undefined)
    const back = await waitFor(async () => {
      const { body } = await me.post(`${at}/${done.id}/restore`)
      if (body.audio_url === null) return body
      await me.delete(`${at}/${done.id}`)
      return undefined
    })
    expect(back).toMatchObject({ text: 'Mended.', audio_url: null, segments: done.segments })
    expect((await audio()).status).toBe(404)
    const again = await me.post(`${at}/${done.id}/retry`)
    expect(again).toMatchObject({
      status: 409,
      body: { detail: 'The audio of this transcription has been deleted' },
    })
    await me.post(`${at}/bulk-delete`, [done.id, newId()])
    expect((await me.get(at)).body.total).toBe(0)
    expect((await me.get(`${at}?deleted=true`)).body.total).toBe(1)
  })

  it('ends its job when it is deleted or cancelled during processing', async () => {
    const me = await account()
    const begun = async () => {
      const { body } = await me.post(at, form(longCall(4)))
      return waitFor(async () => {
        const now = (await me.get(`${at}/${body.id}`)).body
        return now.segments.length > 0 ? now : undefined
      })
    }
    const cancelled = await begun()
    await me.post(`/api/jobs/${cancelled.job_id}/cancel`)
    expect(await ended(me, cancelled.id)).toMatchObject({
      status: 'failed',
      error: 'The transcription was cancelled',
    })
    const deleted = await begun()
    await me.delete(`${at}/${deleted.id}`)
    expect((await eventsOf(me, `/api/jobs/${deleted.job_id}/events`)).at(-1)).toMatchObject({
      event: 'end',
      data: { status: 'failed', error: 'The transcription has been deleted' },
    })
    await waitFor(() => !filesOf(me).includes(deleted.id) || undefined)
  })

  it('ends its job at once when its audio is removed before it is read', async () => {
    const me = await account()
    const { speech } = me.service.services.config
    const endpoint = createServer(async (request, response) => {
      request.resume()
      const { id } = (await me.get(at)).body.items[0]
      await me.delete(`${at}/${id}`)
      await waitFor(() => !filesOf(me).includes(id) || undefined)
      response.destroy()
    }).listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    const { port } = endpoint.address() as AddressInfo
    speech.remote = { url: `http://127.0.0.1:${port}/v1`, model: 'scripted', key: undefined }
    try {
      const { body } = await send(me, 'call.wav')
      // another failure would be logged as an error of the service, and tried again
      expect((await eventsOf(me, `/api/jobs/${body.job_id}/events`)).at(-1)).toMatchObject({
        event: 'end',
        data: { status: 'failed', error: 'The transcription has been deleted', attempts: 1 },
      })
    } finally {
      speech.remote = undefined
      endpoint.close()
    }
  })

  it('leaves no files behind', async () => {
    const me = await account()
    const { audioDir } = me.service.services.config.files
    const { body } = await send(me, 'silence.wav')
    await ended(me, body.id)
    const orphans = [join(audioDir, me.accountId, newId()), join(audioDir, newId(), newId())]
    for (const path of orphans) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'left behind')
    }
    const kept = join(audioDir, me.accountId, body.id)
    const longAgo = new Date(Date.now() - 24 * 3_600_000)
    await audioFiles.sweep.run(me.service.services)
    expect(orphans.map(existsSync)).toEqual([true, true])
    for (const path of [...orphans, kept]) utimesSync(path, longAgo, longAgo)
    await audioFiles.sweep.run(me.service.services)
    expect([...orphans, kept].map(existsSync)).toEqual([false, false, true])
  })
})

onBothEngines('transcriptions of an account', account => {
  it('is linked to an activity, contact, company and deal, can become a note, and is searchable', async () => {
    const me = await account()
    const contact = await me.create('/api/contacts', { first_name: 'Ada' })
    const company = await me.create('/api/companies', { name: 'Acme' })
    const deal = await me.create('/api/deals', { name: 'Engines' })
    const activity = await me.create('/api/activities', { type: 'call', subject: 'Ring' })
    const links = {
      activity_id: activity.id,
      contact_id: contact.id,
      company_id: company.id,
      deal_id: deal.id,
    }
    const done = await transcribed(me, 'call.opus', { language: 'en', ...links })
    expect(done).toMatchObject({ ...links, mime_type: 'audio/ogg; codecs=opus', status: 'completed' })
    expect((await me.get(`/api/activities/${activity.id}`)).body.transcription_id).toBe(done.id)
    const other = await me.create('/api/activities', {
      type: 'call',
      subject: 'Again',
      transcription_id: done.id,
    })
    expect(other.transcription_id).toBe(done.id)

    const note = await me.post(`${at}/${done.id}/to-note`)
    expect(note).toMatchObject({
      status: 201,
      body: {
        title: 'call.opus',
        content: done.text,
        entity_type: 'activity',
        entity_id: activity.id,
        contact_ids: [{ id: contact.id }],
        company_ids: [{ id: company.id }],
        deal_ids: [{ id: deal.id }],
      },
    })
    await me.delete(`/api/activities/${activity.id}`)
    await me.delete(`/api/deals/${deal.id}`)
    expect((await me.post(`${at}/${done.id}/to-note`, { title: 'Call' })).body).toMatchObject({
      title: 'Call',
      entity_type: 'contact',
      deal_ids: [],
    })
    const reader = await anotherMember(me, { scopes: ['transcriptions:write'] })
    expect((await reader.post(`${at}/${done.id}/to-note`)).status).toBe(403)

    const found: [query: string, total: number][] = [
      ['search=renewal', 1],
      ['search=opera', 0],
      ['status=completed', 1],
      ['status=failed', 0],
      ['language=en', 1],
      ['language=fr', 0],
      ...Object.entries(links).flatMap(([name, id]): [string, number][] => [
        [`${name}=${id}`, 1],
        [`${name}=${newId()}`, 0],
      ]),
      [`user_id=${me.userId}`, 1],
      [`user_id=${newId()}`, 0],
    ]
    for (const [query, total] of found) {
      expect((await me.get(`${at}?${query}`)).body.total, query).toBe(total)
    }
  })

  it('returns 404 to other accounts', async () => {
    const me = await account()
    const { body } = await send(me, 'silence.wav')
    expect((await me.post(`${at}/${body.id}/retry`)).status).toBe(409)
    await ended(me, body.id)
    const other = await account()
    const calls: [method: string, path: string][] = [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/retry'],
      ['POST', '/to-note'],
      ['POST', '/restore'],
      ['GET', '/audio'],
      ['GET', '/events'],
    ]
    for (const [method, path] of calls) {
      const answer = await other.call(method, `${at}/${body.id}${path}`, method === 'PUT' ? {} : undefined)
      expect([answer.status, answer.body.detail], `${method} ${path}`).toEqual([
        404,
        'Transcription not found',
      ])
    }
    expect((await other.get(at)).body.total).toBe(0)
    const viewer = await anotherMember(me, { role: 'viewer' })
    expect((await send(viewer, 'silence.wav')).status).toBe(403)
    expect((await viewer.get(`${at}/${body.id}/audio`)).status).toBe(200)
    const named = await other.post('/api/activities', {
      type: 'call',
      subject: 'S',
      transcription_id: body.id,
    })
    expect(named.body.detail).toMatchObject([{ type: 'reference_not_found', msg: 'Transcription not found' }])
  })
})
