import type { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Content, contentOf, contentOfHtml, htmlOf, markdownOf } from './content.ts'
import { contentFrom, contentFromHtml, htmlFrom, htmlFromMarkdowns, markdownFrom } from './convert.ts'

/** Long enough for a thread. */
const LONG = 30_000

const many = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length)
const markdown = (length: number) => many('# Head\n\n- *a* [b](https://example.com)\n- `c`\n\n', length)
const html = (length: number) => many('<h1>Head</h1><p>Some <b>words</b></p>', length)

const CASES: [
  name: string,
  convert: (length: number) => Promise<unknown>,
  expected: (length: number) => unknown,
][] = [
  ['markdown → blocks', length => contentFrom(markdown(length)), length => contentOf(markdown(length))],
  ['HTML → blocks', length => contentFromHtml(html(length)), length => contentOfHtml(html(length))],
  [
    'blocks → markdown',
    length => markdownFrom(contentOf(markdown(length))),
    length => markdownOf(contentOf(markdown(length))),
  ],
  [
    'blocks → HTML',
    length => htmlFrom(contentOf(markdown(length))),
    length => htmlOf(contentOf(markdown(length))),
  ],
  [
    'several markdown texts → HTML',
    length => htmlFromMarkdowns([markdown(length / 2), 'short', markdown(length / 2)]),
    length => [markdown(length / 2), 'short', markdown(length / 2)].map(text => htmlOf(contentOf(text))),
  ],
]

describe('conversion of a page', () => {
  it.each(CASES)(
    '%s has the same result in a thread, and does not block other requests',
    async (_, convert, expected) => {
      expect(await convert(200)).toEqual(expected(200))
      let turn = false
      setImmediate(() => {
        turn = true
      })
      const converted = JSON.stringify(await convert(LONG))
      expect(turn).toBe(true)
      expect(converted === JSON.stringify(expected(LONG))).toBe(true)
    },
  )

  it('queues several conversions', async () => {
    const all = await Promise.all([1, 2].map(n => contentFrom(`${n}\n\n${markdown(LONG)}`)))
    const first = ({ content }: Content) => JSON.stringify((content as unknown[])[0])
    expect(all.map(first)).toEqual([1, 2].map(n => expect.stringContaining(`"text":"${n}"`)))
  })

  it('starts no thread for a conversion that follows another', async () => {
    const started: Worker[] = []
    const note = (worker: Worker) => started.push(worker)
    onTestFinished(() => void process.off('worker', note))
    await contentFrom(markdown(LONG))
    process.on('worker', note)
    await contentFrom(markdown(LONG + 1000))
    expect(started).toEqual([])
  })

  it('caches the result of a conversion', async () => {
    const blocks = contentOf(`again\n\n${markdown(LONG)}`)
    const [first, second] = [htmlFrom(blocks), htmlFrom(blocks)]
    expect(second).toBe(first)
    expect(await second).toBe(htmlOf(blocks))
  })

  it('refuses marks that would produce far more blocks than text', async () => {
    await expect(contentFrom(many('*a*b', 600_000))).rejects.toMatchObject({ status: 413 })
    expect(await markdownFrom({ blocks: [] })).toBe('')
  })
})
