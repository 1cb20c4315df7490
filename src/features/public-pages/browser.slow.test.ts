/** What people store, others read in a browser: nothing of it may run there. */
import { beforeAll, describe, expect, it } from 'vitest'
import { executablePath, sharedBrowser } from '../../../test/support/chromium.ts'
import { SLOW } from '../../../test/support/process.ts'
import { type Account, engines, newAccount, request, serviceOn } from '../../../test/support/service.ts'
import { APART, elementsIn, firedOn, strange } from './browser.testing.ts'
import { asBlocks, asEditorBlocks, payloads } from './payloads.testing.ts'

const AT_ONCE = 50

/** Every payload through every door; answers where the pages are. */
async function store(account: Account): Promise<string[]> {
  const addresses: string[] = []
  const kept = (answer: { status: number; text: string; body: { slug: string } }) => {
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
    addresses.push(`${account.url}/kb/${account.accountId}/${encodeURIComponent(answer.body.slug)}`)
  }
  const page = { type: 'page', visibility: 'public' }
  for (let at = 0; at < payloads.length; at += AT_ONCE) {
    const some = payloads.slice(at, at + AT_ONCE)
    const title = some[0]!.slice(0, 255)
    const documents = [
      { content_markdown: some.join(APART) },
      { content: { type: 'doc', content: some.flatMap(asBlocks) } },
      { content: { blocks: some.flatMap(asEditorBlocks) } },
    ]
    for (const document of documents)
      kept(await account.post('/api/kb/documents', { ...page, title, ...document }))
    const form = new FormData()
    form.set('visibility', 'public')
    form.set('file', new File([some.join(APART)], 'x.html'))
    kept(await account.post('/api/kb/documents/import', form))
  }
  return addresses
}

it('has 500 payloads at least', () => {
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(500)
})

// The HTML is the same whatever the engine: one of them does.
const kind = engines.at(-1)!

describe(`${payloads.length} payloads on public pages`, SLOW, () => {
  let account: Account
  let addresses: string[]
  beforeAll(async () => {
    await serviceOn(kind)
    account = await newAccount(kind)
    addresses = await store(account)
  }, SLOW.timeout)

  it('leave only allowed elements in the parsed HTML', async () => {
    expect(addresses).toHaveLength(4 * Math.ceil(payloads.length / AT_ONCE))
    for (const address of addresses) {
      const { status, text } = await request(address, 'GET')
      expect(status).toBe(200)
      expect([address, strange(elementsIn(text))]).toEqual([address, []])
    }
  })

  it.skipIf(executablePath === undefined)('run no script in Chromium', async () => {
    expect(await firedOn(await sharedBrowser(), account.url, addresses)).toEqual([])
  })
})
