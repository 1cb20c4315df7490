/** A process is killed in the middle of an answer: the text stored so far stays, marked as cut short. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { SLOW, startKith, tempFolder, waitFor } from '../../../test/support/process.ts'
import { type Account, anyEngine, freshDatabase, type Item, request } from '../../../test/support/service.ts'
import { begin, eventsIn, names, openStream, piece, scriptedModel, textOf } from './assistant.testing.ts'

const KEY = 'sk_killed_0123456789abcdef'
const headers = { 'x-api-key': KEY }

describe.each(anyEngine)('a killed process (%s)', SLOW, kind => {
  it('leaves an answer that is marked as cut short exactly once', async () => {
    const model = await scriptedModel()
    onTestFinished(() => model.close())
    model.plays(response => {
      begin(response)
      piece(response, 'As far as it came')
    })
    const env = {
      KITH_API_KEY: KEY,
      KITH_DATA_DIR: tempFolder(),
      // long enough that a stalled process keeps its lease, short enough to wait for
      KITH_JOB_HOLD_SECONDS: '4',
      KITH_LOG_LEVEL: 'debug',
      KITH_LLM_URL: model.url,
      KITH_LLM_MODEL: 'scripted',
      ...(kind === 'server' ? { DATABASE_URL: await freshDatabase() } : {}),
    }
    const first = await startKith({ env })
    const chat = (await request(`${first.url}/api/chats`, 'POST', {}, headers)).body
    const path = `/api/chats/${chat.id}/messages`
    const stream = await openStream({ url: first.url, key: KEY } as Account, path, { content: 'Tell me' })
    await stream.until(text => text.includes('came'))
    const lastId = eventsIn(stream.text()).events.at(-1)!.id
    await waitFor(() => first.log().some(({ msg, size }) => msg === 'answer progress stored' && size !== 0))
    await first.stop('SIGKILL')
    await expect(stream.until()).rejects.toThrow()

    const second = await startKith({ env: { ...env, KITH_JOB_HOLD_SECONDS: '2' } })
    const stored = async (): Promise<Item[]> =>
      (await request(second.url + path, 'GET', undefined, headers)).body.items
    const [question, answer] = await waitFor(async () => {
      const items = await stored()
      return items[1]?.metadata.status === 'answering' ? undefined : items
    })
    expect(question).toMatchObject({ role: 'user', content: 'Tell me' })
    expect(answer).toMatchObject({
      role: 'assistant',
      content: 'As far as it came',
      metadata: { status: 'cut_short', cut_short: true, reason: 'interrupted', question_id: question!.id },
    })
    expect(await stored()).toHaveLength(2)
    // a client that reconnects at its position learns that there is no more text
    const rest = await request(`${second.url}/api/chats/messages/${answer!.id}/events`, 'GET', undefined, {
      ...headers,
      'last-event-id': lastId,
    })
    const { events } = eventsIn(rest.text)
    expect([names(events), textOf(events)]).toEqual([['message_end'], ''])
    // the answer can be regenerated
    model.plays(response => {
      begin(response)
      piece(response, 'The whole of it')
      response.end('data: [DONE]\n\n')
    })
    const again = await request(
      `${second.url}/api/chats/messages/${answer!.id}/regenerate`,
      'POST',
      undefined,
      headers,
    )
    expect(again.body.reply).toMatchObject({
      content: 'The whole of it',
      metadata: { status: 'completed', version: 2 },
    })
    await second.stop()
  })
})
