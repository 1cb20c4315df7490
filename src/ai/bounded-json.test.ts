import { expect, it } from 'vitest'
import { AnswerTooLarge, boundedJson } from './bounded-json.ts'

it('stops reading a response at the size limit', async () => {
  expect(await boundedJson(new Response('{"a":["ü"]}'))).toEqual({ a: ['ü'] })
  let sent = 0
  let cancelled = false
  const endless = new ReadableStream({
    pull(stream) {
      sent++
      stream.enqueue(Buffer.alloc(1000, '"'))
    },
    cancel() {
      cancelled = true
    },
  })
  await expect(boundedJson(new Response(endless), 10_000)).rejects.toThrow(AnswerTooLarge)
  expect([cancelled, sent < 20]).toEqual([true, true])
  await expect(boundedJson(new Response('no'))).rejects.toThrow(SyntaxError)
})
