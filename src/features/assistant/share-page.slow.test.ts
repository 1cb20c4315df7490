/** What was said in a chat, strangers read in a browser: nothing of it may run there. */
import { describe, expect, it } from 'vitest'
import { executablePath, sharedBrowser } from '../../../test/support/chromium.ts'
import { SLOW } from '../../../test/support/process.ts'
import { type Account, engines, newAccount, request, serviceOn } from '../../../test/support/service.ts'
import { APART, elementsIn, firedOn, strange } from '../public-pages/browser.testing.ts'
import { payloads } from '../public-pages/payloads.testing.ts'
import { say } from './proposals/proposals.testing.ts'

const AT_ONCE = 50
// The HTML is the same whatever the engine: one of them does.
const kind = engines.at(-1)!

/** Said by both sides, and in the title; answers where the pages are. */
async function shared(me: Account): Promise<string[]> {
  const addresses: string[] = []
  for (let at = 0; at < payloads.length; at += AT_ONCE) {
    const some = payloads.slice(at, at + AT_ONCE)
    const chat = await me.create('/api/chats', { title: some[0]!.slice(0, 500) })
    for (const role of ['user', 'assistant'] as const)
      await say(me, chat.id, { role, content: some.join(APART) })
    const { token } = await me.create(`/api/chats/${chat.id}/share`, { is_public: true })
    addresses.push(`${me.url}/share/${token}`)
  }
  return addresses
}

describe(`${payloads.length} payloads on pages of shares`, SLOW, () => {
  it('leave only allowed elements in the parsed HTML', async () => {
    await serviceOn(kind)
    const me = await newAccount(kind)
    for (const address of await shared(me)) {
      const { status, text } = await request(address, 'GET')
      expect(status).toBe(200)
      expect([address, strange(elementsIn(text))]).toEqual([address, []])
    }
  })

  it.skipIf(executablePath === undefined)('run no script in Chromium', async () => {
    await serviceOn(kind)
    const me = await newAccount(kind)
    const addresses = await shared(me)
    expect(await firedOn(await sharedBrowser(), me.url, addresses)).toEqual([])
  })
})
