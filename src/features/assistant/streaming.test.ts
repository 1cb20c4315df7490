/** Streamed answers: lost connections, slow readers, clients that disconnect, and the end of a stream. */
import type { ServerResponse } from 'node:http'
import { EventSource } from 'eventsource'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { waitFor } from '../../../test/support/process.ts'
import { type Account, type Item, onBothEngines, testConfig } from '../../../test/support/service.ts'
import { createService } from '../../service.ts'
import {
  begin,
  eventsIn,
  finish,
  type Model,
  names,
  openStream,
  piece,
  type SentEvent,
  STREAM,
  scriptedModel,
  textOf,
  withSettings,
} from './assistant.testing.ts'

const has = (what: string) => (text: string) => text.includes(what)

/** A model whose response the test writes itself. */
function onCue(model: Model): Promise<ServerResponse> {
  return new Promise(resolve =>
    model.plays(response => {
      begin(response)
      resolve(response)
    }),
  )
}

onBothEngines('a streamed answer', (account, kind) => {
  let model: Model
  let restore: () => void
  beforeAll(async () => {
    model = await scriptedModel()
    const languageModel = { url: model.url, model: 'scripted', key: 'secret' }
    restore = await withSettings(kind, { languageModel, assistant: { graceMs: 800, heartbeatMs: 100 } })
  })
  afterAll(() => {
    restore()
    model.close()
  })

  async function ask(me: Account, content = 'Tell me') {
    const chat = await me.create('/api/chats', {})
    const path = `/api/chats/${chat.id}/messages`
    const cue = onCue(model)
    const stream = await openStream(me, path, { content })
    const speaker = await cue
    const answers = async (): Promise<Item[]> => (await me.get(`${path}?role=assistant`)).body.items
    const [answer] = await answers()
    return {
      path,
      stream,
      speaker,
      answers,
      id: answer!.id as string,
      events: `/api/chats/messages/${answer!.id}/events`,
    }
  }
  const ended = (answers: () => Promise<Item[]>) =>
    waitFor(async () => {
      const [answer] = await answers()
      return answer!.metadata.status === 'answering' ? undefined : answer
    })

  it('is sent piece by piece and stored at its end', async () => {
    const me = await account()
    const { stream, speaker, answers, id } = await ask(me)
    expect(await answers()).toMatchObject([{ id, content: '', metadata: { status: 'answering' } }])
    piece(speaker, 'One ')
    await stream.until(has('One '))
    expect(stream.text()).not.toContain('message_end')
    piece(speaker, 'two 😀')
    await stream.until(has('😀'))
    finish(speaker, [7, 3])
    const { events } = eventsIn(await stream.until())
    expect(names(events)).toEqual(['message_start', 'message_delta', 'message_end'])
    expect(events).toHaveLength(4)
    const [stored] = await answers()
    expect(stored).toMatchObject({
      content: 'One two 😀',
      metadata: {
        status: 'completed',
        model: 'scripted',
        usage: { model: 'scripted', prompt_tokens: 7, completion_tokens: 3 },
      },
    })
    expect(events.at(-1)!.data.message).toEqual(stored)
  })

  it('sends heartbeats while there is no text', async () => {
    const me = await account()
    const { stream, speaker } = await ask(me)
    await stream.until(text => eventsIn(text).comments.length >= 2)
    finish(speaker)
    stream.leave()
  })

  it('continues for a reconnecting EventSource without a repeated or missing word', async () => {
    const me = await account()
    const { stream, speaker, events } = await ask(me)
    const seen: SentEvent[] = []
    const asked: (string | null)[] = []
    let cutOff: AbortController | undefined
    const source = new EventSource(me.url + events, {
      fetch: (url, init) => {
        asked.push(new Headers(init.headers).get('last-event-id'))
        cutOff = new AbortController()
        const signal = AbortSignal.any([init.signal as AbortSignal, cutOff.signal])
        return fetch(url, { ...init, signal, headers: { ...(init.headers as object), 'x-api-key': me.key } })
      },
    })
    for (const event of ['message_start', 'message_delta', 'message_end', 'citation', 'tool'])
      source.addEventListener(event, ({ data, lastEventId }) =>
        seen.push({ id: lastEventId, event, data: JSON.parse(data) }),
      )
    const until = (text: string) => waitFor(() => textOf(seen).includes(text) || undefined)
    piece(speaker, 'First. ')
    await until('First. ')
    cutOff!.abort(new TypeError('the connection is lost'))
    piece(speaker, 'Second. ')
    await until('Second. ')
    piece(speaker, 'Third.')
    await until('Third.')
    finish(speaker)
    await waitFor(() => (seen.at(-1)?.event === 'message_end' ? true : undefined))
    // after the end the server responds with 204, which closes the EventSource
    await waitFor(() => (source.readyState === source.CLOSED ? true : undefined))
    expect(textOf(seen)).toBe('First. Second. Third.')
    expect(names(seen).filter(name => name !== 'message_delta')).toEqual(['message_start', 'message_end'])
    expect(asked).toEqual([null, '7.0.0.0', 'end'])
    expect(textOf(eventsIn(await stream.until()).events)).toBe('First. Second. Third.')
  })

  it('is sent completely to a new reader and from its position to a returning one', async () => {
    const me = await account()
    const { stream, speaker, events } = await ask(me)
    piece(speaker, 'abc😀def')
    finish(speaker)
    await stream.until()
    const whole = eventsIn((await me.get(events)).text).events
    expect([names(whole), textOf(whole)]).toEqual([
      ['message_start', 'message_delta', 'message_end'],
      'abc😀def',
    ])
    const rest = async (id: string) => eventsIn((await me.get(events, { 'last-event-id': id })).text).events
    expect(textOf(await rest('5.0.0.0'))).toBe('def')
    expect(names(await rest('8.0.0.0'))).toEqual(['message_end'])
    expect(names(await rest('999.9.9.0'))).toEqual(['message_end'])
    expect(textOf(await rest('nonsense'))).toBe('abc😀def')
    expect(await me.get(events, { 'last-event-id': 'end' })).toMatchObject({ status: 204, text: '' })
  })

  it('stops on request and keeps its text so far', async () => {
    const me = await account()
    const { stream, speaker, answers, id } = await ask(me)
    piece(speaker, 'Half of ')
    await stream.until(has('Half'))
    const { status, body } = await me.post(`/api/chats/messages/${id}/stop`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      content: 'Half of ',
      metadata: { status: 'cut_short', cut_short: true, reason: 'stopped', model: 'scripted' },
    })
    expect(await answers()).toEqual([body])
    expect(eventsIn(await stream.until()).events.at(-1)).toMatchObject({
      event: 'message_end',
      data: { message: body },
    })
    // the connection to the model is closed
    await waitFor(() => (model.open() === 0 ? true : undefined))
  })

  it.skipIf(kind === 'embedded')('is followed and stopped through another process', async () => {
    const me = await account()
    const { stream, speaker, answers, id } = await ask(me)
    piece(speaker, 'Half of ')
    await stream.until(has('Half'))
    const elsewhere = await anotherProcess(me)
    const followed = await openStream(elsewhere.as, `/api/chats/messages/${id}/events`, undefined)
    await followed.until(has('Half of'))
    piece(speaker, 'it')
    await followed.until(has('it'))
    const { body } = await elsewhere.as.post(`/api/chats/messages/${id}/stop`)
    expect(body).toMatchObject({ content: 'Half of it', metadata: { reason: 'stopped' } })
    expect(textOf(eventsIn(await followed.until()).events)).toBe('Half of it')
    await stream.until()
    expect(await answers()).toEqual([body])
    await elsewhere.close()
  })

  /** A second service on the same database. */
  async function anotherProcess(me: Account) {
    const { databaseUrl } = me.service.services.config
    const service = await createService(await testConfig(kind, { databaseUrl }))
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const call: Account['call'] = async (method, path) => {
      const response = await fetch(url + path, { method, headers: { 'x-api-key': me.key } })
      return { status: response.status, headers: response.headers, text: '', body: await response.json() }
    }
    const as: Account = { ...me, url, service, call, post: path => call('POST', path) }
    return { as, close: () => service.close() }
  }

  it.each(['a stream', 'plainly'])('ends after its client (%s) has disconnected', async how => {
    const me = await account()
    const chat = await me.create('/api/chats', {})
    const path = `/api/chats/${chat.id}/messages`
    const cue = onCue(model)
    const leaving = new AbortController()
    const sent = fetch(me.url + path, {
      method: 'POST',
      headers: {
        'x-api-key': me.key,
        'content-type': 'application/json',
        ...(how === 'a stream' ? STREAM : {}),
      },
      body: JSON.stringify({ content: 'Tell me' }),
      signal: leaving.signal,
    }).then(response => response.text())
    const speaker = await cue
    piece(speaker, 'Unheard ')
    const answers = async (): Promise<Item[]> => (await me.get(`${path}?role=assistant`)).body.items
    const [answer] = await answers()
    // a second reader waits for the piece to arrive, and disconnects before the first one
    const other = await openStream(me, `/api/chats/messages/${answer!.id}/events`, undefined)
    await other.until(has('Unheard'))
    other.leave()
    leaving.abort()
    await expect(sent).rejects.toThrow()
    expect(await ended(answers)).toMatchObject({
      content: 'Unheard ',
      metadata: { status: 'cut_short', reason: 'client_left' },
    })
    await waitFor(() => (model.open() === 0 ? true : undefined))
    expect(await answers()).toHaveLength(1)
  })

  it('continues when its reader reconnects in time', async () => {
    onTestFinished(await withSettings(kind, { assistant: { graceMs: 60_000 } }))
    const me = await account()
    const { stream, speaker, answers, events } = await ask(me)
    piece(speaker, 'Still ')
    await stream.until(has('Still'))
    stream.leave()
    const back = await openStream(me, events, undefined, { 'last-event-id': '6.0.0.0' })
    piece(speaker, 'here')
    finish(speaker)
    expect(textOf(eventsIn(await back.until()).events)).toBe('here')
    expect(await answers()).toMatchObject([{ content: 'Still here', metadata: { status: 'completed' } }])
  })

  it('does not wait for a reader that does not read', async () => {
    const me = await account()
    const { stream: slow, speaker, events } = await ask(me)
    const quick = await openStream(me, events, undefined)
    await quick.until(has('message_start'))
    const line = `${'x'.repeat(999)}\n`
    for (let i = 0; i < 80; i++) {
      piece(speaker, line)
      if (i % 20 === 0) await quick.until(text => text.length > i * 1000)
    }
    finish(speaker)
    expect(textOf(eventsIn(await quick.until()).events)).toBe(line.repeat(80))
    expect(textOf(eventsIn(await slow.until()).events)).toBe(line.repeat(80))
  })

  it('ends with its chat', async () => {
    const me = await account()
    const { path, stream, speaker, answers } = await ask(me)
    piece(speaker, 'Half of ')
    await stream.until(has('Half'))
    const chat = path.replace('/messages', '')
    await me.delete(chat)
    await stream.until()
    await me.post(`${chat}/restore`)
    expect(await ended(answers)).toMatchObject({ content: 'Half of ', metadata: { reason: 'stopped' } })
  })

  it('is created only one at a time', async () => {
    const me = await account()
    const { stream, speaker, id } = await ask(me)
    const refused = await me.post(`/api/chats/messages/${id}/regenerate`)
    expect(refused).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('still being answered') },
    })
    piece(speaker, 'Done')
    finish(speaker)
    await stream.until()
    const cue = onCue(model)
    const both = [1, 2].map(() => me.post(`/api/chats/messages/${id}/regenerate`))
    const second = await cue
    expect((await Promise.race(both)).status).toBe(409)
    piece(second, 'Again')
    finish(second)
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('is one answer per Idempotency-Key, also while it is in progress', async () => {
    const me = await account()
    const chat = await me.create('/api/chats', {})
    const path = `/api/chats/${chat.id}/messages`
    const cue = onCue(model)
    const key = { 'idempotency-key': 'the same' }
    const first = await openStream(me, path, { content: 'Tell me' }, key)
    const speaker = await cue
    piece(speaker, 'Once ')
    await first.until(has('Once'))
    first.leave()
    const second = await openStream(me, path, { content: 'Tell me' }, { ...key, 'last-event-id': '5.0.0.0' })
    expect(second.response.headers.get('idempotency-replayed')).toBe('true')
    const plain = me.post(path, { content: 'Tell me' }, key)
    piece(speaker, 'only')
    finish(speaker)
    expect(textOf(eventsIn(await second.until()).events)).toBe('only')
    expect((await plain).body.reply.content).toBe('Once only')
    expect(model.asked).toHaveLength(1)
    expect((await me.get(path)).body.total).toBe(2)
  })

  it('is cut at the maximum length of a message', async () => {
    const me = await account()
    const { stream, speaker, answers } = await ask(me)
    for (let i = 0; i < 11; i++) piece(speaker, 'x'.repeat(10_000))
    await stream.until()
    expect(await ended(answers)).toMatchObject({ metadata: { status: 'cut_short', reason: 'too_long' } })
    expect((await answers())[0]!.content).toHaveLength(100_000)
  })

  it('is finished or cut short, and stored, when the service stops', async () => {
    const limits = { ...(await testConfig(kind)).limits, stopTimeoutMs: 2000 }
    const config = await testConfig(kind, {
      apiKey: 'sk_stop_0123456789abcdef',
      limits,
      languageModel: { url: model.url, model: 'scripted', key: undefined },
    })
    const service = await createService(config)
    const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
    const me = { url, key: 'sk_stop_0123456789abcdef' } as Account
    const headers = { 'x-api-key': me.key, 'content-type': 'application/json' }
    const chat = (await (
      await fetch(`${url}/api/chats`, { method: 'POST', headers, body: '{}' })
    ).json()) as Item
    const cue = onCue(model)
    const stream = await openStream(me, `/api/chats/${chat.id}/messages`, { content: 'Tell me' })
    piece(await cue, 'Almost ')
    await stream.until(has('Almost'))
    const closed = service.close()
    const last = eventsIn(await stream.until()).events.at(-1)
    expect(last).toMatchObject({
      event: 'message_end',
      data: { message: { content: 'Almost ', metadata: { status: 'cut_short', reason: 'service_stopped' } } },
    })
    await closed
  })
})
